/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.ingest;

import java.io.IOException;
import java.nio.file.Path;
import java.util.OptionalLong;
import org.rocksdbffm.internal.call.Status;
import org.rocksdbffm.internal.call.Uninterrupted;
import org.rocksdbffm.internal.folder.TableProperties;

/** Refuses files with deleted ranges to a database that caches rows, which would show them again. */
final class CachedRows {
  private CachedRows() {}

  static void requireNoRanges(Path file, String tried) throws IOException {
    OptionalLong ranges = Uninterrupted.run(() -> TableProperties.rangeDeletionsIn(file));
    if (ranges.isPresent() && ranges.getAsLong() != 0) {
      Status.fail(
          "Not implemented: " + file + " has deleted ranges, of which the row cache of the database knows nothing",
          tried + ": open the database without DatabaseOptions.rowCache");
    }
  }
}
