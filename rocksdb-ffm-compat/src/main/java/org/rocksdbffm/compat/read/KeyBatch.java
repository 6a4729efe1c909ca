/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.compat.read;

import java.nio.ByteBuffer;
import org.rocksdb.Status;
import org.rocksdbffm.compat.support.Errors;
import org.rocksdbffm.compat.support.Scratch;
import org.rocksdbffm.internal.call.Call;
import org.rocksdbffm.internal.foreign.EngineTable;
import org.rocksdbffm.internal.foreign.Memory;

/**
 * The keys and results of one multi-get, all in the call's memory. The core's stub reads the keys of one family, and
 * pins the values. The C API's function for several families reads from one snapshot, and copies the values.
 */
final class KeyBatch implements AutoCloseable {
  private static final int VALUE_WORDS = 4; // the words of rocksdb_ffm_value: pointer, size, pin, error
  private static final int SIZE = 1;

  private final int count;
  private final long errors;
  private final long values;
  private final long sizes;
  private final int step; // words between two values: more than one if they are structs
  private final long pins; // 0: the values are copies

  private KeyBatch(int count, long errors, long values, long sizes, int step, long pins) {
    this.count = count;
    this.errors = errors;
    this.values = values;
    this.sizes = sizes;
    this.step = step;
    this.pins = pins;
  }

  /** Keys in the order of the request. */
  interface Keys {
    int count();

    int length(int index);

    /** Copies a key to an offset in the call's memory. */
    void copy(int index, Call call, long place);

    static Keys of(byte[][] keys, int[] offsets, int[] lengths) {
      return new InArrays(keys, offsets, lengths);
    }

    static Keys of(ByteBuffer[] keys, int[] positions, int[] limits) {
      return new InBuffers(keys, positions, limits);
    }
  }

  private record InArrays(byte[][] keys, int[] offsets, int[] lengths) implements Keys {
    @Override
    public int count() {
      return keys.length;
    }

    @Override
    public int length(int index) {
      return lengths[index];
    }

    @Override
    public void copy(int index, Call call, long place) {
      call.copyIntoValue(place, keys[index], offsets[index], lengths[index]);
    }
  }

  private record InBuffers(ByteBuffer[] keys, int[] positions, int[] limits) implements Keys {
    @Override
    public int count() {
      return keys.length;
    }

    @Override
    public int length(int index) {
      return limits[index] - positions[index];
    }

    @Override
    public void copy(int index, Call call, long place) {
      call.copyIntoValue(place, keys[index], positions[index], length(index));
    }
  }

  /** Reads keys of one family, or of one family for each key. The result is in the call's memory. */
  static KeyBatch read(Call call, long db, long options, Keys keys, long[] families) {
    for (long family : families) {
      if (family != families[0]) {
        return readOfMany(call, db, options, keys, families);
      }
    }
    return readOfOne(call, db, options, keys, families.length == 0 ? 0 : families[0]);
  }

  /** Reserves memory for words, followed by the keys, and returns its address. */
  private static long room(Call call, long words, Keys keys) {
    long bytes = words * Long.BYTES;
    for (int i = 0; i < keys.count(); i++) {
      bytes += keys.length(i);
    }
    call.reserveValue(bytes);
    return call.value().address();
  }

  private static long word(long address, long index) {
    return address + index * Long.BYTES;
  }

  private static KeyBatch readOfOne(Call call, long db, long options, Keys keys, long family) {
    int count = keys.count();
    long reader = StubReader.prepare(call, db, options, family);
    // The family's pointer and number of keys; each key's pointer and size; pins; errors; values; and the keys.
    long group = room(call, 2 + (2L + 1 + 1 + VALUE_WORDS) * count, keys);
    long slices = word(group, 2);
    long pins = word(slices, 2L * count);
    long errors = word(pins, count);
    long values = word(errors, count);
    long key = word(values, (long) VALUE_WORDS * count);
    Memory.longTo(group, StubReader.familyIn(call));
    Memory.longTo(word(group, 1), count);
    for (int i = 0; i < count; i++) {
      Memory.longTo(word(slices, 2L * i), key);
      Memory.longTo(word(slices, 2L * i + 1), keys.length(i));
      keys.copy(i, call, key - group);
      key += keys.length(i);
    }
    rocksdb_ffm_multi_get(reader, group, 1, slices, pins, errors, values, 0);
    return new KeyBatch(count, errors, values, word(values, SIZE), VALUE_WORDS, pins);
  }

  private static KeyBatch readOfMany(Call call, long db, long options, Keys keys, long[] families) {
    int count = keys.count();
    // For each key: wrapped family; the family's pointer; the key's pointer and size; the value's pointer and size;
    // error.
    long wrapped = room(call, 8L * count, keys);
    long pointers = word(wrapped, 2L * count);
    long addresses = word(pointers, count);
    long lengths = word(addresses, count);
    long values = word(lengths, count);
    long sizes = word(values, count);
    long errors = word(sizes, count);
    long key = word(errors, count);
    for (int i = 0; i < count; i++) {
      Memory.longTo(word(wrapped, 2L * i), families[i]);
      Memory.longTo(word(wrapped, 2L * i + 1), 0);
      Memory.longTo(word(pointers, i), word(wrapped, 2L * i));
      Memory.longTo(word(addresses, i), key);
      Memory.longTo(word(lengths, i), keys.length(i));
      keys.copy(i, call, key - wrapped);
      key += keys.length(i);
    }
    rocksdb_multi_get_cf(
        Scratch.wrap(call, 0, db),
        StubReader.options(options),
        pointers,
        count,
        addresses,
        lengths,
        values,
        sizes,
        errors);
    return new KeyBatch(count, errors, values, sizes, 1, 0);
  }

  private boolean isCopied() {
    return pins == 0;
  }

  boolean isFound(int index) {
    return (isCopied() ? address(index) : Memory.longAt(word(pins, index))) != 0;
  }

  long address(int index) {
    return Memory.longAt(word(values, (long) step * index));
  }

  long size(int index) {
    return Memory.longAt(word(sizes, (long) step * index));
  }

  private long error(int index) {
    return Memory.longAt(word(errors, index));
  }

  /** Returns the status of a failed key; {@code absent} if the read did not fail. */
  Status failure(int index, Status absent) {
    long message = error(index);
    return message == 0 ? absent : Errors.status(Memory.string(message));
  }

  /** Frees the values and messages. */
  @Override
  public void close() {
    for (int i = 0; i < count; i++) {
      free(error(i));
      if (isCopied()) {
        free(address(i));
      }
    }
    if (!isCopied() && count > 0) {
      rocksdb_ffm_release(EngineTable.TABLE.address(), pins, count);
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
