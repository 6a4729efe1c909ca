/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.callback;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.time.Instant;
import org.rocksdbffm.internal.c.RocksDbC;
import org.rocksdbffm.internal.c.rocksdb_ffm_expiry;
import org.rocksdbffm.internal.foreign.Memory;
import org.rocksdbffm.internal.loader.NativeLibrary;

/**
 * The rules by which rows expire, of a filter that is native code: compactions call no Java for it.
 *
 * @param age in the unit of times; not negative
 * @param offset of the time in a value
 * @param width of the time, 4 bytes, which are unsigned, or 8, which are signed
 * @param bigEndian whether its first byte is the highest
 * @param milliseconds whether it counts these, and not seconds
 * @param prefix of the keys whose rows can expire; read-only
 */
public record ExpiryRules(long age, int offset, int width, boolean bigEndian, boolean milliseconds, ByteBuffer prefix) {
  private static final ValueLayout.OfInt NARROW = ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);
  private static final ValueLayout.OfLong WIDE = ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);
  private static final long MILLIS = 1000;
  private static final long LAST_IN_4_BYTES = 0xffff_ffffL;

  /** As in the stubs, for which a time before 1990 is none. */
  private static final long EARLIEST_SECOND = 631_152_000;

  /** Sets the filter in options; a database that is opened with them has the rules for itself. */
  public void setIn(MemorySegment options) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment rules = rocksdb_ffm_expiry.allocate(arena);
      MemorySegment keys = arena.allocate(Math.max(1, prefix.remaining()));
      keys.asSlice(0, prefix.remaining()).copyFrom(MemorySegment.ofBuffer(prefix));
      point(rules, rocksdb_ffm_expiry.compactionfilter_create$offset(), "rocksdb_compactionfilter_create");
      point(rules, rocksdb_ffm_expiry.compactionfilterfactory_create$offset(), "rocksdb_compactionfilterfactory_create");
      point(
          rules,
          rocksdb_ffm_expiry.options_set_compaction_filter_factory$offset(),
          "rocksdb_options_set_compaction_filter_factory");
      Memory.point(rules, rocksdb_ffm_expiry.prefix$offset(), keys);
      rocksdb_ffm_expiry.prefix_size(rules, prefix.remaining());
      rocksdb_ffm_expiry.offset(rules, offset);
      rocksdb_ffm_expiry.width(rules, width);
      rocksdb_ffm_expiry.big_endian(rules, bigEndian ? 1 : 0);
      rocksdb_ffm_expiry.milliseconds(rules, milliseconds ? 1 : 0);
      rocksdb_ffm_expiry.age(rules, age);
      if (RocksDbC.rocksdb_ffm_set_expiry(options, rules) == 0) {
        throw new OutOfMemoryError("no native memory for an expiry with a prefix of " + prefix.remaining() + " bytes");
      }
    }
  }

  private static void point(MemorySegment rules, long offset, String function) {
    Memory.point(rules, offset, NativeLibrary.find(function));
  }

  /** Whether a row is expired at a moment, as the filter decides it. */
  public boolean isExpired(MemorySegment key, MemorySegment value, long millis) {
    if (value.byteSize() - width < offset || !hasPrefix(key)) {
      return false;
    }
    long moment = timeIn(value);
    long now = milliseconds ? millis : Math.floorDiv(millis, MILLIS);
    long earliest = milliseconds ? EARLIEST_SECOND * MILLIS : EARLIEST_SECOND;
    return moment >= earliest && now >= earliest && moment < now - age;
  }

  /** A value with a time in front, the last that its form can say if it is later. */
  public byte[] stamp(Instant moment, byte[] value) {
    long seconds = moment.getEpochSecond();
    if (seconds < EARLIEST_SECOND) {
      throw new IllegalArgumentException("time: " + moment + " is before 1990, so its row would never expire");
    }
    long time = !milliseconds ? seconds : seconds < Long.MAX_VALUE / MILLIS ? moment.toEpochMilli() : Long.MAX_VALUE;
    ByteBuffer stamped = ByteBuffer.allocate(width + value.length);
    stamped.order(bigEndian ? ByteOrder.BIG_ENDIAN : ByteOrder.LITTLE_ENDIAN);
    if (width == Integer.BYTES) {
      stamped.putInt((int) Math.min(time, LAST_IN_4_BYTES));
    } else {
      stamped.putLong(time);
    }
    return stamped.put(value).array();
  }

  /** The value behind a time. */
  public MemorySegment stamped(MemorySegment value) {
    if (value.byteSize() < width) {
      throw new IllegalArgumentException("a value of " + value.byteSize() + " bytes has no time of " + width + " in front");
    }
    return value.asSlice(width);
  }

  private boolean hasPrefix(MemorySegment key) {
    int size = prefix.remaining();
    return key.byteSize() >= size && MemorySegment.mismatch(MemorySegment.ofBuffer(prefix), 0, size, key, 0, size) < 0;
  }

  private long timeIn(MemorySegment value) {
    if (width == Integer.BYTES) {
      int seconds = value.get(NARROW, offset);
      return Integer.toUnsignedLong(bigEndian ? seconds : Integer.reverseBytes(seconds));
    }
    long time = value.get(WIDE, offset);
    return bigEndian ? time : Long.reverseBytes(time);
  }

  @Override
  public String toString() {
    return age + (milliseconds ? " ms" : " s") + " by " + width + " bytes at " + offset;
  }
}
