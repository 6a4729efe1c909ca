/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.format;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.OptionalLong;

/**
 * Reads the properties and the range deletions of a table file from its blocks. The C API returns properties only after
 * the file has become part of a database, which is too late to refuse it, and no range deletions.
 */
public final class TableProperties {
  private static final String PROPERTIES = "rocksdb.properties";
  private static final String RANGE_DELETIONS = "rocksdb.range_del";
  private static final String MERGES = "rocksdb.merge.operands";
  private static final String FAMILY = "rocksdb.column.family.id";
  private static final String COMPARATOR = "rocksdb.comparator";
  private static final String RANGES = "rocksdb.num.range-deletions";
  private static final long OF_BLOCKS = 0x88e241b785f4cff7L;
  private static final long OF_PLAIN = 0x8242229663bf9564L;
  private static final long OF_OLD_PLAIN = 0x4f3418eb7a8f13b8L;
  private static final int FOOTER = 53;
  private static final int OLD_FOOTER = 48;
  private static final int VERSION_AT = 41;
  private static final int MAGIC_AT = 45;
  private static final int OLD_MAGIC_AT = 40;
  private static final int METAINDEX_SIZE_AT = 13;
  private static final int WITHOUT_HANDLES = 6;
  private static final int TRAILER = 5;
  private static final int MOST_BYTES = 64 << 20;
  private static final int COUNT_OF_RESTARTS = 0x0fffffff;

  private TableProperties() {}

  /** A part of a file. */
  private record Block(long offset, long size) {}

  /** Receives the entries of a block. */
  public interface Entries {
    void take(byte[] key, byte[] value);
  }

  /**
   * Returns all properties: texts and encoded numbers.
   *
   * @throws Fields.Unreadable if the format of the file is unknown
   */
  public static Map<String, byte[]> allOf(Path file) throws IOException {
    try (DatabaseFile.Content content = new DatabaseFile.Content(file)) {
      byte[] handle = entries(content, metaindex(content)).get(PROPERTIES);
      if (handle == null) {
        throw new Fields.Unreadable("no properties");
      }
      return entries(content, handle(new Fields(handle, 0, handle.length)));
    }
  }

  /**
   * Passes on all range deletions: an internal key, and the end of the range.
   *
   * @throws Fields.Unreadable if the format of the file is unknown
   */
  public static void rangeDeletionsOf(Path file, Entries receiver) throws IOException {
    try (DatabaseFile.Content content = new DatabaseFile.Content(file)) {
      byte[] handle = entries(content, metaindex(content)).get(RANGE_DELETIONS);
      if (handle != null) {
        forEach(bytes(content, handle(new Fields(handle, 0, handle.length))), receiver);
      }
    }
  }

  /** Whether the file contains merge operands; false if unknown. */
  public static boolean hasMerges(Path file) throws IOException {
    return numberIn(file, MERGES).orElse(0) != 0;
  }

  /** Returns the id of the file's column family; empty if unknown. */
  public static OptionalLong familyOf(Path file) throws IOException {
    return numberIn(file, FAMILY);
  }

  /** Whether the file contains range deletions; false if unknown. */
  public static boolean hasRangeDeletions(Path file) throws IOException {
    return numberIn(file, RANGES).orElse(0) != 0;
  }

  private static OptionalLong numberIn(Path file, String name) throws IOException {
    try {
      byte[] number = allOf(file).get(name);
      return number == null ? OptionalLong.empty() : OptionalLong.of(new Fields(number, 0, number.length).varint());
    } catch (Fields.Unreadable | EOFException e) {
      return OptionalLong.empty();
    }
  }

  /** Returns the name of the file's comparator; null if unknown. */
  public static String comparatorOf(Path file) throws IOException {
    try {
      byte[] name = allOf(file).get(COMPARATOR);
      return name == null ? null : new String(name, StandardCharsets.UTF_8);
    } catch (Fields.Unreadable | EOFException e) {
      return null;
    }
  }

  private static Block handle(Fields fields) {
    return new Block(fields.varint(), fields.varint());
  }

  /** Returns the location of the metaindex block. */
  private static Block metaindex(DatabaseFile.Content content) throws IOException {
    long size = content.size();
    byte[] footer = bytes(content, new Block(size - FOOTER, FOOTER));
    ByteBuffer numbers = ByteBuffer.wrap(footer).order(ByteOrder.LITTLE_ENDIAN);
    long magic = numbers.getLong(MAGIC_AT);
    if (magic == OF_OLD_PLAIN) {
      return handle(new Fields(footer, FOOTER - OLD_FOOTER, OLD_MAGIC_AT));
    }
    if (magic != OF_BLOCKS && magic != OF_PLAIN) {
      throw new Fields.Unreadable("another form of table");
    }
    if (numbers.getInt(VERSION_AT) < WITHOUT_HANDLES) {
      return handle(new Fields(footer, 1, VERSION_AT - 1));
    }
    long length = Integer.toUnsignedLong(numbers.getInt(METAINDEX_SIZE_AT));
    return new Block(size - FOOTER - (magic == OF_BLOCKS ? TRAILER : 0) - length, length);
  }

  private static byte[] bytes(DatabaseFile.Content content, Block block) throws IOException {
    if (block.offset < 0 || block.size < 0 || block.size > MOST_BYTES || block.offset > content.size() - block.size) {
      throw new Fields.Unreadable("a block beyond the file");
    }
    byte[] bytes = new byte[(int) block.size];
    content.read(block.offset, bytes);
    return bytes;
  }

  private static Map<String, byte[]> entries(DatabaseFile.Content content, Block block) throws IOException {
    Map<String, byte[]> entries = new HashMap<>();
    forEach(bytes(content, block), (key, value) -> entries.put(new String(key, StandardCharsets.ISO_8859_1), value));
    return entries;
  }

  /** Passes on the entries of an uncompressed block; keys share prefixes with the previous key. */
  private static void forEach(byte[] bytes, Entries receiver) {
    if (bytes.length < Integer.BYTES) {
      throw new Fields.Unreadable("a block without a count");
    }
    long restarts = Fields.fixedInt(bytes, bytes.length - Integer.BYTES) & COUNT_OF_RESTARTS;
    long end = bytes.length - Integer.BYTES * (restarts + 1);
    if (end < 0) {
      throw new Fields.Unreadable("more restarts than the block has room for");
    }
    Fields fields = new Fields(bytes, 0, (int) end);
    byte[] key = {};
    while (!fields.isAtEnd()) {
      int shared = fields.smallNumber();
      int rest = fields.smallNumber();
      int length = fields.smallNumber();
      if (shared > key.length) {
        throw new Fields.Unreadable("a key that shares more than there is");
      }
      byte[] suffix = fields.bytes(rest);
      key = Arrays.copyOf(key, shared + rest);
      System.arraycopy(suffix, 0, key, shared, rest);
      receiver.take(key, fields.bytes(length));
    }
  }
}
