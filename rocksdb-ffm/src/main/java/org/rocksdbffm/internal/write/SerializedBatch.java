/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.write;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import org.rocksdbffm.internal.format.BatchRecords;
import org.rocksdbffm.internal.format.Fields.Unreadable;
import org.rocksdbffm.internal.format.RecordKind;

/**
 * Parses a serialized batch from an untrusted source, and validates each byte. Records without rows, such as log data,
 * are dropped.
 */
public final class SerializedBatch {
  private static final int HEADER_SIZE = BatchRecords.HEADER;
  private static final int COUNT_OFFSET = 8;
  private static final VarHandle COUNT = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);

  private SerializedBatch() {}

  /** Parses a copy of the bytes, which may be in native memory or on the heap. */
  public static BatchBytes read(MemorySegment bytes) {
    if (bytes.byteSize() < HEADER_SIZE || bytes.byteSize() > Integer.MAX_VALUE - 8) {
      throw refused(bytes.byteSize() + " bytes, but a batch has from " + HEADER_SIZE + " to less than 2 GiB");
    }
    try {
      return readCopy(bytes.toArray(ValueLayout.JAVA_BYTE)); // a copy, which no other thread changes
    } catch (Unreadable e) {
      throw refused(e.getMessage());
    }
  }

  /** Keeps records in place, unless an earlier one was dropped. */
  private static BatchBytes readCopy(byte[] bytes) {
    int size = HEADER_SIZE;
    int count = 0;
    boolean needsCheck = false;
    BatchRecords records = new BatchRecords(MemorySegment.ofArray(bytes));
    for (int start = HEADER_SIZE; records.next(); start = (int) records.end()) {
      Operation operation = Operation.of(records.kind());
      if (operation == null) {
        requireWithoutRows(records.kind(), start);
        continue;
      }
      if (operation == Operation.PUT_ENTITY) {
        EntityColumns.requireValid(records.string(1));
      }
      needsCheck |= BatchBytes.needsCheck(operation, records.family());
      int length = (int) records.end() - start;
      if (size < start) {
        System.arraycopy(bytes, start, bytes, size, length);
      }
      size += length;
      count++;
    }
    int stated = (int) COUNT.get(bytes, COUNT_OFFSET);
    if (count != stated) {
      throw refused("it says that it has " + Integer.toUnsignedLong(stated) + " operations, and has " + count);
    }
    return BatchBytes.of(bytes, size, count, needsCheck);
  }

  private static void requireWithoutRows(RecordKind kind, int at) {
    if (kind != RecordKind.LOG_DATA && kind != RecordKind.NOTHING) {
      throw refused("at " + at + " it has a record of the kind " + kind + ", which this library does not write");
    }
  }

  private static IllegalArgumentException refused(String why) {
    return new IllegalArgumentException("bytes: they are no batch: " + why);
  }
}
