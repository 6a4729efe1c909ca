/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.compat;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
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
  private static final int VALUE_WORDS = 4; // of a rocksdb_ffm_value: pointer, size, pin, error
  private static final int PIN = 2;

  private final int count;
  private final long[] found; // all that the engine wrote, in words
  private final int values;
  private final int valueWords; // of each value in a row: more than one if it is a struct
  private final int errors;
  private final MemorySegment pins;

  private KeyBatch(int count, long[] found, int values, int valueWords, int errors, MemorySegment pins) {
    this.count = count;
    this.found = found;
    this.values = values;
    this.valueWords = valueWords;
    this.errors = errors;
    this.pins = pins;
  }

  /** Keys one behind the other, in the order in which they are asked for. */
  record Keys(byte[] bytes, int[] lengths) {
    static Keys of(byte[][] keys, int[] offsets, int[] lengths) {
      byte[] bytes = new byte[sum(lengths)];
      int next = 0;
      for (int i = 0; i < keys.length; i++) {
        System.arraycopy(keys[i], offsets[i], bytes, next, lengths[i]);
        next += lengths[i];
      }
      return new Keys(bytes, lengths);
    }

    static Keys of(ByteBuffer[] keys, int[] positions, int[] limits) {
      int[] lengths = new int[keys.length];
      for (int i = 0; i < keys.length; i++) {
        lengths[i] = limits[i] - positions[i];
      }
      byte[] bytes = new byte[sum(lengths)];
      int next = 0;
      for (int i = 0; i < keys.length; i++) {
        keys[i].get(positions[i], bytes, next, lengths[i]);
        next += lengths[i];
      }
      return new Keys(bytes, lengths);
    }

    private static int sum(int[] lengths) {
      long sum = 0;
      for (int length : lengths) {
        sum += length;
      }
      if (sum > Integer.MAX_VALUE - Long.BYTES) {
        throw new IllegalArgumentException("the keys have " + sum + " bytes: ask for fewer of them at once");
      }
      return (int) sum;
    }

    int count() {
      return lengths.length;
    }
  }

  /** Reads keys of one family, or of as many as there are keys; the batch lies in the call's memory. */
  static KeyBatch read(Call call, long db, long options, Keys keys, long[] families) {
    for (long family : families) {
      if (family != families[0]) {
        return readOfMany(call, db, options, keys, families);
      }
    }
    return readOfOne(call, db, options, keys, families.length == 0 ? 0 : families[0]);
  }

  /** Room for so many words, and behind them for the keys, which are there already. */
  private static MemorySegment room(Call call, int words, Keys keys) {
    long bytes = (long) words * Long.BYTES;
    call.reserveValue(bytes + keys.bytes.length);
    MemorySegment memory = call.value();
    MemorySegment.copy(keys.bytes, 0, memory, ValueLayout.JAVA_BYTE, bytes, keys.bytes.length);
    return memory;
  }

  // The words are made and looked at on the heap, and copied all at once: a segment is slow until it is compiled.

  private static KeyBatch readOfOne(Call call, long db, long options, Keys keys, long family) {
    int count = keys.count();
    Reader.prepare(call, db, options, family);
    // The family and how many keys are of it; for each key pointer and size; pins; errors; and values.
    int slices = 2;
    int pins = slices + 2 * count;
    int errors = pins + count;
    int values = errors + count;
    int end = values + VALUE_WORDS * count;
    MemorySegment memory = room(call, end, keys);
    long at = memory.address();
    long[] words = new long[end];
    words[0] = RawReader.family(call);
    words[1] = count;
    long next = at + (long) end * Long.BYTES;
    for (int i = 0; i < count; i++) {
      words[slices + 2 * i] = next;
      words[slices + 2 * i + 1] = keys.lengths[i];
      next += keys.lengths[i];
    }
    MemorySegment.copy(words, 0, memory, ValueLayout.JAVA_LONG, 0, values);
    rocksdb_ffm_multi_get(
        call.words.address(), at, 1, word(at, slices), word(at, pins), word(at, errors), word(at, values), 0);
    MemorySegment.copy(memory, ValueLayout.JAVA_LONG, (long) pins * Long.BYTES, words, pins, end - pins);
    MemorySegment pinned = memory.asSlice((long) pins * Long.BYTES, (long) count * Long.BYTES);
    return new KeyBatch(count, words, values, VALUE_WORDS, errors, pinned);
  }

  private static long word(long address, int index) {
    return address + (long) index * Long.BYTES;
  }

  private static KeyBatch readOfMany(Call call, long db, long options, Keys keys, long[] families) {
    int count = keys.count();
    // For each key: wrapped family; family's pointer; key's pointer; its size; value's pointer; its size; error.
    int wrapped = 2 * count;
    int pointers = wrapped + count;
    int sizes = pointers + count;
    int values = sizes + count;
    int valueSizes = values + count;
    int errors = valueSizes + count;
    int end = errors + count;
    MemorySegment memory = room(call, end, keys);
    long at = memory.address();
    long[] words = new long[end];
    long next = at + (long) end * Long.BYTES;
    for (int i = 0; i < count; i++) {
      words[2 * i] = families[i];
      words[wrapped + i] = word(at, 2 * i);
      words[pointers + i] = next;
      words[sizes + i] = keys.lengths[i];
      next += keys.lengths[i];
    }
    MemorySegment.copy(words, 0, memory, ValueLayout.JAVA_LONG, 0, end);
    rocksdb_multi_get_cf(
        Scratch.wrap(call, 0, db),
        Reader.options(options),
        word(at, wrapped),
        count,
        word(at, pointers),
        word(at, sizes),
        word(at, values),
        word(at, valueSizes),
        word(at, errors));
    MemorySegment.copy(memory, ValueLayout.JAVA_LONG, (long) values * Long.BYTES, words, values, end - values);
    return new KeyBatch(count, words, values, 1, errors, null);
  }

  private boolean isCopied() {
    return pins == null;
  }

  boolean isFound(int index) {
    return found[values + valueWords * index + (isCopied() ? 0 : PIN)] != 0;
  }

  long address(int index) {
    return found[values + valueWords * index];
  }

  long size(int index) {
    return found[values + valueWords * index + (isCopied() ? count : 1)];
  }

  /** Why a key failed, or what is given for one that is absent. */
  Status failure(int index, Status absent) {
    long message = found[errors + index];
    return message == 0 ? absent : Errors.status(Memory.string(message));
  }

  /** Gives back values and messages. */
  @Override
  public void close() {
    for (int i = 0; i < count; i++) {
      free(found[errors + i]);
      if (isCopied()) {
        free(address(i));
      }
    }
    if (!isCopied() && count > 0) {
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
