/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.ingest;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import org.rocksdbffm.internal.call.Call;
import org.rocksdbffm.internal.foreign.Memory;
import org.rocksdbffm.internal.order.ShownKey;
import org.rocksdbffm.internal.settings.WriteRules;

/** The first and the last key of a table file that is being written, and the bounds of its range deletions. */
final class TableBounds {
  private static final int LEAST_ROOM = 32;

  final WriteRules rules;

  // The last key is in a reused array, because it is copied for each entry.
  private byte[] first;
  private byte[] last = new byte[LEAST_ROOM];
  private int lastSize;
  private byte[] from;
  private byte[] until;

  TableBounds(WriteRules rules) {
    this.rules = rules;
  }

  /** Notes the call's key, which was added. */
  void added(Call call) {
    int size = (int) call.keySize();
    if (last.length < size) {
      last = new byte[(int) Math.min(2L * size, Integer.MAX_VALUE - 8)];
    }
    Memory.copy(call.keyAddress(), last, 0, size);
    lastSize = size;
    if (first == null) {
      first = Memory.toArray(call.keyAddress(), size);
    }
  }

  /** Notes the call's range, whose deletion was added. */
  void deleted(Call call, long untilSize) {
    if (from == null || rules.compare(call.key(), call.keySize(), segment(from), from.length) < 0) {
      from = Memory.toArray(call.keyAddress(), call.keySize());
    }
    if (until == null || rules.compare(call.value(), untilSize, segment(until), until.length) > 0) {
      until = Memory.toArray(call.value().address(), untilSize);
    }
  }

  private static MemorySegment segment(byte[] key) {
    return MemorySegment.ofArray(key);
  }

  private int compare(byte[] a, byte[] b) {
    return rules.compare(segment(a), a.length, segment(b), b.length);
  }

  /** Throws if the last key comes before the first, although each key comes after the one before it. */
  void requireInOrder() {
    if (first != null && rules.comparator() != null && compare(first, lastKey()) > 0) {
      throw new IllegalStateException(
          "the order of keys goes in circles: " + ShownKey.of(lastKey()) + ", the last of the file, comes before "
              + ShownKey.of(first) + ", the first");
    }
  }

  private byte[] lastKey() {
    return Arrays.copyOf(last, lastSize);
  }

  byte[] smallest() {
    return first == null || from != null && compare(from, first) < 0 ? from : first;
  }

  byte[] largest() {
    return first == null || until != null && compare(until, lastKey()) > 0 ? until : lastKey();
  }

  IllegalArgumentException outOfOrder(Call call, String file) {
    return new IllegalArgumentException(
        "key: " + ShownKey.of(call.keyAddress(), call.keySize()) + " does not come behind " + ShownKey.of(lastKey())
            + ", the last key of the " + file
            + ": add each key once, in the ascending order of the options");
  }
}
