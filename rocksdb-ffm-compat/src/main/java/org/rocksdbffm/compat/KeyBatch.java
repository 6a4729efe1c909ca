/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.compat;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.rocksdb.Status;
import org.rocksdbffm.internal.Call;
import org.rocksdbffm.internal.Engine;
import org.rocksdbffm.internal.Memory;
import org.rocksdbffm.internal.RawReader;

/**
 * Many keys read in one call, and what was found. Keys of one family are read by the core's stub, which pins the
 * values; those of several by the function that sees all families at one moment, which copies them.
 */
final class KeyBatch implements AutoCloseable {
  private static final int SLICE = 16;
  private static final int VALUE = 32;
  private static final int WORD = 8;

  private final int count;
  private final boolean copied;
  private final MemorySegment values; // rocksdb_ffm_value each, or a pointer and a size
  private final MemorySegment pins;
  private final MemorySegment errors;

  private KeyBatch(int count, boolean copied, MemorySegment values, MemorySegment pins, MemorySegment errors) {
    this.count = count;
    this.copied = copied;
    this.values = values;
    this.pins = pins;
    this.errors = errors;
  }

  /** Reads keys of one family, or of as many as there are keys; the batch lies in the call's memory. */
  static KeyBatch read(Call call, long db, long options, MemorySegment[] keys, long[] families) {
    for (long family : families) {
      if (family != families[0]) {
        return readOfMany(call, db, options, keys, families);
      }
    }
    return readOfOne(call, db, options, keys, families.length == 0 ? 0 : families[0]);
  }

  private static long sizeOf(MemorySegment[] keys) {
    long size = 0;
    for (MemorySegment key : keys) {
      size += key.byteSize();
    }
    return size;
  }

  private static KeyBatch readOfOne(Call call, long db, long options, MemorySegment[] keys, long family) {
    int count = keys.length;
    long keyBytes = (long) count * (SLICE + VALUE + 2 * WORD);
    call.reserveValue(keyBytes + SLICE + sizeOf(keys));
    MemorySegment memory = call.value();
    long at = memory.address();
    MemorySegment slices = memory.asSlice(0, (long) count * SLICE);
    MemorySegment values = memory.asSlice((long) count * SLICE, (long) count * VALUE);
    MemorySegment pins = memory.asSlice((long) count * (SLICE + VALUE), (long) count * WORD).fill((byte) 0);
    MemorySegment errors =
        memory.asSlice((long) count * (SLICE + VALUE + WORD), (long) count * WORD).fill((byte) 0);
    MemorySegment group = memory.asSlice(keyBytes, SLICE);
    long next = keyBytes + SLICE;
    for (int i = 0; i < count; i++) {
      long size = keys[i].byteSize();
      MemorySegment.copy(keys[i], 0, memory, next, size);
      slices.setAtIndex(ValueLayout.JAVA_LONG, 2L * i, at + next);
      slices.setAtIndex(ValueLayout.JAVA_LONG, 2L * i + 1, size);
      next += size;
    }
    Reader.prepare(call, db, options, family);
    group.setAtIndex(ValueLayout.JAVA_LONG, 0, RawReader.family(call));
    group.setAtIndex(ValueLayout.JAVA_LONG, 1, count);
    rocksdb_ffm_multi_get(
        call.words.address(), group.address(), 1, slices.address(), pins.address(), errors.address(), values.address(), 0);
    return new KeyBatch(count, false, values, pins, errors);
  }

  private static KeyBatch readOfMany(Call call, long db, long options, MemorySegment[] keys, long[] families) {
    int count = keys.length;
    // For each key: wrapped family, family's pointer, key's pointer and size, value's pointer and size, error.
    long fixed = (long) count * (SLICE + 6 * WORD);
    call.reserveValue(fixed + sizeOf(keys));
    MemorySegment memory = call.value();
    long at = memory.address();
    MemorySegment wrappers = memory.asSlice(0, (long) count * SLICE);
    MemorySegment[] arrays = new MemorySegment[6];
    for (int i = 0; i < arrays.length; i++) {
      arrays[i] = memory.asSlice((long) count * (SLICE + i * WORD), (long) count * WORD).fill((byte) 0);
    }
    long next = fixed;
    for (int i = 0; i < count; i++) {
      long size = keys[i].byteSize();
      MemorySegment.copy(keys[i], 0, memory, next, size);
      wrappers.setAtIndex(ValueLayout.JAVA_LONG, 2L * i, families[i]);
      wrappers.setAtIndex(ValueLayout.JAVA_LONG, 2L * i + 1, 0L);
      arrays[0].setAtIndex(ValueLayout.JAVA_LONG, i, at + (long) i * SLICE);
      arrays[1].setAtIndex(ValueLayout.JAVA_LONG, i, at + next);
      arrays[2].setAtIndex(ValueLayout.JAVA_LONG, i, size);
      next += size;
    }
    rocksdb_multi_get_cf(
        Scratch.wrap(call, 0, db),
        Reader.options(options),
        arrays[0].address(),
        count,
        arrays[1].address(),
        arrays[2].address(),
        arrays[3].address(),
        arrays[4].address(),
        arrays[5].address());
    MemorySegment values = memory.asSlice((long) count * (SLICE + 3 * WORD), 2L * count * WORD);
    return new KeyBatch(count, true, values, MemorySegment.NULL, arrays[5]);
  }

  boolean isFound(int index) {
    return copied
        ? values.getAtIndex(ValueLayout.JAVA_LONG, index) != 0
        : pins.getAtIndex(ValueLayout.JAVA_LONG, index) != 0;
  }

  long address(int index) {
    return values.get(ValueLayout.JAVA_LONG, copied ? (long) index * WORD : (long) index * VALUE);
  }

  long size(int index) {
    return values.get(ValueLayout.JAVA_LONG, copied ? (long) (count + index) * WORD : (long) index * VALUE + WORD);
  }

  /** Why a key failed, or what is given for one that is absent. */
  Status failure(int index, Status absent) {
    long message = errors.getAtIndex(ValueLayout.JAVA_LONG, index);
    return message == 0 ? absent : Errors.status(Memory.string(message));
  }

  /** Gives back values and messages. */
  @Override
  public void close() {
    for (int i = 0; i < count; i++) {
      free(errors.getAtIndex(ValueLayout.JAVA_LONG, i));
      if (copied) {
        free(address(i));
      }
    }
    if (!copied && count > 0) {
      rocksdb_ffm_release(Engine.TABLE.address(), pins.address(), count);
    }
  }

  private static void free(long memory) {
    if (memory != 0) {
      rocksdb_free(memory);
    }
  }

  private static native long rocksdb_ffm_multi_get(
      long reader, long groups, long groupCount, long keys, long pins, long errors, long values, int sorted);

  private static native void rocksdb_ffm_release(long engine, long pins, long count);

  private static native void rocksdb_multi_get_cf(
      long db,
      long options,
      long families,
      long count,
      long keys,
      long keySizes,
      long values,
      long valueSizes,
      long errors);

  private static native void rocksdb_free(long memory);
}
