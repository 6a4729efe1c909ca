/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.jmh.work;

/**
 * The options with which all engines are opened; other options have the engine's defaults. There is no compression, a
 * separate LRU cache for each database, and no automatic compaction.
 *
 * @param cacheSize the size of the block cache, 0 for none
 * @param writeBufferSize the size of a memtable
 * @param wal whether the WAL is enabled
 * @param filter whether table files have a Bloom filter
 * @param order the comparator
 * @param merging the merge operator
 * @param dropsEmpty whether a compaction filter removes empty values: a filter in C, the engine's filter for
 * rocksdbjni, and a Java filter for this library
 * @param transactions the kind of transactions
 * @param statistics whether statistics are enabled, at the engine's default level
 * @param deadline whether each get of an array has a deadline, a minute after its start
 */
public record Tuning(
    long cacheSize,
    long writeBufferSize,
    boolean wal,
    boolean filter,
    Order order,
    Merging merging,
    boolean dropsEmpty,
    Transactions transactions,
    boolean statistics,
    boolean deadline) {
  /** The comparators: bytewise or reverse bytewise, in the engine or in Java. */
  public enum Order {
    BYTEWISE,
    REVERSE_BYTEWISE,
    /** A bytewise comparator in Java. */
    JAVA_BYTEWISE
  }

  /** The merge operators, which add 64-bit numbers. */
  public enum Merging {
    ENGINE,
    JAVA
  }

  /** The kinds of transactions. */
  public enum Transactions {
    /** No transactions. */
    NONE,
    LOCKING,
    OPTIMISTIC
  }

  private static final long MIB = 1L << 20;

  /**
   * The number of level-0 files at which the engine slows down or stops writes; never reached, so that the disk is not
   * measured.
   */
  public static final int NO_LIMIT = 1 << 20;

  public static final int WRITE_BUFFERS = 6;

  public static final int FILTER_BITS = 10;

  /**
   * The number of info log files to keep. Each opening creates a file, and lists the existing ones, which takes time.
   */
  public static final int INFO_LOGS = 1;

  /** Returns options for reading, with a cache for all data, unless the place excludes it. */
  public static Tuning forReading(DataPlace place) {
    long cacheSize = place == DataPlace.OS_CACHE ? 0 : 1024 * MIB;
    long writeBufferSize = place == DataPlace.MEMTABLE ? 1024 * MIB : 64 * MIB;
    boolean filter = place == DataPlace.FILTER;
    return new Tuning(
        cacheSize, writeBufferSize, false, filter, Order.BYTEWISE, Merging.ENGINE, false, Transactions.NONE, false,
            false);
  }

  /** Returns these options with features of a service. */
  public Tuning serving(boolean statistics, boolean deadline) {
    return new Tuning(
        cacheSize, writeBufferSize, wal, filter, order, merging, dropsEmpty, transactions, statistics, deadline);
  }

  /** Returns options for writing, with large memtables. */
  public static Tuning forWriting(boolean wal) {
    return new Tuning(8 * MIB, 256 * MIB, wal, false, Order.BYTEWISE, Merging.ENGINE, false, Transactions.NONE, false,
        false);
  }

  /** Returns options for few keys in the memtable, with a comparator. */
  public static Tuning forComparing(Order order) {
    return new Tuning(8 * MIB, 256 * MIB, false, false, order, Merging.ENGINE, false, Transactions.NONE, false, false);
  }

  /** Returns options for few keys in the memtable, with a merge operator. */
  public static Tuning forMerging(Merging merging) {
    return new Tuning(8 * MIB, 256 * MIB, false, false, Order.BYTEWISE, merging, false, Transactions.NONE, false,
        false);
  }

  /** Returns options for compactions with a filter. */
  public static Tuning forFiltering() {
    return new Tuning(8 * MIB, 256 * MIB, false, false, Order.BYTEWISE, Merging.ENGINE, true, Transactions.NONE, false,
        false);
  }

  /** Returns options for transactions that write, with large memtables. */
  public static Tuning forTransactions(Transactions kind) {
    return new Tuning(1024 * MIB, 256 * MIB, false, false, Order.BYTEWISE, Merging.ENGINE, false, kind, false, false);
  }
}
