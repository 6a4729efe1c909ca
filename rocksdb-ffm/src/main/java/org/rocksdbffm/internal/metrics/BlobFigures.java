/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.metrics;

import org.rocksdbffm.internal.db.NativeFamily;

/** The engine's properties about the blob files of a family; all but the last are of one moment. */
public record BlobFigures(long files, long size, long garbage, long onDisk) {
  private static final int LINES = 3;

  /** Asks the engine, whose text has a number at the end of each line. */
  static BlobFigures of(NativeFamily family) {
    String text = family.property("rocksdb.blob-stats");
    long[] numbers =
        text.lines().limit(LINES).mapToLong(line -> Long.parseLong(line.substring(line.lastIndexOf(' ') + 1))).toArray();
    long all = FamilyFigures.ask(family, "rocksdb.total-blob-file-size");
    return new BlobFigures(numbers[0], numbers[1], numbers[2], Math.max(all, numbers[1]));
  }
}
