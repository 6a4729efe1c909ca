/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.read;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.ref.Reference;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiFunction;
import org.rocksdbffm.RocksDbException;
import org.rocksdbffm.internal.c.RocksDbC;
import org.rocksdbffm.internal.c.rocksdb_ffm_group;
import org.rocksdbffm.internal.c.rocksdb_ffm_slice;
import org.rocksdbffm.internal.c.rocksdb_ffm_value;
import org.rocksdbffm.internal.call.Call;
import org.rocksdbffm.internal.call.Calls;
import org.rocksdbffm.internal.call.Status;
import org.rocksdbffm.internal.db.NativeFamily;
import org.rocksdbffm.internal.foreign.Codes;
import org.rocksdbffm.internal.foreign.EngineTable;
import org.rocksdbffm.internal.foreign.EntityCalls;
import org.rocksdbffm.internal.foreign.Memory;
import org.rocksdbffm.internal.foreign.Structs;
import org.rocksdbffm.internal.leak.LiveObjects;

/** A multi-get: its keys grouped by column family, and the memory that it needs. */
public final class MultiRead {
  private static final long SIZE_OF_TOGETHER = 7 * Long.BYTES;

  private final KeyList keys;
  private final Call call;
  private final int[] order;
  private final boolean sorted;
  private final int count;

  // Slices of the call's memory.
  private final MemorySegment values;
  private final MemorySegment slices;
  private final MemorySegment groups;
  private final MemorySegment errors;
  private final MemorySegment pins;
  private final MemorySegment together; // a rocksdb_ffm_cxx_keys
  private final MemorySegment keyBytes;
  private int groupCount;

  private final List<NativeFamily> families = new ArrayList<>();
  private final Calls calls = new Calls();

  MultiRead(KeyList keys, Call call) {
    this.keys = keys;
    this.call = call;
    this.count = keys.count();
    this.order = keys.grouped();
    this.sorted = keys.sort(order);
    long valuesSize = count * Structs.SIZE_OF_VALUE;
    long slicesSize = count * Structs.SIZE_OF_SLICE;
    long groupsSize = (count + 1) * Structs.SIZE_OF_GROUP;
    long errorsSize = count * (long) Long.BYTES;
    long pinsSize = count * (long) Long.BYTES;
    call.reserveValue(valuesSize + slicesSize + groupsSize + errorsSize + pinsSize + SIZE_OF_TOGETHER + keys.size());
    MemorySegment memory = call.value();
    values = memory.asSlice(0, valuesSize);
    slices = after(values, memory, slicesSize);
    groups = after(slices, memory, groupsSize);
    errors = after(groups, memory, errorsSize);
    pins = after(errors, memory, pinsSize);
    together = after(pins, memory, SIZE_OF_TOGETHER);
    keyBytes = after(together, memory, keys.size());
  }

  private static MemorySegment after(MemorySegment part, MemorySegment memory, long size) {
    return memory.asSlice(part.address() - memory.address() + part.byteSize(), size);
  }

  /**
   * Pins the values of many keys, each in the column family of the path that it was added with. Exits the call, which
   * has no key.
   *
   * @param path determines the read options
   */
  public static PinBatch pin(ReadPath path, Call call, KeyList keys) {
    return read(path, call, keys, MultiRead::pinned);
  }

  /** Copies the values of keys of the path; null for missing keys. Exits the call, which has no key. */
  public static byte[][] copy(ReadPath path, Call call, byte[][] keys) {
    return read(path, call, KeyList.of(path, keys), MultiRead::copied);
  }

  private static <T> T read(ReadPath path, Call call, KeyList keys, BiFunction<MultiRead, ReadPath, T> run) {
    try {
      MultiRead read = new MultiRead(keys, call);
      ReadPath lent = path.lend(call);
      try {
        read.fillIn(lent);
        return run.apply(read, lent);
      } finally {
        path.takeBack(lent);
        read.calls.close();
      }
    } finally {
      call.exit();
    }
  }

  /** Lays out keys and groups in memory. A separate call keeps each further family. */
  private void fillIn(ReadPath path) {
    keys.copyTo(keyBytes);
    long base = keyBytes.address();
    NativeFamily last = null;
    for (int i = 0; i < count; i++) {
      int key = order[i];
      MemorySegment slice = rocksdb_ffm_slice.asSlice(slices, i);
      slice.set(ValueLayout.JAVA_LONG, Structs.SLICE_DATA, base + keys.start(key));
      rocksdb_ffm_slice.size(slice, keys.length(key));
      NativeFamily family = keys.source(key).family();
      if (family != last) {
        families.add(family);
        if (family != path.family()) {
          calls.enter(keys.source(key)::enter);
        }
        MemorySegment group = rocksdb_ffm_group.asSlice(groups, groupCount++);
        rocksdb_ffm_group.column_family(group, family.pointer());
        rocksdb_ffm_group.key_count(group, 0);
        last = family;
      }
      MemorySegment group = rocksdb_ffm_group.asSlice(groups, groupCount - 1);
      rocksdb_ffm_group.key_count(group, rocksdb_ffm_group.key_count(group) + 1);
      path.lock(call, family, base + keys.start(key), keys.length(key));
    }
  }

