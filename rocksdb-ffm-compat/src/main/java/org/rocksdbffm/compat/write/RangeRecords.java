/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.compat.write;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.Arrays;
import org.rocksdbffm.internal.format.BatchRecords;
import org.rocksdbffm.internal.format.Fields.Unreadable;
import org.rocksdbffm.internal.format.RecordKind;

/** The range deletions in a serialized batch. */
public final class RangeRecords {
  private static final int COUNT_OFFSET = 8;
  private static final ValueLayout.OfInt COUNT = ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

  private RangeRecords() {}

  /** Returns whether to drop a range deletion in the column family with an ID. */
  public interface Filter<E extends Exception> {
    boolean drops(int family, byte[] from, byte[] until) throws E;
  }

  /**
   * Returns a batch without the range deletions that the filter drops: the array itself if none is dropped, or if the
   * batch is malformed, which the engine will reject.
   */
  public static <E extends Exception> byte[] without(byte[] batch, Filter<E> filter) throws E {
    byte[] kept = batch.clone();
    int size = BatchRecords.HEADER;
    int dropped = 0;
    try {
      BatchRecords records = new BatchRecords(MemorySegment.ofArray(batch));
      for (int start = size; records.next(); start = (int) records.end()) {
        if (records.kind() == RecordKind.DELETE_RANGE
            && filter.drops(records.family(), records.string(0), records.string(1))) {
          dropped++;
        } else {
          int length = (int) records.end() - start;
          System.arraycopy(batch, start, kept, size, length);
          size += length;
        }
      }
    } catch (Unreadable damaged) {
      return batch;
    }
    if (dropped == 0) {
      return batch;
    }
    MemorySegment header = MemorySegment.ofArray(kept);
    header.set(COUNT, COUNT_OFFSET, header.get(COUNT, COUNT_OFFSET) - dropped);
    return Arrays.copyOf(kept, size);
  }
}
