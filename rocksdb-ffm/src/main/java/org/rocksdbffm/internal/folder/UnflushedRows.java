/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.folder;

import java.io.IOException;
import java.nio.file.Path;

/** Looks in the logs of a database, which another may be writing, for rows that no table has. */
public final class UnflushedRows {
  private UnflushedRows() {}

  /**
   * Whether the logs since the last flush of a family have writes to it, up to a sequence number. In doubt they have none:
   * where they lie in another folder, are compressed, or cannot be read at the moment.
   */
  public static boolean areIn(Path folder, int family, long until) throws IOException {
    FolderFiles files = FolderFiles.in(folder);
    Manifest manifest = Manifest.read(folder, files);
    Manifest.Family its = manifest == null ? null : manifest.families().get(family);
    if (its == null) {
      return false;
    }
    FolderFiles.Numbers logs = files.logs();
    try {
      for (int i = 0; i < logs.count(); i++) {
        long number = logs.get(i);
        Path log = folder.resolve(FolderFiles.logName(number));
        if (number >= its.logNumber && LogMerges.haveWrites(log, number, family, until)) {
          return true;
        }
      }
      return false;
    } catch (Fields.Unreadable e) {
      return false;
    }
  }
}
