/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.format;

import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import java.util.zip.CRC32C;

/** A block of 32 KiB of a file in the engine's log format, with the piece of a record that was inspected last. */
final class LogBlock {
  static final int SIZE = 32 << 10;
  static final int HEADER = 7;
  private static final int RECYCLABLE_HEADER = 11;
  static final int PAGE = 4096; // the operating system writes whole pages

  static final int FULL = 1;
  static final int FIRST = 2;
  static final int MIDDLE = 3;
  static final int LAST = 4;
  static final int RECYCLABLE = 4; // added to the four types above
  static final int SET_COMPRESSION = 9;
  static final int TIMESTAMP_SIZES = 10;
  private static final int RECYCLABLE_TIMESTAMP_SIZES = 11;
  static final int IGNORABLE = 1 << 7;
  private static final int RECYCLABLE_PREDECESSOR = 131;

  /** The kinds of content at a position of the block. */
  enum State {
    /** The end of the block: there is no room for another header. */
    END,
    /** A header that goes beyond the end of the file. */
    CUT_HEADER,
    /** A payload that exceeds the block. */
    TOO_LONG,
    /** A piece with the number of another WAL file. */
    OLD,
    /** Zeros, with which the rest of the block is filled. */
    ZEROS,
    WRONG_CHECKSUM,
    INTACT
  }

  final byte[] bytes = new byte[SIZE];
  private final long number; // the WAL file's number; each piece of a recycled file contains it
  private final CRC32C sum = new CRC32C();
  long start; // offset in the file
  int length;

  // The piece that was inspected last.
  int type;
  int payload; // position of its first byte
  int size;

  LogBlock(long number) {
    this.number = number;
  }

  /** Reads the next block; returns false at the end of the file. */
  boolean read(InputStream in) throws IOException {
    start += length;
    length = in.readNBytes(bytes, 0, SIZE);
    return length > 0;
  }

  /** Whether the file ends in this block. */
  boolean isLast() {
    return length < SIZE;
  }

  int end() {
    return payload + size;
  }

  /** Inspects the piece at a position, in the order of the engine's checks. */
  State inspect(int at) {
    type = 0;
    if (length - at < HEADER) {
      return isLast() && at < length ? State.CUT_HEADER : State.END;
    }
    type = bytes[at + 6] & 0xff;
    size = (bytes[at + 4] & 0xff) | (bytes[at + 5] & 0xff) << 8;
    payload = at + (isRecyclable() ? RECYCLABLE_HEADER : HEADER);
    if (payload > length) {
      return isLast() ? State.CUT_HEADER : State.END;
    }
    if (end() > length) {
      return State.TOO_LONG;
    }
    if (isRecyclable() && Fields.fixedInt(bytes, at + HEADER) != (int) number) {
      return State.OLD;
    }
    if (type == 0 && size == 0) {
      return State.ZEROS;
    }
    return hasChecksum(at) ? State.INTACT : State.WRONG_CHECKSUM;
  }

  /** Whether the inspected piece matches its checksum. */
  boolean hasChecksum(int at) {
    sum.reset();
    sum.update(bytes, at + 6, end() - at - 6);
    int crc = (int) sum.getValue();
    return (crc >>> 15 | crc << 17) + 0xa282ead8 == Fields.fixedInt(bytes, at);
  }

  boolean isRecyclable() {
    return type > RECYCLABLE && type <= 2 * RECYCLABLE
        || type == RECYCLABLE_TIMESTAMP_SIZES
        || type == RECYCLABLE_PREDECESSOR;
  }

  /** Whether the piece belongs to a record of user data. */
  boolean hasData() {
    return type >= FULL && type <= 2 * RECYCLABLE;
  }

  /** Returns the type of the piece, without the flag of a recycled WAL file. */
  int plainType() {
    return isRecyclable() && hasData() ? type - RECYCLABLE : type;
  }

  /** Whether all bytes from a position on are zero. */
  boolean isEmptyFrom(int at) {
    return isEmpty(at, length);
  }

  private boolean isEmpty(int from, int until) {
    return bytes[from] == 0 && Arrays.equals(bytes, from, until - 1, bytes, from + 1, until);
  }

  /** Whether a page is zero from a position on, because it was never written. */
  boolean isUnwrittenAt(int at) {
    return isEmpty(at, Math.min(length, (at / PAGE + 1) * PAGE));
  }

  /**
   * Whether a whole page between two positions is zero, because it was never written. Zeros of a value start and end
   * anywhere; an unwritten page starts and ends at the bounds of pages. A value may end with the block.
   */
  boolean hasUnwrittenPage(int from, int until) {
    for (int page = (from + PAGE - 1) / PAGE * PAGE; page + PAGE <= until; page += PAGE) {
      if (isEmpty(page, page + PAGE) && (isBoundOfZeros(page) || isBoundOfZeros(page + PAGE))) {
        return true;
      }
    }
    return false;
  }

  /** Whether the bytes on exactly one side of a page's bound are zeros. */
  private boolean isBoundOfZeros(int bound) {
    return bound == 0 || bound < length && (bytes[bound - 1] == 0) != (bytes[bound] == 0);
  }

  /**
   * Whether all pieces from a position to the end of the block or file are intact, so that they are no value that looks
   * like pieces.
   */
  boolean isIntactFrom(int at) {
    int position = at;
    State state = inspect(position);
    while (state == State.INTACT) {
      position = end();
      state = inspect(position);
    }
    return position > at && (state == State.END || state == State.ZEROS || isLast() && state != State.WRONG_CHECKSUM);
  }
}
