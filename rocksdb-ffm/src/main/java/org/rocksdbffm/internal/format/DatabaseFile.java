/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.format;

import java.io.EOFException;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PushbackInputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * The content of a database file, decrypted with the keys of the running operation. An encrypted file starts with a
 * prefix, see {@code rocksdb_ffm_cxx.h}. A file is refused if it is encrypted and there are no keys, or the reverse.
 */
public final class DatabaseFile {
  /** The length of the prefix; offsets of the content do not include it. */
  public static final int PREFIX = 4096;

  /** The part of the prefix that is not zero. */
  public static final int HEADER = 80;

  private static final String MAGIC = "ffm-aes\n";
  private static final int KEY_AT = 32;
  private static final int KEY_LENGTH = 32;

  /** The keys of the running operation; not bound for a database that is not encrypted. */
  public static final ScopedValue<Keys> KEYS = ScopedValue.newInstance();

  /** The keys that files are decrypted with. */
  public interface Keys {
    /** Throws if the keys do not decrypt a file with this header. */
    void require(byte[] header, Path file) throws Refusal;

    /** Decrypts bytes in place; {@code offset}: of the first byte in the file, including the prefix. */
    void decrypt(byte[] header, long offset, byte[] bytes, int from, int length);
  }

  /** The failure to read a file: its key is missing, or keys are given for a file that is not encrypted. */
  public static final class Refusal extends IOException {
    private static final long serialVersionUID = 1;

    private final String advice;

    public Refusal(String message, String advice) {
      super(message);
      this.advice = advice;
    }

    public String advice() {
      return advice;
    }
  }

  private DatabaseFile() {}

  /** Opens the content of a file. */
  public static InputStream open(Path file) throws IOException {
    InputStream in = Files.newInputStream(file);
    try {
      byte[] header = in.readNBytes(HEADER);
      Keys keys = keysFor(header, file);
      if (keys == null) {
        PushbackInputStream whole = new PushbackInputStream(in, HEADER);
        whole.unread(header);
        return whole;
      }
      in.skipNBytes(PREFIX - HEADER);
      return new Decrypted(in, keys, header);
    } catch (Throwable e) {
      in.close();
      throw e;
    }
  }

  /**
   * Refuses a file that cannot be read with the current keys, or without keys if there are none; a missing file is
   * accepted.
   */
  public static void require(Path file) throws IOException {
    try (InputStream in = Files.newInputStream(file)) {
      keysFor(in.readNBytes(HEADER), file);
    } catch (NoSuchFileException deleted) {
      // another process has deleted the file, or there is no database
    }
  }

  /** Reads the whole content of a small file. */
  public static byte[] bytes(Path file) throws IOException {
    try (InputStream in = open(file)) {
      return in.readAllBytes();
    }
  }

  /** Returns the size of the content. */
  public static long size(Path file) throws IOException {
    long size = Files.size(file);
    return size >= PREFIX && KEYS.isBound() ? size - PREFIX : size;
  }

  /** Returns the id of the key that a file is encrypted with; null if it is not encrypted. */
  public static String keyOf(Path file) throws IOException {
    try (InputStream in = Files.newInputStream(file)) {
      byte[] header = in.readNBytes(HEADER);
      return isEncrypted(header) ? keyOf(header) : null;
    }
  }

  /** The content of a file that is read at any offset. */
  static final class Content implements AutoCloseable {
    private final Path file;
    private final FileChannel channel;
    private final byte[] header;
    private final Keys keys;

    Content(Path file) throws IOException {
      this.file = file;
      channel = FileChannel.open(file, StandardOpenOption.READ);
      try {
        header = new byte[(int) Math.min(HEADER, channel.size())];
        fill(header, 0);
        keys = keysFor(header, file);
      } catch (Throwable e) {
        channel.close();
        throw e;
      }
    }

    long size() throws IOException {
      return keys == null ? channel.size() : channel.size() - PREFIX;
    }

    void read(long offset, byte[] bytes) throws IOException {
      long start = keys == null ? offset : offset + PREFIX;
      fill(bytes, start);
      if (keys != null) {
        keys.decrypt(header, start, bytes, 0, bytes.length);
      }
    }

    private void fill(byte[] bytes, long start) throws IOException {
      ByteBuffer wanted = ByteBuffer.wrap(bytes);
      while (wanted.hasRemaining()) {
        if (channel.read(wanted, start + wanted.position()) < 0) {
          throw new EOFException(file + " is cut off");
        }
      }
    }

    @Override
    public void close() throws IOException {
      channel.close();
    }
  }

  private static Keys keysFor(byte[] header, Path file) throws Refusal {
    boolean isEncrypted = isEncrypted(header);
    if (!KEYS.isBound()) {
      if (isEncrypted) {
        throw new Refusal(
            file + " is encrypted, with the key '" + keyOf(header) + "'",
            "name the keys, with DatabaseOptions.encryption where a database is opened");
      }
      return null;
    }
    if (isUnwritten(header, file)) {
      return null;
    }
    if (!isEncrypted) {
      throw new Refusal(
          file + " is not encrypted, and keys are given",
          "leave out DatabaseOptions.encryption; to encrypt a database, copy its rows into a new one");
    }
    KEYS.get().require(header, file);
    return KEYS.get();
  }

  /** Whether a file is empty; also a WAL file that lost its prefix in a power failure, and so has no synced row. */
  private static boolean isUnwritten(byte[] header, Path file) {
    boolean isZero = true;
    for (byte each : header) {
      isZero &= each == 0;
    }
    return header.length == 0 || file.toString().endsWith(".log") && (isZero || header.length < HEADER);
  }

  private static boolean isEncrypted(byte[] header) {
    return header.length == HEADER
        && new String(header, 0, MAGIC.length(), StandardCharsets.ISO_8859_1).equals(MAGIC);
  }

  /** Returns the id of the key in the header of an encrypted file. */
  public static String keyOf(byte[] header) {
    return new String(header, KEY_AT, KEY_LENGTH, StandardCharsets.ISO_8859_1).replace("\0", "");
  }

  /** The content of an encrypted file behind its prefix. */
  private static final class Decrypted extends FilterInputStream {
    private final Keys keys;
    private final byte[] header;
    private long offset = PREFIX;

    Decrypted(InputStream in, Keys keys, byte[] header) {
      super(in);
      this.keys = keys;
      this.header = header;
    }

    @Override
    public int read() throws IOException {
      byte[] one = new byte[1];
      return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] bytes, int from, int length) throws IOException {
      int count = in.read(bytes, from, length);
      if (count > 0) {
        keys.decrypt(header, offset, bytes, from, count);
        offset += count;
      }
      return count;
    }

    @Override
    public long skip(long count) throws IOException {
      long skipped = in.skip(count);
      offset += skipped;
      return skipped;
    }

    @Override
    public boolean markSupported() {
      return false;
    }
  }
}
