/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.format;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.zip.CRC32C;
import org.rocksdbffm.internal.format.Fields.Unreadable;

/**
 * Reads the records of a file in the engine's log format, which MANIFEST files and logs have: blocks of 32 KiB, in which
 * records or pieces of them lie behind a checksum, a length and a type.
 */
public final class LogRecords {
  /** Gets records one after another; the bytes are only good for the time of the call. */
  public interface Reader {
    void record(byte[] bytes, int from, int length);
  }

  private static final int BLOCK = 32 << 10;
  private static final int HEADER = 7;
  private static final int RECYCLABLE_HEADER = 11;

  private static final int ZERO = 0;
  private static final int FULL = 1;
  private static final int FIRST = 2;
  private static final int MIDDLE = 3;
  private static final int LAST = 4;
  private static final int RECYCLABLE = 4; // the same four again
  private static final int SET_COMPRESSION = 9;
  private static final int ZSTD = 7; // the one way to compress a log
  private static final int TIMESTAMP_SIZES = 10;
  private static final int RECYCLABLE_TIMESTAMP_SIZES = 11;
  private static final int IGNORABLE = 1 << 7;
  private static final int RECYCLABLE_PREDECESSOR = 131;

  private final byte[] block = new byte[BLOCK];
  private final long number; // which a recycled file's records repeat
  private final Reader reader;
  private boolean isSkipping;
  private Zstandard compression; // null where records are as they were written
  private byte[] pieces = new byte[0];
  private int piecesSize = -1; // -1: no record has begun

  private LogRecords(long number, Reader reader) {
    this.number = number;
    this.reader = reader;
  }

  /**
   * Reads up to where the file ends, or the last whole record that is this file's own.
   *
   * @return how many bytes the file had
   * @throws Unreadable where a record is damaged, or is of a kind that cannot be read here
   */
  public static long read(Path file, long number, Reader reader) throws IOException {
    return read(file, number, 0, reader);
  }

  /** The same from about a place in the file, and not before. The first block says whether records are compressed. */
  public static long read(Path file, long number, long place, Reader reader) throws IOException {
    LogRecords records = new LogRecords(number, reader);
    records.isSkipping = place > BLOCK;
    long size = 0;
    try (InputStream in = Files.newInputStream(file)) {
      boolean more = true;
      while (true) {
        int length = in.readNBytes(records.block, 0, BLOCK);
        size += length;
        more = more && records.readBlock(length);
        if (length < BLOCK) {
          return size;
        }
        if (records.isSkipping) {
          size += in.skip((place - BLOCK) / BLOCK * BLOCK);
          records.isSkipping = false;
          records.piecesSize = -1;
        }
      }
    }
  }

  /** Whether the file may go on. */
  private boolean readBlock(int length) {
    int at = 0;
    while (length - at >= HEADER) {
      int size = (block[at + 4] & 0xff) | (block[at + 5] & 0xff) << 8;
      int type = block[at + 6] & 0xff;
      if (type == ZERO && size == 0) {
        return true; // the rest of the block was set aside and not written
      }
      boolean recyclable =
          type > RECYCLABLE && type <= 2 * RECYCLABLE || type == RECYCLABLE_TIMESTAMP_SIZES || type == RECYCLABLE_PREDECESSOR;
      int header = recyclable ? RECYCLABLE_HEADER : HEADER;
      if (at + header + size > length) {
        if (length < BLOCK) {
          return false; // a record that was not written to its end
        }
        throw new Unreadable("a record is longer than its block");
      }
      if (recyclable && Fields.fixedInt(block, at + HEADER) != (int) number) {
        return false; // of the file that this one was before
      }
      requireChecksum(at, header + size);
      take(recyclable && type <= 2 * RECYCLABLE ? type - RECYCLABLE : type, at + header, size);
      at += header + size;
    }
    return length == BLOCK;
  }

  private void requireChecksum(int at, int length) {
    CRC32C sum = new CRC32C();
    sum.update(block, at + 6, length - 6);
    int crc = (int) sum.getValue();
    int masked = (crc >>> 15 | crc << 17) + 0xa282ead8;
    if (masked != Fields.fixedInt(block, at)) {
      throw new Unreadable("a checksum is wrong");
    }
  }

  private void take(int type, int from, int size) {
    switch (type) {
      case FULL -> {
        piecesSize = -1;
        record(block, from, size);
      }
      case FIRST -> {
        piecesSize = 0;
        append(from, size);
      }
      case MIDDLE -> append(from, size);
      case LAST -> {
        append(from, size);
        if (piecesSize >= 0) {
          record(pieces, 0, piecesSize);
        }
        piecesSize = -1;
      }
      case SET_COMPRESSION -> {
        if (size != Integer.BYTES || Fields.fixedInt(block, from) != ZSTD) {
          throw new Unreadable("it is compressed in an unknown way");
        }
        compression = new Zstandard();
      }
      case TIMESTAMP_SIZES, RECYCLABLE_TIMESTAMP_SIZES -> { }
      default -> {
        if (type < IGNORABLE) {
          throw new Unreadable("a record is of the unknown type " + type);
        }
      }
    }
  }

  private void record(byte[] bytes, int from, int length) {
    if (isSkipping) {
      return;
    }
    if (compression == null || length == 0) {
      reader.record(bytes, from, length);
    } else {
      byte[] content = compression.content(bytes, from, length);
      reader.record(content, 0, content.length);
    }
  }

  private void append(int from, int size) {
    if (piecesSize < 0) {
      return; // its beginning is missing
    }
    if (pieces.length - piecesSize < size) {
      pieces = Arrays.copyOf(pieces, Math.max(2 * pieces.length, piecesSize + size));
    }
    System.arraycopy(block, from, pieces, piecesSize, size);
    piecesSize += size;
  }
}
