/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm;

import static java.util.Objects.requireNonNull;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalLong;
import org.rocksdbffm.internal.files.StorageInfo;

/** A file that a copy of a database needs, and how much of it. */
public final class HeldFile {
  private final String name;
  private final Path path;
  private final Kind kind;
  private final ByteSize size;
  private final boolean whole;
  private final byte[] contents;
  private final long checksum;

  /** The kinds of files that a database needs. */
  public enum Kind {
    /** Rows in order. */
    TABLE,
    /** Large values that tables refer to. */
    BLOB,
    /** The rows that no table has yet. */
    LOG,
    /** Which tables there are. */
    MANIFEST,
    /** The name of the MANIFEST. */
    CURRENT,
    /** The options. */
    OPTIONS,
    /** Another one. */
    OTHER
  }

  private HeldFile(StorageInfo.Entry entry) {
    this.name = requireNonNull(entry.name());
    this.path = requireNonNull(entry.path());
    this.kind = kind(entry.type());
    this.size = ByteSize.bytes(entry.size());
    this.whole = !entry.grows() && entry.contents() == null;
    this.contents = entry.contents();
    this.checksum = entry.checksum();
  }

  static HeldFile of(StorageInfo.Entry entry) {
    return new HeldFile(entry);
  }

  private static Kind kind(int engine) {
    return switch (engine) {
      case 0 -> Kind.LOG;
      case 2 -> Kind.TABLE;
      case 3 -> Kind.MANIFEST;
      case 4 -> Kind.CURRENT;
      case 9 -> Kind.OPTIONS;
      case 10 -> Kind.BLOB;
      default -> Kind.OTHER;
    };
  }

  /**
   * The name that it has in a copy.
   *
   * @return the file's name, without a folder
   */
  public String name() {
    return name;
  }

  /**
   * Where it is.
   *
   * @return its path
   */
  public Path path() {
    return path;
  }

  /**
   * The kind of file.
   *
   * @return the kind
   */
  public Kind kind() {
    return kind;
  }

  /**
   * How much is to be copied: the file may be longer by now.
   *
   * @return the size of the copy
   */
  public ByteSize size() {
    return size;
  }

  /**
   * Whether the file does not change any more, so that a link to it does as a copy.
   *
   * @return false for one of which a beginning is copied, or other contents
   */
  public boolean isWhole() {
    return whole;
  }

  /**
   * The contents that a copy has in the place of the file's, which may be others by now.
   *
   * @return a copy of the contents, for the file CURRENT alone
   */
  public Optional<byte[]> contents() {
    return Optional.ofNullable(contents).map(byte[]::clone);
  }

  /**
   * The CRC-32C of the whole file, as {@link java.util.zip.CRC32C} computes it: of a table or blob file that was written with
   * the option {@code file_checksum_gen_factory}.
   *
   * @return the checksum, if there is one
   */
  public OptionalLong checksum() {
    return checksum < 0 ? OptionalLong.empty() : OptionalLong.of(checksum);
  }

  /**
   * Opens what is to be copied, and nothing behind it.
   *
   * @return a stream of {@link #size} bytes, which the caller <em>owns</em> and must close; one that finds the file shorter
   *     throws {@link java.io.EOFException}
   * @throws IOException if the file cannot be opened, as when the hold was closed and the file has gone
   */
  public InputStream open() throws IOException {
    return contents != null
        ? new ByteArrayInputStream(contents)
        : new FileBeginning(Files.newInputStream(path), size.bytes(), path);
  }

  @Override
  public String toString() {
    return path + ", " + kind + ", " + size;
  }
}
