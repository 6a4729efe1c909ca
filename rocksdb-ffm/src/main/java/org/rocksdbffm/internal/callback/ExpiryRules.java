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
import org.rocksdbffm.internal.foreign.Structs;
import org.rocksdbffm.internal.loader.NativeLibrary;

/**
 * The rules of a native compaction filter that removes expired rows, without a call to Java.
 *
 * @param age the age at which rows expire, in the unit of the timestamp; not negative
 * @param offset the offset of the timestamp in a value
 * @param width the width of the timestamp: 4 bytes, unsigned, or 8 bytes, signed
 * @param bigEndian the byte order of the timestamp
 * @param milliseconds whether the timestamp counts milliseconds instead of seconds
 * @param prefix the prefix of the keys whose rows can expire; read-only
 */
public record ExpiryRules(long age, int offset, int width, boolean bigEndian, boolean milliseconds, ByteBuffer prefix) {
  private static final ValueLayout.OfInt NARROW = ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);
  private static final ValueLayout.OfLong WIDE = ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);
  private static final long MILLIS = 1000;
  private static final long LAST_IN_4_BYTES = 0xffff_ffffL;

  /** A timestamp before 1990 counts as none, as in the C filter. */
  private static final long EARLIEST_SECOND = 631_152_000;

  /** Sets the filter in options; the database that is opened with them gets a copy of the rules. */
  public void setIn(MemorySegment options) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment rules = arena.allocate(Structs.SIZE_OF_EXPIRY, Long.BYTES);
      MemorySegment keys = arena.allocate(Math.max(1, prefix.remaining()));
      keys.asSlice(0, prefix.remaining()).copyFrom(MemorySegment.ofBuffer(prefix));
      point(rules, Structs.EXPIRY_COMPACTIONFILTER_CREATE, "rocksdb_compactionfilter_create");
      point(rules, Structs.EXPIRY_COMPACTIONFILTERFACTORY_CREATE, "rocksdb_compactionfilterfactory_create");
      point(
          rules,
          Structs.EXPIRY_OPTIONS_SET_COMPACTION_FILTER_FACTORY,
          "rocksdb_options_set_compaction_filter_factory");
      Memory.point(rules, Structs.EXPIRY_PREFIX, keys);
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

  /** Whether the filter removes a row at this time. */
  public boolean isExpired(MemorySegment key, MemorySegment value, long millis) {
    if (value.byteSize() - width < offset || !hasPrefix(key)) {
      return false;
    }
    long instant = timeIn(value);
    long now = milliseconds ? millis : Math.floorDiv(millis, MILLIS);
    long earliest = milliseconds ? EARLIEST_SECOND * MILLIS : EARLIEST_SECOND;
    return instant >= earliest && now >= earliest && instant < now - age;
  }

  /** Puts a timestamp in front of a value; a time beyond the format's range becomes its largest time. */
  public byte[] stamp(Instant instant, byte[] value) {
    long seconds = instant.getEpochSecond();
    if (seconds < EARLIEST_SECOND) {
      throw new IllegalArgumentException("time: " + instant + " is before 1990, so its row would never expire");
    }
    long time = !milliseconds ? seconds : seconds < Long.MAX_VALUE / MILLIS ? instant.toEpochMilli() : Long.MAX_VALUE;
    ByteBuffer stamped = ByteBuffer.allocate(width + value.length);
    stamped.order(bigEndian ? ByteOrder.BIG_ENDIAN : ByteOrder.LITTLE_ENDIAN);
    if (width == Integer.BYTES) {
      stamped.putInt((int) Math.min(time, LAST_IN_4_BYTES));
    } else {
      stamped.putLong(time);
    }
    return stamped.put(value).array();
  }

  /** Returns the value without the timestamp in front. */
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
