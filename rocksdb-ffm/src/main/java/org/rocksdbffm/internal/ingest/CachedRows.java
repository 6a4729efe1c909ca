/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.ingest;

import java.io.IOException;
import java.nio.file.Path;
import org.rocksdbffm.internal.call.Status;
import org.rocksdbffm.internal.call.Uninterrupted;
import org.rocksdbffm.internal.format.TableProperties;

/** Refuses files with range deletions if the database has a row cache, which would return deleted rows. */
final class CachedRows {
  private CachedRows() {}

  static void requireNoRanges(Path file, String tried) throws IOException {
    if (Uninterrupted.run(() -> TableProperties.hasRangeDeletions(file))) {
      Status.fail(
          "Not implemented: " + file + " has deleted ranges, of which the row cache of the database knows nothing",
          tried + ": open the database without DatabaseOptions.rowCache");
    }
  }
}
