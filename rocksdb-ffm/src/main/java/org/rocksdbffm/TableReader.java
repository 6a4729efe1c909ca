/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm;

import static java.util.Objects.requireNonNull;

import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import org.rocksdbffm.internal.folder.FolderPath;
import org.rocksdbffm.internal.format.Fields;
import org.rocksdbffm.internal.ingest.TableEntries;

/**
 * Reads a table file without a database: all its entries with their sequence numbers, including deletions and older
 * versions of a key, and its properties. The file may be one that a {@link TableWriter} has finished, or a file of a
 * database, also of an open one. Immutable; opens the file for the duration of each call.
 *
 * <p>Files of encrypted databases are read within {@link EncryptionKeys#use}. Values in blob files are not read.
 */
public final class TableReader {
  private final FolderPath file;

  private TableReader(FolderPath file) {
    this.file = file;
  }

  /**
   * Returns a reader of a table file, without opening it.
   *
   * @param file the file, of any key order
   * @return the reader
   */
  public static TableReader of(Path file) {
    return new TableReader(FolderPath.of("file", file));
  }

  /**
   * Returns the properties of the file.
   *
   * @return the properties
   * @throws RocksDbException if the file is no table file, is damaged, or cannot be read with the keys
   */
  public Properties properties() {
    return new Properties(TableEntries.properties(file.path()));
  }

  /**
   * Visits all entries: range deletions first, and then the others in the order of the file, the newest entry of a key
   * first. Verifies the checksums of the blocks that are read. Not available on macOS, where the C++ stubs are missing.
   *
   * @param visitor called for each entry; its exceptions end the visit
   * @throws RocksDbException if the file is no table file, is damaged, or cannot be read with the keys
   */
  public void forEach(Visitor visitor) {
    requireNonNull(visitor, "visitor");
    TableEntries.forEach(file, (kind, sequence, key, value) ->
        visitor.visit(Kind.of(kind), sequence, segment(key), segment(value)));
  }

  private static MemorySegment segment(byte[] bytes) {
    return MemorySegment.ofArray(bytes).asReadOnly();
  }

  @Override
  public String toString() {
    return "table file " + file;
  }

  /** The kinds of entries. */
  public enum Kind {
    /** A value. */
    VALUE,
    /** An operand of a merge. */
    OPERAND,
    /** The deletion of a key. */
    DELETION,
    /** The deletion of a key that was put once. */
    SINGLE_DELETION,
    /** The deletion of all keys from one key up to, but not including, another, which is the value. */
    RANGE_DELETION,
    /** An entity in its serialized form. */
    ENTITY,
    /** The location of a value in a blob file. */
    BLOB,
    /** Another kind, which this library does not write. */
    OTHER;

    private static Kind of(int number) {
      return switch (number) {
        case 0 -> DELETION;
        case 1 -> VALUE;
        case 2 -> OPERAND;
        case 7 -> SINGLE_DELETION;
        case 0xf -> RANGE_DELETION;
        case 0x11 -> BLOB;
        case 0x16 -> ENTITY;
        default -> OTHER;
      };
    }
  }

  /** Receives the entries of a table file. */
  @FunctionalInterface
  public interface Visitor {
    /**
     * Receives an entry. The segments are read-only and may be kept.
     *
     * @param kind the kind of entry
     * @param sequenceNumber the sequence number in the file; 0 for rows of a {@link TableWriter}, also after an
     *     ingestion, and for rows that a compaction to the last level has found to be the only version of their keys
     * @param key the key, or the start of a range
     * @param value the value, the operand, or the end of a range; empty for the deletion of a key
     */
    void visit(Kind kind, long sequenceNumber, MemorySegment key, MemorySegment value);
  }

  /**
   * The properties of a table file, by the engine's names, such as {@code rocksdb.raw.key.size},
   * {@code rocksdb.num.range-deletions} and {@code rocksdb.compression}. Immutable.
   */
  public static final class Properties {
    private final Map<String, byte[]> values;

    Properties(Map<String, byte[]> values) {
      this.values = Map.copyOf(values);
    }

    /**
     * Returns the names of all properties.
     *
     * @return the names, unordered
     */
    public Set<String> names() {
      return values.keySet();
    }

    /**
     * Returns a property that is a number. A text may look like a number: the caller knows the type.
     *
     * @param name the name of the property
     * @return the number; empty if the file lacks the property, or its value is no number
     */
    public OptionalLong number(String name) {
      byte[] value = values.get(requireNonNull(name, "name"));
      if (value == null || value.length == 0) {
        return OptionalLong.empty();
      }
      try {
        Fields fields = new Fields(value, 0, value.length);
        long number = fields.varint();
        return fields.isAtEnd() ? OptionalLong.of(number) : OptionalLong.empty();
      } catch (Fields.Unreadable e) {
        return OptionalLong.empty();
      }
    }

    /**
     * Returns a property that is a text.
     *
     * @param name the name of the property
     * @return the text; empty if the file lacks the property
     */
    public Optional<String> text(String name) {
      return Optional.ofNullable(values.get(requireNonNull(name, "name")))
          .map(value -> new String(value, StandardCharsets.UTF_8));
    }

    @Override
    public String toString() {
      return "table properties " + values.keySet();
    }
  }
}
