/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.archive;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.zip.Deflater;
import java.util.zip.DeflaterOutputStream;
import java.util.zip.InflaterInputStream;

/**
 * An entry of an archive's chain: a head, a compressed body, and the SHA-256 of both.
 *
 * @param hash the SHA-256, by which the next entry names this one
 */
record Entry(Head head, byte[] body, byte[] hash) {
  /** The hash of the previous entry in the first entry of an archive. */
  static final byte[] NO_HASH = new byte[32];

  private static final int MAGIC = 0x72666131; // rfa1
  private static final int MOST_OF_BODY = 1 << 30;

  /** The kinds of entries, in the order of their numbers in the format. */
  enum Kind {
    LINE,
    SEGMENT,
    BASE,
    PRUNE
  }

  /**
   * The part of an entry that is read to find other entries.
   *
   * @param line index of the entry that started the line
   * @param base index of the newest base before this entry, of any line; 0 if absent
   * @param prune index of the newest prune before this entry; 0 if absent
   * @param sequence all writes of the line up to this number are in the entries up to this one
   * @param millis the time in milliseconds; later than the times of all earlier entries
   */
  record Head(
      Kind kind, long index, String writer, long line, long base, long prune, long sequence, long millis, byte[] previous) {}

  /** Writes the body of an entry. */
  interface Body {
    void write(DataOutputStream out) throws IOException;
  }

  /** Compresses a body. */
  static byte[] compressed(Body body) {
    return compressed(Deflater.BEST_SPEED, body);
  }

  /** Compresses a body with a level of {@link Deflater}. */
  static byte[] compressed(int level, Body body) {
    Deflater deflater = new Deflater(level);
    try {
      ByteArrayOutputStream bytes = new ByteArrayOutputStream();
      try (DataOutputStream out = new DataOutputStream(new DeflaterOutputStream(bytes, deflater, 1 << 16))) {
        body.write(out);
      }
      return bytes.toByteArray();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } finally {
      deflater.end();
    }
  }

  DataInputStream open() {
    return new DataInputStream(new InflaterInputStream(new ByteArrayInputStream(body)));
  }

  static Entry of(Head head, byte[] body) {
    byte[] bytes = bytes(head, body);
    return new Entry(head, body, Hash.of(bytes, bytes.length));
  }

  /** Returns the bytes of the object. */
  byte[] bytes() {
    byte[] content = bytes(head, body);
    byte[] whole = Arrays.copyOf(content, content.length + hash.length);
    System.arraycopy(hash, 0, whole, content.length, hash.length);
    return whole;
  }

  private static byte[] bytes(Head head, byte[] body) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream(body.length + 256);
    try (DataOutputStream out = new DataOutputStream(bytes)) {
      out.writeInt(MAGIC);
      out.writeByte(head.kind.ordinal());
      out.writeLong(head.index);
      out.writeUTF(head.writer);
      out.writeLong(head.line);
      out.writeLong(head.base);
      out.writeLong(head.prune);
      out.writeLong(head.sequence);
      out.writeLong(head.millis);
      out.write(head.previous);
      out.writeInt(body.length);
      out.write(body);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return bytes.toByteArray();
  }

  /** Reads the head of the object with an index. */
  static Head readHead(InputStream in, long index) throws IOException {
    return readHead(new DataInputStream(in), index);
  }

  private static Head readHead(DataInputStream in, long index) throws IOException {
    if (in.readInt() != MAGIC) {
      throw new Damage(Chain.name(index), "it is not an entry of an archive");
    }
    int kind = in.readUnsignedByte();
    if (kind >= Kind.values().length) {
      throw new Damage(Chain.name(index), "a newer version wrote it: update this program");
    }
    long own = in.readLong();
    if (own != index) {
      throw new Damage(Chain.name(index), "it has the content of entry " + own);
    }
    return new Head(
        Kind.values()[kind],
        own,
        in.readUTF(),
        in.readLong(),
        in.readLong(),
        in.readLong(),
        in.readLong(),
        in.readLong(),
        in.readNBytes(NO_HASH.length));
  }

  /** Reads and verifies the object with an index. */
  static Entry read(InputStream from, long index) throws IOException {
    DataInputStream in = new DataInputStream(from);
    Head head = readHead(in, index);
    int size = in.readInt();
    if (size < 0 || size > MOST_OF_BODY) {
      throw new Damage(Chain.name(index), "its length is wrong");
    }
    byte[] body = in.readNBytes(size);
    byte[] hash = in.readNBytes(NO_HASH.length);
    Entry entry = of(head, body);
    if (body.length < size || in.read() >= 0 || !MessageDigest.isEqual(hash, entry.hash)) {
      throw new Damage(Chain.name(index), "its checksum is wrong");
    }
    return entry;
  }
}
