/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.format;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import org.rocksdbffm.internal.format.Fields.Unreadable;

/** Reads the records of a serialized write batch one after another, and believes nothing of it before. */
public final class BatchRecords {
  /** The sequence number of the first write, and how many writes there are. */
  public static final int HEADER = 12;

  private static final int VARINT_BITS = 7;
  private static final int MOST_SHIFT = 28;

  private final MemorySegment bytes;
  private long at = HEADER;
  private RecordKind kind;
  private int family;
  private final long[] ends = new long[2]; // of the strings of the record
  private final long[] begins = new long[2];

  public BatchRecords(MemorySegment bytes) {
    this.bytes = bytes;
  }

  /** Goes to the next record; false behind the last one. */
  public boolean next() {
    if (at >= bytes.byteSize()) {
      return false;
    }
    int tag = nextByte();
    kind = RecordKind.of(tag);
    if (kind == null) {
      throw new Unreadable("at " + (at - 1) + " it has a record of the unknown kind " + tag);
    }
    family = tag == kind.familyTag() ? varint() : 0;
    for (int string = 0; string < kind.strings(); string++) {
      int length = varint();
      if (length > bytes.byteSize() - at) {
        throw new Unreadable("it is cut off");
      }
      begins[string] = at;
      at += length;
      ends[string] = at;
    }
    return true;
  }

  public RecordKind kind() {
    return kind;
  }

  /** The number of the column family that the record writes to. */
  public int family() {
    return family;
  }

  /** Where the record ends. */
  public long end() {
    return at;
  }

  /** The last byte string of the record, as a text that is another one for other bytes. */
  public String name() {
    return new String(string(kind.strings() - 1), StandardCharsets.ISO_8859_1);
  }

  /** A byte string of the record: the key is at 0, and at 1 what is behind it. */
  public byte[] string(int place) {
    return bytes.asSlice(begins[place], ends[place] - begins[place]).toArray(ValueLayout.JAVA_BYTE);
  }

  private int nextByte() {
    if (at >= bytes.byteSize()) {
      throw new Unreadable("it is cut off");
    }
    return bytes.get(ValueLayout.JAVA_BYTE, at++) & 0xff;
  }

  private int varint() {
    long value = 0;
    for (int shift = 0; shift <= MOST_SHIFT; shift += VARINT_BITS) {
      int next = nextByte();
      value |= (long) (next & (1 << VARINT_BITS) - 1) << shift;
      if (next < 1 << VARINT_BITS) {
        if (value > Integer.MAX_VALUE) {
          break;
        }
        return (int) value;
      }
    }
    throw new Unreadable("at " + at + " it has a number that is too large");
  }
}