  private void run(ReadPath path, MemorySegment pins) {
    int sortedOrNot = sorted ? Codes.SORTED : 0;
    long failures =
        path.readsTogetherByCxx()
            ? runByCxx(path, pins)
            : RocksDbC.rocksdb_ffm_multi_get(
                path.reader(call),
                groups,
                groupCount,
                slices,
                pins,
                errors,
                values,
                sortedOrNot | path.togetherIfPossible());
    Reference.reachabilityFence(path);
    requireRead(failures);
    path.database().requireSound();
  }

  /** Reads the keys of each group by one call of the C++ stubs; returns how many failed. */
  private long runByCxx(ReadPath path, MemorySegment pins) {
    long failures = 0;
    long first = 0;
    for (int g = 0; g < groupCount; g++) {
      MemorySegment group = rocksdb_ffm_group.asSlice(groups, g);
      long size = rocksdb_ffm_group.key_count(group);
      long[] words = {
        rocksdb_ffm_group.column_family(group).address(),
        slices.address() + first * Structs.SIZE_OF_SLICE,
        size,
        sorted ? 1 : 0,
        pins.address() + first * Long.BYTES,
        errors.address() + first * Long.BYTES,
        values.address() + first * Structs.SIZE_OF_VALUE
      };
      MemorySegment.copy(words, 0, together, ValueLayout.JAVA_LONG, 0, words.length);
      failures += EntityCalls.multiGet(path.reader(call).address(), path.entitySource(), together.address());
      first += size;
    }
    return failures;
  }

  private void requireRead(long failures) {
    if (failures != 0) {
      throw failure();
    }
  }

  /**
   * Reads key by key, and stops when the pin limit would be exceeded: the engine copies values from memtables, and
   * their sizes are only known after the read.
   */
  private void runWithinLimit(ReadPath path, MemorySegment pins, PinBatch batch) {
    MemorySegment group = rocksdb_ffm_group.asSlice(groups, count);
    errors.fill((byte) 0);
    int key = 0;
    for (int g = 0; g < groupCount; g++) {
      MemorySegment all = rocksdb_ffm_group.asSlice(groups, g);
      rocksdb_ffm_group.column_family(group, rocksdb_ffm_group.column_family(all));
      rocksdb_ffm_group.key_count(group, 1);
      for (long left = rocksdb_ffm_group.key_count(all); left > 0; left--) {
        requireRead(
            RocksDbC.rocksdb_ffm_multi_get(
                path.reader(call),
                group,
                1,
                rocksdb_ffm_slice.asSlice(slices, key),
                pins.asSlice((long) key * Long.BYTES),
                errors.asSlice((long) key * Long.BYTES),
                rocksdb_ffm_value.asSlice(values, key),
                path.oneByOne()));
        fillIn(batch, key);
        batch.measured(order[key]);
        key++;
      }
    }
    Reference.reachabilityFence(path);
    path.database().requireSound();
  }

  private byte[][] copied(ReadPath path) {
    byte[][] copies = new byte[count][];
    pins.fill((byte) 0);
    try {
      run(path, pins);
      for (int i = 0; i < count; i++) {
        MemorySegment value = rocksdb_ffm_value.asSlice(values, i);
        if (isFound(value)) {
          long address = Memory.pointer(value, Structs.VALUE_DATA);
          copies[order[i]] = Memory.toArray(address, rocksdb_ffm_value.size(value));
        }
      }
      return copies;
    } finally {
      RocksDbC.rocksdb_ffm_release(EngineTable.TABLE, pins, count);
    }
  }

  private static boolean isFound(MemorySegment value) {
    return Memory.pointer(value, Structs.VALUE_PIN) != 0;
  }

  private PinBatch pinned(ReadPath path) {
    MemorySegment pins = Memory.allocate((long) count * Long.BYTES);
    LiveObjects.PIN_ARRAYS.made(pins.byteSize());
    PinBatch batch = null;
    try {
      pins.fill((byte) 0);
      PinBatch made = new PinBatch(path.database(), families, pins, count);
      made.pinned();
      batch = made;
      if (path.database().pins().hasMost()) {
        runWithinLimit(path, pins, batch);
      } else {
        run(path, pins);
        fillIn(batch);
        batch.measured();
      }
      return batch;
    } catch (Throwable e) {
      if (batch == null) {
        LiveObjects.PIN_ARRAYS.freed(pins.byteSize());
        Memory.free(pins);
      } else {
        batch.release();
      }
      throw e;
    }
  }

  private void fillIn(PinBatch batch) {
    for (int i = 0; i < count; i++) {
      fillIn(batch, i);
    }
  }

  private void fillIn(PinBatch batch, int key) {
    MemorySegment value = rocksdb_ffm_value.asSlice(values, key);
    batch.set(
        order[key],
        isFound(value),
        Memory.pointer(value, Structs.VALUE_DATA),
        rocksdb_ffm_value.size(value));
  }

  /** Returns the first failure, with the others as suppressed exceptions; frees all messages. */
  private RocksDbException failure() {
    RocksDbException first = null;
    for (int i = 0; i < count; i++) {
      long message = Memory.pointer(errors, (long) i * Long.BYTES);
      if (message != 0) {
        RocksDbException next = Status.takeMessage(message, keys.source(order[i]).family().handle().name());
        if (first == null) {
          first = next;
        } else {
          first.addSuppressed(next);
        }
      }
    }
    return first;
  }
}
