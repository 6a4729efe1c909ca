/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.archive;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** The pieces of WAL files that an entry holds. */
record Segment(List<Piece> pieces) {
  /** A batch ends at an offset of a WAL file; all its writes have numbers up to {@code sequence}. */
  record Mark(long end, long sequence) {}

  /**
   * Bytes of a WAL file.
   *
   * @param log the file's number
   * @param from the offset of the first byte
   * @param marks the batches that end in the piece
   */
  record Piece(long log, long from, byte[] bytes, List<Mark> marks) {
    long end() {
      return from + bytes.length;
    }
  }

  long size() {
    return pieces.stream().mapToLong(piece -> piece.bytes.length).sum();
  }

  void write(DataOutputStream out) throws IOException {
    out.writeInt(pieces.size());
    for (Piece piece : pieces) {
      out.writeLong(piece.log);
      out.writeLong(piece.from);
      out.writeInt(piece.marks.size());
      long end = piece.from;
      long sequence = 0;
      for (Mark mark : piece.marks) {
        writeNumber(out, mark.end - end);
        writeNumber(out, mark.sequence - sequence);
        end = mark.end;
        sequence = mark.sequence;
      }
      out.writeInt(piece.bytes.length);
      out.write(piece.bytes);
    }
  }

  static Segment read(Entry entry) throws IOException {
    try (DataInputStream in = entry.open()) {
      List<Piece> pieces = new ArrayList<>();
      for (int left = in.readInt(); left > 0; left--) {
        long log = in.readLong();
        long from = in.readLong();
        List<Mark> marks = new ArrayList<>();
        long end = from;
        long sequence = 0;
        for (int more = in.readInt(); more > 0; more--) {
          end += readNumber(in);
          sequence += readNumber(in);
          marks.add(new Mark(end, sequence));
        }
        pieces.add(new Piece(log, from, in.readNBytes(in.readInt()), marks));
      }
      return new Segment(pieces);
    }
  }

  private static void writeNumber(DataOutputStream out, long number) throws IOException {
    long left = number;
    while (left < 0 || left > 0x7f) {
      out.writeByte((int) left | 0x80);
      left >>>= 7;
    }
    out.writeByte((int) left);
  }

  private static long readNumber(DataInputStream in) throws IOException {
    long number = 0;
    for (int shift = 0; shift < Long.SIZE; shift += 7) {
      int next = in.readUnsignedByte();
      number |= (long) (next & 0x7f) << shift;
      if (next <= 0x7f) {
        break;
      }
    }
    return number;
  }
}
