/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.compat.support;

import java.lang.management.ManagementFactory;

/** Refuses arguments of native methods that are right one by one, and too much together. */
public final class Limits {
  private static final long MICROS = 1_000_000;

  /** The engine tunes a rate down to the twentieth part of what it was set to. */
  private static final int TUNED_DOWN = 20;

  /** The charge that the engine assumes for a cache's entry without an estimate, and its own bytes for each entry. */
  private static final long SMALLEST_ENTRY = 270;

  private static final long NOTES_OF_ENTRY = 64;
  private static final double ENTRIES_PER_SLOT = 1e6;

  /** The least that a batch has: its sequence number and the number of its entries. */
  private static final int BATCH_HEADER = 12;

  private static final byte LOW = 1;
  private static final byte COMPACTION = 1;
  private static final byte FLUSH = 2;
  private static final int COMPACTION_PROPERTIES = 6;
  private static final int FLUSH_PROPERTIES = 3;

  private Limits() {}

  /** Compactions wait for a thread of the lower pool, and so do flushes where the upper has none, and writes for them. */
  public static void backgroundThreads(long env, int number, byte priority) {
    if (number == 0 && priority == LOW) {
      throw new IllegalArgumentException("number: 0 threads of the priority LOW would have writes wait for ever; leave one");
    }
  }

  public static void lruCache(
      long capacity, int shardBits, boolean strict, double highPriorityRatio, double lowPriorityRatio) {
    if (highPriorityRatio + lowPriorityRatio > 1) {
      throw new IllegalArgumentException(
          "highPriPoolRatio and lowPriPoolRatio: %s and %s are more than 1 together"
              .formatted(highPriorityRatio, lowPriorityRatio));
    }
  }

  /** Such a cache has its table from the beginning on, and the engine ends the process where there is no memory for it. */
  public static void hyperClockCache(long capacity, long entryCharge, int shardBits, boolean strict) {
    long table = capacity / (NOTES_OF_ENTRY + (entryCharge == 0 ? SMALLEST_ENTRY : entryCharge / 2)) * NOTES_OF_ENTRY;
    long memory = ManagementFactory.getPlatformMXBean(com.sun.management.OperatingSystemMXBean.class).getTotalMemorySize();
    requireRoomForAnEntry(capacity, entryCharge, shardBits < 0 ? 0 : shardBits);
    if (table > memory / 2) {
      throw new IllegalArgumentException(
          "capacity: the table of a cache of %d bytes needs %d, and there are %d".formatted(capacity, table, memory));
    }
  }

  /** A table for less than a millionth of an entry has no slot, and the engine wants the memory of all there can be. */
  private static void requireRoomForAnEntry(long capacity, long entryCharge, int shardBits) {
    double shard = Math.ceil((double) capacity / (1L << shardBits));
    if (entryCharge > 0 && shard * ENTRIES_PER_SLOT < (double) entryCharge + NOTES_OF_ENTRY) {
      throw new IllegalArgumentException(
          "capacity: a shard of %.0f bytes has no room for an entry of estimatedEntryCharge, %d"
              .formatted(shard, entryCharge));
    }
  }

  /** The engine gives out bytes for a period at a time, and waits for ever where that is less than one. */
  public static void rateLimiter(long bytesPerSecond, long refillMicros, int fairness, byte mode, boolean tunes) {
    long slowest = tunes ? bytesPerSecond / TUNED_DOWN : bytesPerSecond;
    if (slowest == 0 || refillMicros < (MICROS + slowest - 1) / slowest) {
      throw new IllegalArgumentException(
          "rateBytesPerSecond: %d is less than a byte in refillPeriodMicros, %d, and would never let one through"
              .formatted(bytesPerSecond, refillMicros));
    }
  }

  public static void bytesPerSecond(long limiter, long bytesPerSecond) {
    double now = Java_org_rocksdb_RateLimiter_getBytesPerSecond(limiter);
    if (Java_org_rocksdb_RateLimiter_getSingleBurstBytes(limiter) * (bytesPerSecond / now) < 1) {
      throw new IllegalArgumentException(
          "bytesPerSecond: %d is less than a byte in the period of the limiter, and would never let one through"
              .formatted(bytesPerSecond));
    }
  }

  /** The engine reads as many as a thing that a thread does has. */
  public static void operationProperties(byte operation, long[] properties) {
    int most =
        switch (operation) {
          case COMPACTION -> COMPACTION_PROPERTIES;
          case FLUSH -> FLUSH_PROPERTIES;
          default -> 0;
        };
    if (properties.length < most) {
      throw new IllegalArgumentException(
          "operationProperties: " + properties.length + " of an operation that has " + most);
    }
  }

  public static void serializedBatch(byte[] serialized, int length) {
    if (length < BATCH_HEADER) {
      throw new IllegalArgumentException(
          "serialized: %d bytes are no batch, which has %d at least".formatted(length, BATCH_HEADER));
    }
  }

  private static native long Java_org_rocksdb_RateLimiter_getBytesPerSecond(long limiter);

  private static native long Java_org_rocksdb_RateLimiter_getSingleBurstBytes(long limiter);
}
