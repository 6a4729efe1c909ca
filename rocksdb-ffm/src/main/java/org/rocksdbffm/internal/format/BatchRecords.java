/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.format;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import org.rocksdbffm.internal.format.Fields.Unreadable;

/** Reads the records of a serialized write batch one after another, and validates them. */
public final class BatchRecords {
  /** The size of the header: the sequence number of the first write, and the number of writes. */
  public static final int HEADER = 12;

  private static final int VARINT_BITS = 7;
  private static final int MOST_SHIFT = 28;

  private final MemorySegment bytes;
  private long at = HEADER;
  private RecordKind kind;
  private int family;
  private final long[] ends = new long[2]; // the offsets of the ends of the record's strings
  private final long[] begins = new long[2];

  public BatchRecords(MemorySegment bytes) {
    this.bytes = bytes;
  }

  /** Moves to the next record; returns false after the last one. */
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

  /** Returns the id of the column family that the record writes to. */
  public int family() {
    return family;
  }

  /** Returns the end offset of the record. */
  public long end() {
    return at;
  }

  /** Returns the last byte string of the record as a text that is unique for the bytes. */
  public String name() {
    return new String(string(kind.strings() - 1), StandardCharsets.ISO_8859_1);
  }

  /** Returns a byte string of the record: the key at 0, and the value or end at 1. */
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
