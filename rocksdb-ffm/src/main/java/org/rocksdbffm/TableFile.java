/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm;

import static java.util.Objects.requireNonNull;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.Objects;

/** A table file that a {@link TableWriter} has finished: a value that tells of it, while the file may come and go. */
public final class TableFile {
  private final Path path;
  private final ByteSize size;
  private final long entries;
  private final long rangeDeletions;
  private final byte[] smallestKey;
  private final byte[] largestKey;

  TableFile(Path path, ByteSize size, long entries, long rangeDeletions, byte[] smallestKey, byte[] largestKey) {
    this.path = requireNonNull(path);
    this.size = requireNonNull(size);
    this.entries = entries;
    this.rangeDeletions = rangeDeletions;
    this.smallestKey = requireNonNull(smallestKey);
    this.largestKey = requireNonNull(largestKey);
  }

  /**
   * Where it was written.
   *
   * @return an absolute path
   */
  public Path path() {
    return path;
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
   * How many keys were put, merged and deleted.
   *
   * @return the count, without the deletions of ranges
   */
  public long entries() {
    return entries;
  }

  /**
   * How many ranges it deletes.
   *
   * @return the count
   */
  public long rangeDeletions() {
    return rangeDeletions;
  }

  /**
   * The first of its keys in the order of the options, or the first of a range that it deletes.
   *
   * @return a copy of the key
   */
  public byte[] smallestKey() {
    return smallestKey.clone();
  }

  /**
   * The last of its keys in the order of the options, or the end of a range that it deletes, which is no part of that.
   *
   * @return a copy of the key
   */
  public byte[] largestKey() {
    return largestKey.clone();
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof TableFile that
        && path.equals(that.path)
        && size.equals(that.size)
        && entries == that.entries
        && rangeDeletions == that.rangeDeletions
        && Arrays.equals(smallestKey, that.smallestKey)
        && Arrays.equals(largestKey, that.largestKey);
  }

  @Override
  public int hashCode() {
    return Objects.hash(path, size, entries, rangeDeletions);
  }

  @Override
  public String toString() {
    return path + ", " + size + ", " + entries + " entries, " + rangeDeletions + " deletions of ranges";
  }
}
