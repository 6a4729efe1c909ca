/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.reports;

import static java.util.Objects.requireNonNull;

import java.time.Duration;
import java.util.Collections;
import java.util.EnumMap;
import java.util.Map;
import org.rocksdbffm.ByteSize;

/**
 * The entries of a block cache by kind, as counted by the engine's last {@linkplain Scan scan}, for all families and
 * databases that share the cache.
 *
 * @param cache the engine's name of the cache, the same for all families and databases that share it
 * @param capacity the capacity of the cache
 * @param shares the entries by kind; kinds without entries are missing
 * @param scans how often the engine has scanned the cache
 * @param scanTook the duration of the last scan
 * @param age the time since the last scan, in whole seconds
 */
public record CacheReport(
    String cache, ByteSize capacity, Map<Role, Share> shares, long scans, Duration scanTook, Duration age) {
  /**
   * The entries of one kind.
   *
   * @param count the number of entries
   * @param size the size that the cache charges for them, rounded to six digits by the engine
   * @param percent the size as a percentage of the cache's capacity
   */
  public record Share(long count, ByteSize size, double percent) {
    /** Refuses null. */
    public Share {
      requireNonNull(size, "size");
    }

    /**
     * Returns the sum of two shares.
     *
     * @param other the share of another kind
     * @return the sums
     */
    public Share plus(Share other) {
      requireNonNull(other, "other");
      return new Share(count + other.count, ByteSize.bytes(size.bytes() + other.size.bytes()), percent + other.percent);
    }
  }

  /** Copies the map. */
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
   * Returns the entries of one kind.
   *
   * @param role the kind
   * @return the share, with zeros if there are no such entries
   */
  public Share share(Role role) {
    return shares.getOrDefault(requireNonNull(role, "role"), none());
  }

  /**
   * Returns the entries of all kinds.
   *
   * @return the sums
   */
  public Share total() {
    return shares.values().stream().reduce(none(), Share::plus);
  }

  /** A kind of entry in a block cache. */
  public enum Role {
    /** Data blocks. */
    DATA_BLOCK("DataBlock"),
    /** Filters, or partitions of filters. */
    FILTER_BLOCK("FilterBlock"),
    /** Top-level indexes of partitioned filters. */
    FILTER_META_BLOCK("FilterMetaBlock"),
    /** Filters in a format that no table is written with any more. */
    DEPRECATED_FILTER_BLOCK("DeprecatedFilterBlock"),
    /** Indexes, or partitions of indexes. */
    INDEX_BLOCK("IndexBlock"),
    /** Other blocks of tables, such as compression dictionaries and range deletions. */
    OTHER_BLOCK("OtherBlock"),
    /** Memtables, charged by a {@link org.rocksdbffm.MemoryBudget}. */
    WRITE_BUFFER("WriteBuffer"),
    /** Rows that are buffered to build the compression dictionary of a new table. */
    COMPRESSION_DICTIONARY("CompressionDictionaryBuildingBuffer"),
    /** Filters of new tables, while they are built. */
    FILTER_CONSTRUCTION("FilterConstruction"),
    /** The engine's objects of open tables, if they are charged to the cache. */
    TABLE_READER("BlockBasedTableReader"),
    /** The engine's metadata of files, if it is charged to the cache. */
    FILE_METADATA("FileMetadata"),
    /** Values of blob files, if blobs and blocks share the cache. */
    BLOB_VALUE("BlobValue"),
    /** A blob cache that is charged to the block cache. */
    BLOB_CACHE("BlobCache"),
    /** Other entries. */
    MISC("Misc");

    private final String word;

    Role(String word) {
      this.word = word;
    }

    /**
     * Returns the role with the engine's name.
     *
     * @param word the engine's name of a role
     * @return the role; {@link #MISC} for an unknown name
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

  /**
   * The maximum age of a {@link CacheReport}. For a new report, the engine scans the whole cache on the calling thread.
   */
  public enum Scan {
    /** At most ten seconds, or ten times the duration of the last scan: for interactive use. */
    FRESH("rocksdb.block-cache-entry-stats"),
    /** At most three minutes, or 500 times the duration of the last scan: for periodic monitoring. */
    CHEAP("rocksdb.fast-block-cache-entry-stats");

    private final String property;

    Scan(String property) {
      this.property = property;
    }

    /**
     * Returns the engine's name of the property with the report.
     *
     * @return the name
     */
    public String property() {
      return property;
    }
  }
}
