/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.metrics;

import static java.util.Objects.requireNonNull;

import java.time.Duration;
import java.util.Collections;
import java.util.EnumMap;
import java.util.Map;
import org.rocksdbffm.ByteSize;

/**
 * The kinds of entries that a block cache has, as the engine found them when it last looked through it ({@link Scan}): those
 * of all families and databases that share the cache.
 *
 * @param cache the engine's name of the cache, the same for all who share it
 * @param capacity how much the cache may have
 * @param shares the entries by kind, without kinds that have none
 * @param scans how often the engine has looked through the cache
 * @param scanTook how long the last look took
 * @param age how long ago it ended, in whole seconds
 */
public record CacheReport(
    String cache, ByteSize capacity, Map<Role, Share> shares, long scans, Duration scanTook, Duration age) {
  /**
   * The entries of one kind.
   *
   * @param count how many there are
   * @param size what the cache counts for them; to six digits, as the engine prints them
   * @param percent of the cache's capacity
   */
  public record Share(long count, ByteSize size, double percent) {
    /** Refuses null. */
    public Share {
      requireNonNull(size, "size");
    }

    /**
     * The entries of this kind and of another.
     *
     * @param other the other kind's share
     * @return the sums
     */
    public Share plus(Share other) {
      requireNonNull(other, "other");
      return new Share(count + other.count, ByteSize.bytes(size.bytes() + other.size.bytes()), percent + other.percent);
    }
  }

  /** Takes a copy of the map. */
  public CacheReport {
    requireNonNull(cache, "cache");
    requireNonNull(capacity, "capacity");
    requireNonNull(scanTook, "scanTook");
    requireNonNull(age, "age");
    Map<Role, Share> copy = new EnumMap<>(Role.class);
    copy.putAll(requireNonNull(shares, "shares"));
    shares = Collections.unmodifiableMap(copy);
  }

  private static Share none() {
    return new Share(0, ByteSize.bytes(0), 0);
  }

  /**
   * The entries of one kind.
   *
   * @param role the kind
   * @return its share, of zeros if there are no such entries
   */
  public Share share(Role role) {
    return shares.getOrDefault(requireNonNull(role, "role"), none());
  }

  /**
   * The entries of all kinds.
   *
   * @return the sums
   */
  public Share total() {
    return shares.values().stream().reduce(none(), Share::plus);
  }

  /** A kind of entry in a block cache. */
  public enum Role {
    /** Blocks of rows. */
    DATA_BLOCK("DataBlock"),
    /** Filters, or the parts of one. */
    FILTER_BLOCK("FilterBlock"),
    /** The indexes of filters that are in parts. */
    FILTER_META_BLOCK("FilterMetaBlock"),
    /** Filters of a form that no table is written with any more. */
    DEPRECATED_FILTER_BLOCK("DeprecatedFilterBlock"),
    /** Indexes of tables, or the parts of one. */
    INDEX_BLOCK("IndexBlock"),
    /** Other blocks of tables, such as dictionaries and deletions of ranges. */
    OTHER_BLOCK("OtherBlock"),
    /** Memtables, charged by a {@link org.rocksdbffm.MemoryBudget}. */
    WRITE_BUFFER("WriteBuffer"),
    /** Rows that wait for the dictionary of a new table, charged while it is written. */
    COMPRESSION_DICTIONARY("CompressionDictionaryBuildingBuffer"),
    /** Filters of new tables, charged while they are made. */
    FILTER_CONSTRUCTION("FilterConstruction"),
    /** The engine's objects of open tables, where they are charged. */
    TABLE_READER("BlockBasedTableReader"),
    /** The engine's knowledge of files, where it is charged. */
    FILE_METADATA("FileMetadata"),
    /** Values of blob files, in a cache that is that of blocks too. */
    BLOB_VALUE("BlobValue"),
    /** A cache of blobs that is charged to that of blocks. */
    BLOB_CACHE("BlobCache"),
    /** All others. */
    MISC("Misc");

    private final String word;

    Role(String word) {
      this.word = word;
    }

    /**
     * The role with the engine's name.
     *
     * @param word the engine's name of a role
     * @return the role; {@link #MISC} for a name that is not known here
     */
    public static Role of(String word) {
      requireNonNull(word, "word");
      for (Role role : values()) {
        if (role.word.equals(word)) {
          return role;
        }
      }
      return MISC;
    }
  }

  /** How old a {@link CacheReport} may be. The engine looks through a whole cache for a new one, by the thread that asks. */
  public enum Scan {
    /** Not older than ten seconds, or than ten times of what the last look took: for somebody who looks at a database. */
    FRESH("rocksdb.block-cache-entry-stats"),
    /** Not older than three minutes, or than 500 times of what the last look took: for a monitor that always asks. */
    CHEAP("rocksdb.fast-block-cache-entry-stats");

    private final String property;

    Scan(String property) {
      this.property = property;
    }

    /**
     * The engine's name of the property that has the report.
     *
     * @return the name
     */
    public String property() {
      return property;
    }
  }
}
