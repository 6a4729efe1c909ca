/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.write;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;
import org.rocksdbffm.internal.c.RocksDbC;
import org.rocksdbffm.internal.call.Call;
import org.rocksdbffm.internal.foreign.EngineTable;
import org.rocksdbffm.internal.foreign.LargeCopy;

/**
 * A write batch in RocksDB's serialized form, built in an array: a sequence number of 8 bytes, which the engine sets; a
 * count of 4; and the records. A record is a tag, the column family's id unless it is 0, and one or two byte strings,
 * each preceded by its length. Ids and lengths are varints.
 */
public final class BatchBytes {
  /** Receives the records in order; the segments are read-only and stay valid. */
  public interface Visitor {
    /** {@code second} is null if the operation has only a key. */
    void visit(Operation operation, int family, MemorySegment first, MemorySegment second);
  }

  private static final int COUNT_OFFSET = 8;
  private static final int HEADER_SIZE = 12;
  private static final int MAX_SIZE = Integer.MAX_VALUE - 8;
  private static final int MAX_VARINT = 5;
  private static final int VARINT_BITS = 7;
  private static final VarHandle COUNT_IN_ARRAY =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
  private static final ValueLayout.OfInt COUNT = ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

  private byte[] bytes;
  private int size = HEADER_SIZE;
  private int count;

  // Whether a record may violate {@link WriteRules}; reset when the batch is cleared.
  private boolean needsCheck;

  public BatchBytes(int capacity) {
    bytes = new byte[Math.max(capacity, HEADER_SIZE)];
  }

  private BatchBytes(byte[] bytes, int size, int count) {
    this.bytes = bytes;
    this.size = size;
    this.count = count;
  }

  public BatchBytes copy() {
    BatchBytes copy = new BatchBytes(Arrays.copyOf(bytes, size), size, count);
    copy.needsCheck = needsCheck;
    return copy;
  }

  /** Returns a batch of validated bytes, which it <em>owns</em>. */
  static BatchBytes of(byte[] bytes, int size, int count, boolean needsCheck) {
    Arrays.fill(bytes, 0, COUNT_OFFSET, (byte) 0); // the sequence number, which the engine sets
    BatchBytes batch = new BatchBytes(bytes, size, count);
    batch.needsCheck = needsCheck;
    return batch;
  }

  /** Whether a record of this operation and family may violate {@link WriteRules}. */
  static boolean needsCheck(Operation operation, int family) {
    return family != 0 || operation != Operation.PUT && operation != Operation.DELETE;
  }

  /** Returns the operation of a tag; null if absent. */
  static Operation operationOf(byte tag) {
    for (Operation operation : Parser.OPERATIONS) {
      if (operation.tag == tag || operation.familyTag == tag) {
        return operation;
      }
    }
    return null;
  }

  public int size() {
    return size;
  }

  public int count() {
    return count;
  }

  /** Removes the records after a position that {@link #size} and {@link #count} returned earlier. */
  public void truncate(int size, int count) {
    this.size = size;
    this.count = count;
  }

  public void clear() {
    truncate(HEADER_SIZE, 0);
    needsCheck = false;
  }

  public void append(Operation operation, int family, byte[] key) {
    int at = startRecord(operation, family, (long) MAX_VARINT + key.length);
    endRecord(putString(at, key));
  }

  public void append(Operation operation, int family, byte[] first, byte[] second) {
    int at = startRecord(operation, family, 2L * MAX_VARINT + first.length + second.length);
    endRecord(putString(putString(at, first), second));
  }

  public void append(Operation operation, int family, MemorySegment key) {
    int at = startRecord(operation, family, MAX_VARINT + key.byteSize());
    endRecord(putString(at, key));
  }

  /** {@code second} is null if the operation has only a key. */
  public void append(Operation operation, int family, MemorySegment first, MemorySegment second) {
    if (second == null) {
      append(operation, family, first);
      return;
    }
    int at = startRecord(operation, family, 2L * MAX_VARINT + first.byteSize() + second.byteSize());
    endRecord(putString(putString(at, first), second));
  }

  /** Adds all records of another batch. */
  public void append(BatchBytes other) {
    int added = other.size - HEADER_SIZE;
    long needed = (long) size + added;
    if (needed > bytes.length) {
      grow(needed);
    }
    System.arraycopy(other.bytes, HEADER_SIZE, bytes, size, added);
    needsCheck |= other.needsCheck;
    size += added;
    count += other.count;
  }

