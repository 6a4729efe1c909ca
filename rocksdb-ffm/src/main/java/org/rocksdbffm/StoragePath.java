/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm;

import static java.util.Objects.requireNonNull;

import java.nio.file.Path;
import org.rocksdbffm.internal.folder.FolderPath;
import org.rocksdbffm.internal.settings.TablePath;

/**
 * A folder for tables of a database, such as one on a faster or a larger disk.
 *
 * @param folder belongs to the database from then on, which deletes files there that it does not know; its parent exists
 * @param target about how much is there before the next folder of the list is used
 */
public record StoragePath(Path folder, ByteSize target) {
  /** Refuses null, and a path of another file system than the default one. */
  public StoragePath {
    requireNonNull(target, "target");
    FolderPath.of(folder);
  }

  TablePath place() {
    FolderPath path = FolderPath.of(folder);
    return new TablePath(path.path(), path.bytes(), target.bytes());
  }
}
