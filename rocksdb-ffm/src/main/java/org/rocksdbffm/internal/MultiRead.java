/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.ref.Reference;
import java.util.ArrayList;
import java.util.List;
import org.rocksdbffm.RocksDbException;
import org.rocksdbffm.internal.c.RocksDbC;
import org.rocksdbffm.internal.c.rocksdb_ffm_group;
import org.rocksdbffm.internal.c.rocksdb_ffm_slice;
import org.rocksdbffm.internal.c.rocksdb_ffm_value;

/** One multi-get on its way: its keys grouped by column family, and the memory that it needs. */
final class MultiRead {
  private final KeyList keys;
  private final int[] order;
  private final int count;

  // Parts of the call's memory.
  private final MemorySegment values;
  private final MemorySegment slices;
  private final MemorySegment groups;
  private final MemorySegment errors;
  private final MemorySegment keyBytes;
  private int groupCount;

  MultiRead(KeyList keys, Call call) {
    this.keys = keys;
    this.count = keys.count();
    this.order = keys.grouped();
    long valuesSize = count * rocksdb_ffm_value.sizeof();
    long slicesSize = count * rocksdb_ffm_slice.sizeof();
    long groupsSize = count * rocksdb_ffm_group.sizeof();
    long errorsSize = count * (long) Long.BYTES;
    call.reserveValue(valuesSize + slicesSize + groupsSize + errorsSize + keys.size());
    MemorySegment memory = call.value();
    values = memory.asSlice(0, valuesSize);
    slices = memory.asSlice(valuesSize, slicesSize);
    groups = memory.asSlice(valuesSize + slicesSize, groupsSize);
    errors = memory.asSlice(valuesSize + slicesSize + groupsSize, errorsSize);
    keyBytes = memory.asSlice(valuesSize + slicesSize + groupsSize + errorsSize, keys.size());
  }

  /** Reads them all through the source, whose options count and whose column family does not. */
  static PinBatch read(Source source, KeyList keys, boolean sorted) {
    List<Call> calls = new ArrayList<>();
    try {
      Call call = source.enter();
      calls.add(call);
      MultiRead read = new MultiRead(keys, call);
      read.fillIn(calls, source);
      // A wrong hint would miss keys; where the order cannot be seen here, the engine sorts.
      return read.run(source, sorted && keys.ascends(read.order));
    } finally {
      calls.forEach(Call::exit);
    }
  }

  /** Lays out keys and groups; each family is kept by a call of its own. */
  private void fillIn(List<Call> calls, Source source) {
    keys.copyTo(keyBytes);
    long base = keyBytes.address();
    NativeFamily last = null;
    for (int i = 0; i < count; i++) {
      int key = order[i];
      MemorySegment slice = rocksdb_ffm_slice.asSlice(slices, i);
      slice.set(ValueLayout.JAVA_LONG, rocksdb_ffm_slice.data$offset(), base + keys.start(key));
      rocksdb_ffm_slice.size(slice, keys.length(key));
      NativeFamily family = keys.source(key).family();
      if (family != last) {
        if (family != source.family()) {
          calls.add(keys.source(key).enter());
        }
        MemorySegment group = rocksdb_ffm_group.asSlice(groups, groupCount++);
        rocksdb_ffm_group.column_family(group, family.pointer());
        rocksdb_ffm_group.key_count(group, 0);
        last = family;
      }
      MemorySegment group = rocksdb_ffm_group.asSlice(groups, groupCount - 1);
      rocksdb_ffm_group.key_count(group, rocksdb_ffm_group.key_count(group) + 1);
    }
  }

  private PinBatch run(Source source, boolean sorted) {
    MemorySegment pins = Memory.allocate((long) count * Long.BYTES);
    PinBatch batch = new PinBatch(source.database(), pins, count);
    long failures =
        RocksDbC.rocksdb_ffm_multi_get(
            source.reader(), groups, groupCount, slices, pins, errors, values, sorted ? 1 : 0);
    Reference.reachabilityFence(source);
    source.database().pinned();
    if (failures != 0) {
      batch.release();
      throw failure();
    }
    for (int i = 0; i < count; i++) {
      MemorySegment value = rocksdb_ffm_value.asSlice(values, i);
      boolean found = Memory.pointer(value, rocksdb_ffm_value.pin$offset()) != 0;
      batch.set(
          order[i],
          found,
          Memory.pointer(value, rocksdb_ffm_value.data$offset()),
          rocksdb_ffm_value.size(value));
    }
    return batch;
  }

  /** The first failure; the messages of the others are freed and join it as suppressed ones. */
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
