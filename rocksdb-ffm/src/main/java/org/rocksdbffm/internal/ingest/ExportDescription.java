/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.ingest;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.zip.CRC32C;
import org.rocksdbffm.internal.format.Fields;

/**
 * The description of an exported family, as bytes: a magic text, the version 1, the name of the comparator, the files,
 * and the CRC-32C of the rest. Numbers are big-endian, and texts and keys have their lengths before them.
 */
record ExportDescription(byte[] comparator, List<File> files) {
  private static final String MAGIC = "ffm-export\n";
  private static final int VERSION = 1;

  /**
   * A file, as the words of a {@code rocksdb_ffm_cxx_exported_file}: its name, its folder at the export, its first and
   * last keys, the internal keys that bound its range deletions; and level, size, sequence numbers, counts and epoch.
   */
  record File(List<byte[]> texts, long[] numbers) {
    static final int TEXTS = 6;
    static final int NUMBERS = 7;

    private void write(DataOutputStream out) throws IOException {
      for (byte[] text : texts) {
        writeBytes(out, text);
      }
      for (long number : numbers) {
        out.writeLong(number);
      }
    }

    private static File read(DataInputStream in) throws IOException {
      List<byte[]> texts = new ArrayList<>();
      for (int i = 0; i < TEXTS; i++) {
        texts.add(readBytes(in));
      }
      long[] numbers = new long[NUMBERS];
      for (int i = 0; i < NUMBERS; i++) {
        numbers[i] = in.readLong();
      }
      return new File(texts, numbers);
    }
  }

  private static void writeBytes(DataOutputStream out, byte[] bytes) throws IOException {
    out.writeInt(bytes.length);
    out.write(bytes);
  }

  private static byte[] readBytes(DataInputStream in) throws IOException {
    int length = in.readInt();
    if (length < 0 || length > in.available()) {
      throw new Fields.Unreadable("a text that is longer than the description");
    }
    return in.readNBytes(length);
  }

  byte[] toBytes() throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    DataOutputStream out = new DataOutputStream(bytes);
    out.write(MAGIC.getBytes(StandardCharsets.US_ASCII));
    out.writeInt(VERSION);
    writeBytes(out, comparator);
    out.writeInt(files.size());
    for (File file : files) {
      file.write(out);
    }
    out.writeInt(checksum(bytes.toByteArray()));
    return bytes.toByteArray();
  }

  private static int checksum(byte[] bytes) {
    CRC32C checksum = new CRC32C();
    checksum.update(bytes);
    return (int) checksum.getValue();
  }

  /**
   * Returns the description in bytes.
   *
   * @throws Fields.Unreadable if the bytes are damaged, or of another version
   */
  static ExportDescription of(byte[] bytes) throws IOException {
    int end = bytes.length - Integer.BYTES;
    int start = MAGIC.length() + Integer.BYTES;
    if (end < start || !new String(bytes, 0, MAGIC.length(), StandardCharsets.US_ASCII).equals(MAGIC)) {
      throw new Fields.Unreadable("another kind of file");
    }
    int version = new DataInputStream(new ByteArrayInputStream(bytes, MAGIC.length(), Integer.BYTES)).readInt();
    if (version != VERSION) {
      throw new Fields.Unreadable("version " + version + ", and this library reads version " + VERSION);
    }
    int found = new DataInputStream(new ByteArrayInputStream(bytes, end, Integer.BYTES)).readInt();
    if (found != checksum(Arrays.copyOf(bytes, end))) {
      throw new Fields.Unreadable("a wrong checksum");
    }
    DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes, start, end - start));
    byte[] comparator = readBytes(in);
    List<File> files = new ArrayList<>();
    for (int left = in.readInt(); left > 0; left--) {
      files.add(File.read(in));
    }
    return new ExportDescription(comparator, files);
  }
}
