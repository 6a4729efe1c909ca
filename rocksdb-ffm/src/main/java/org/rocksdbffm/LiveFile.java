/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm;

import static java.util.Objects.requireNonNull;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.Objects;
import org.rocksdbffm.internal.upkeep.FileWork;

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
  private final long firstSequenceNumber;
  private final long lastSequenceNumber;

  private LiveFile(FileWork.Live live) {
    this.columnFamily = requireNonNull(live.family());
    this.path = requireNonNull(live.path());
    this.level = live.level();
    this.size = ByteSize.bytes(live.size());
    this.smallestKey = requireNonNull(live.first());
    this.largestKey = requireNonNull(live.last());
    this.entries = live.entries();
    this.deletions = live.deletions();
    this.firstSequenceNumber = live.firstSequence();
    this.lastSequenceNumber = live.lastSequence();
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
    return new LiveFile(live);
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

  /**
   * The number of the oldest write in it; 0 once it does not matter any more, which a compaction to the last level finds.
   *
   * @return the sequence number
   */
  public long firstSequenceNumber() {
    return firstSequenceNumber;
  }

  /**
   * The number of the newest write in it.
   *
   * @return the sequence number
   */
  public long lastSequenceNumber() {
    return lastSequenceNumber;
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
        && deletions == that.deletions
        && firstSequenceNumber == that.firstSequenceNumber
        && lastSequenceNumber == that.lastSequenceNumber;
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
