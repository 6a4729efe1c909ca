/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.cli.inspect;

import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.zip.CRC32C;
import org.rocksdbffm.internal.format.DatabaseFile;

/** Verifies a blob file: each value has a checksum, and the footer contains the number of values. */
final class BlobCheck {
  private static final int MAGIC = 2395959;
  private static final int HEADER = 30;
  private static final int RECORD_HEADER = 32;
  private static final int FOOTER = 32;
  private static final int MASK = 0xa282ead8;

  private final DataInputStream in;
  private final byte[] buffer = new byte[1 << 16];
  private final long size;

  private BlobCheck(DataInputStream in, long size) {
    this.in = in;
    this.size = size;
  }

  /** Describes the damage of a file; null if intact. */
  static String of(Path file) throws IOException {
    try (DataInputStream in = new DataInputStream(new BufferedInputStream(DatabaseFile.open(file), 1 << 16))) {
      return new BlobCheck(in, DatabaseFile.size(file)).check();
    } catch (NoSuchFileException e) {
      return "is missing";
    } catch (EOFException e) {
      return "ends within a value";
    }
  }

  private String check() throws IOException {
    if (read(HEADER).getInt(0) != MAGIC) {
      return "has no header of a blob file";
    }
    long at = HEADER;
    for (long count = 0; at < size - FOOTER; count++) {
      ByteBuffer header = read(RECORD_HEADER);
      long length = header.getLong(0) + header.getLong(8);
      if (masked(sum(header, RECORD_HEADER - 8)) != header.getInt(24)) {
        return "has a wrong checksum at " + at + ", and those behind it are not known";
      }
      int expected = header.getInt(28);
      if (length < 0 || length > size - FOOTER - at - RECORD_HEADER) {
        return "has a value at " + at + " that is longer than the file";
      }
      if (masked(sumOfValue(length)) != expected) {
        return "has a wrong checksum at " + at + ", of a value with " + header.getLong(8) + " bytes";
      }
      at += RECORD_HEADER + length;
    }
    ByteBuffer footer = read(FOOTER);
    boolean isSound = footer.getInt(0) == MAGIC && masked(sum(footer, FOOTER - 4)) == footer.getInt(FOOTER - 4);
    return isSound ? null : "has a damaged footer";
  }

  private ByteBuffer read(int length) throws IOException {
    byte[] bytes = new byte[length];
    in.readFully(bytes);
    return ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
  }

  private static CRC32C sum(ByteBuffer bytes, int length) {
    CRC32C sum = new CRC32C();
    sum.update(bytes.array(), 0, length);
    return sum;
  }

  private CRC32C sumOfValue(long length) throws IOException {
    CRC32C sum = new CRC32C();
    for (long left = length; left > 0;) {
      int part = (int) Math.min(left, buffer.length);
      in.readFully(buffer, 0, part);
      sum.update(buffer, 0, part);
      left -= part;
    }
    return sum;
  }

  private static int masked(CRC32C sum) {
    int crc = (int) sum.getValue();
    return (crc >>> 15 | crc << 17) + MASK;
  }
}