  /** Ensures capacity, and writes tag and family; returns the next offset. The record is added by {@code endRecord}. */
  private int startRecord(Operation operation, int family, long stringsSize) {
    long needed = size + 1L + MAX_VARINT + stringsSize;
    if (needed > bytes.length) {
      grow(needed);
    }
    needsCheck |= needsCheck(operation, family);
    int at = size;
    if (family == 0) {
      bytes[at] = operation.tag;
      return at + 1;
    }
    bytes[at] = operation.familyTag;
    return putVarint(at + 1, family);
  }

  private void endRecord(int end) {
    size = end;
    count++;
  }

  private void grow(long needed) {
    if (needed > MAX_SIZE) {
      throw new IllegalStateException("the batch would exceed 2 GiB: write it, clear it, and go on");
    }
    bytes = Arrays.copyOf(bytes, (int) Math.min(MAX_SIZE, Math.max(needed, bytes.length * 2L)));
  }

  private int putString(int at, byte[] string) {
    int start = putVarint(at, string.length);
    System.arraycopy(string, 0, bytes, start, string.length);
    return start + string.length;
  }

  private int putString(int at, MemorySegment string) {
    int length = (int) string.byteSize();
    int start = putVarint(at, length);
    MemorySegment.copy(string, ValueLayout.JAVA_BYTE, 0, bytes, start, length);
    return start + length;
  }

  private int putVarint(int at, int value) {
    int rest = value;
    while ((rest & -(1 << VARINT_BITS)) != 0) {
      bytes[at++] = (byte) (rest | 1 << VARINT_BITS);
      rest >>>= VARINT_BITS;
    }
    bytes[at++] = (byte) rest;
    return at;
  }

  /** Copies the batch to a segment of {@link #size} bytes. */
  void copyTo(MemorySegment target) {
    MemorySegment.copy(bytes, 0, target, ValueLayout.JAVA_BYTE, 0, size);
    target.set(COUNT, COUNT_OFFSET, count);
  }

  /**
   * Creates the engine's copy of the batch, which the write frees. A large batch is first copied to the call's memory.
   */
  MemorySegment inEngine(Call call) {
    if (size <= LargeCopy.MOST_AT_ONCE) {
      COUNT_IN_ARRAY.set(bytes, COUNT_OFFSET, count);
      return LargeCopy.batch(bytes, size);
    }
    call.reserveValue(size);
    copyTo(call.value());
    return RocksDbC.rocksdb_ffm_batch(EngineTable.TABLE, call.value(), size);
  }

  /** Returns the serialized batch, with a sequence number of 0. */
  public byte[] toArray() {
    byte[] array = new byte[size];
    copyTo(MemorySegment.ofArray(array));
    return array;
  }

  /** Visits the records for a check: range deletions completely, other records only with operation and family. */
  void check(Visitor visitor) {
    if (needsCheck) {
      new Parser(bytes, size).check(visitor);
    }
  }

  /** Visits the records; the visitor must not change this object. */
  public void forEach(Visitor visitor) {
    new Parser(bytes, size).parse(visitor);
  }

  private static final class Parser {
    private static final Operation[] OPERATIONS = Operation.values();

    private final byte[] bytes;
    private final int size;
    private final MemorySegment segment;
    private int at = HEADER_SIZE;

    Parser(byte[] bytes, int size) {
      this.bytes = bytes;
      this.size = size;
      this.segment = MemorySegment.ofArray(bytes).asReadOnly();
    }

    void parse(Visitor visitor) {
      while (at < size) {
        byte tag = bytes[at++];
        Operation operation = operationOf(tag);
        int family = tag == operation.familyTag ? varint() : 0;
        MemorySegment first = string();
        visitor.visit(operation, family, first, operation.strings == 1 ? null : string());
      }
    }

    void check(Visitor visitor) {
      while (at < size) {
        byte tag = bytes[at++];
        Operation operation = operationOf(tag);
        int family = tag == operation.familyTag ? varint() : 0;
        if (operation == Operation.DELETE_RANGE) {
          visitor.visit(operation, family, string(), string());
        } else {
          visitor.visit(operation, family, null, null);
          for (int string = 0; string < operation.strings; string++) {
            int length = varint();
            at += length;
          }
        }
      }
    }

    private int varint() {
      int value = 0;
      for (int shift = 0; ; shift += VARINT_BITS) {
        byte next = bytes[at++];
        value |= (next & (1 << VARINT_BITS) - 1) << shift;
        if (next >= 0) {
          return value;
        }
      }
    }

    private MemorySegment string() {
      int length = varint();
      MemorySegment string = segment.asSlice(at, length);
      at += length;
      return string;
    }
  }
}
