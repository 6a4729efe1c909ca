/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.jmh.work;

/**
 * The options that all engines are opened with; all else is the engine's default. No compression, an LRU cache that no
 * other database shares, and no compaction but by hand.
 *
 * @param cacheSize the size of the block cache, 0 for none
 * @param writeBufferSize the size of a memtable
 * @param wal whether writes go through the log
 * @param filter whether files have a Bloom filter
 * @param order how keys are compared
 * @param merging who adds up what is merged
 * @param dropsEmpty whether compactions ask a compaction filter, which drops what has no value: written in C, in
 *     rocksdbjni the engine's own, in this library written in Java
 * @param transactions the kind of transactions that the database has
 * @param statistics whether the engine counts what it does as a whole, at the level of its default
 * @param deadline whether each get of an array has a deadline, a minute from its beginning
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
  /** By whom keys are compared: in the order of their bytes, or of these from 255 down to 0. */
  public enum Order {
    BYTEWISE,
    REVERSE_BYTEWISE,
    /** The order of the bytes, by a comparator that is written in Java. */
    JAVA_BYTEWISE
  }

  /** By whom operands are added up, as numbers of 64 bits. */
  public enum Merging {
    ENGINE,
    JAVA
  }

  /** How transactions keep out of each other's way. */
  public enum Transactions {
    /** There are none. */
    NONE,
    LOCKING,
    OPTIMISTIC
  }

  private static final long MIB = 1L << 20;

  /** How many files of level 0 slow writes down or stop them: never, or the disk would be measured. */
  public static final int NO_LIMIT = 1 << 20;

  public static final int WRITE_BUFFERS = 6;

  public static final int FILTER_BITS = 10;

  /** How many logs of its own doings the engine keeps: each opening leaves one, and lists those that are there. */
  public static final int INFO_LOGS = 1;

  /** For reading: a cache that holds everything, unless there shall be none. */
  public static Tuning forReading(DataPlace place) {
    long cacheSize = place == DataPlace.OS_CACHE ? 0 : 1024 * MIB;
    long writeBufferSize = place == DataPlace.MEMTABLE ? 1024 * MIB : 64 * MIB;
    boolean filter = place == DataPlace.FILTER;
    return new Tuning(
        cacheSize, writeBufferSize, false, filter, Order.BYTEWISE, Merging.ENGINE, false, Transactions.NONE, false, false);
  }

  /** The same with what a service may ask for. */
  public Tuning serving(boolean statistics, boolean deadline) {
    return new Tuning(
        cacheSize, writeBufferSize, wal, filter, order, merging, dropsEmpty, transactions, statistics, deadline);
  }

  /** For writing: memtables that are rarely full. */
  public static Tuning forWriting(boolean wal) {
    return new Tuning(8 * MIB, 256 * MIB, wal, false, Order.BYTEWISE, Merging.ENGINE, false, Transactions.NONE, false, false);
  }

  /** For few keys that stay in the memtable. */
  public static Tuning forComparing(Order order) {
    return new Tuning(8 * MIB, 256 * MIB, false, false, order, Merging.ENGINE, false, Transactions.NONE, false, false);
  }

  /** For few keys that stay in the memtable, with what is merged to them. */
  public static Tuning forMerging(Merging merging) {
    return new Tuning(8 * MIB, 256 * MIB, false, false, Order.BYTEWISE, merging, false, Transactions.NONE, false, false);
  }

  /** For compactions that drop what has no value. */
  public static Tuning forFiltering() {
    return new Tuning(8 * MIB, 256 * MIB, false, false, Order.BYTEWISE, Merging.ENGINE, true, Transactions.NONE, false, false);
  }

  /** For transactions that write, in memtables that are rarely full. */
  public static Tuning forTransactions(Transactions kind) {
    return new Tuning(1024 * MIB, 256 * MIB, false, false, Order.BYTEWISE, Merging.ENGINE, false, kind, false, false);
  }
}
