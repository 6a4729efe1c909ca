/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm;

import static java.util.Objects.requireNonNull;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.Objects;
import org.rocksdbffm.internal.files.FileWork;

/** A table file of a database, as it was when it was asked for; it may be gone since. */
public final class LiveFile {
  private final String columnFamily;
  private final Path path;
  private final int level;
  private final ByteSize size;
  private final byte[] smallestKey;
  private final byte[] largestKey;
  private final long entries;
  private final long deletions;

  LiveFile(
      String columnFamily,
      Path path,
      int level,
      ByteSize size,
      byte[] smallestKey,
      byte[] largestKey,
      long entries,
      long deletions) {
    this.columnFamily = requireNonNull(columnFamily);
    this.path = requireNonNull(path);
    this.level = level;
    this.size = requireNonNull(size);
    this.smallestKey = requireNonNull(smallestKey);
    this.largestKey = requireNonNull(largestKey);
    this.entries = entries;
    this.deletions = deletions;
  }

  /**
   * The column family that it is of.
   *
   * @return the family's name
   */
  public String columnFamily() {
    return columnFamily;
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
   * The level that it is on.
   *
   * @return the level, from 0
   */
  public int level() {
    return level;
  }

  /**
   * How large it is.
   *
   * @return its size
   */
  public ByteSize size() {
    return size;
  }

  /**
   * The first of its keys, in the order of the family.
   *
   * @return a copy of the key
   */
  public byte[] smallestKey() {
    return smallestKey.clone();
  }

  /**
   * The last of its keys, in the order of the family.
   *
   * @return a copy of the key
   */
  public byte[] largestKey() {
    return largestKey.clone();
  }

  static LiveFile of(FileWork.Live live) {
    return new LiveFile(
        live.family(),
        live.path(),
        live.level(),
        ByteSize.bytes(live.size()),
        live.first(),
        live.last(),
        live.entries(),
        live.deletions());
  }

  /**
   * How many entries it has, deletions included.
   *
   * @return the count
   */
  public long entries() {
    return entries;
  }

  /**
   * How many of its entries are deletions.
   *
   * @return the count
   */
  public long deletions() {
    return deletions;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof LiveFile that
        && columnFamily.equals(that.columnFamily)
        && path.equals(that.path)
        && level == that.level
        && size.equals(that.size)
        && Arrays.equals(smallestKey, that.smallestKey)
        && Arrays.equals(largestKey, that.largestKey)
        && entries == that.entries
        && deletions == that.deletions;
  }

  @Override
  public int hashCode() {
    return Objects.hash(columnFamily, path, level);
  }

  @Override
  public String toString() {
    return path + " of " + columnFamily + ", level " + level + ", " + size;
  }
}
