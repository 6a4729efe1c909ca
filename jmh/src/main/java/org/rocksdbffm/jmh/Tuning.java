/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.jmh;

/**
 * What both engines are opened with; all else is the engine's default. No compression, an LRU cache that no
 * other database shares, and no compaction but by hand.
 *
 * @param cacheSize the size of the block cache
 * @param writeBufferSize the size of a memtable
 * @param wal whether writes go through the log
 */
record Tuning(long cacheSize, long writeBufferSize, boolean wal) {
  private static final long MIB = 1L << 20;

  /** How many files of level 0 slow writes down or stop them: never, or the disk would be measured. */
  static final int NO_LIMIT = 1 << 20;

  static final int WRITE_BUFFERS = 6;

  /** For reading: a cache that holds everything. */
  static Tuning forReading() {
    return new Tuning(1024 * MIB, 64 * MIB, false);
  }

  /** For writing: memtables that are rarely full. */
  static Tuning forWriting(boolean wal) {
    return new Tuning(8 * MIB, 256 * MIB, wal);
  }
}
