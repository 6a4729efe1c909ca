/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.reports;

import static java.util.Objects.requireNonNull;

import java.util.Optional;
import org.rocksdbffm.ByteSize;

/**
 * Metrics of a column family. They are read one after another, so concurrent writes may make them inconsistent. See
 * {@link org.rocksdbffm.FamilyFiles#levels} for table files, and {@link org.rocksdbffm.FamilyMetrics#cache} for the
 * entries of the block cache.
 *
 * @param name the name of the column family
 * @param estimatedKeys the estimated number of keys; overwritten and deleted keys make the estimate inaccurate
 * @param estimatedLiveData the estimated size of the tables after a full compaction
 * @param tables the size of the table files that reads need
 * @param tablesOnDisk the size of all table files, including files that only an iterator or another old reader needs
 * @param compactionDebt the estimated bytes that compactions still have to rewrite
 * @param memtables the memory of all memtables, including flushed ones that an iterator retains
 * @param memtableEntries the number of entries in unflushed memtables, including deletions
 * @param memtableDeletions the number of deletions in unflushed memtables
 * @param blobs the blob files
 * @param blockCache the block cache; empty if absent
 * @param blobCache the cache of {@link org.rocksdbffm.FamilyOptions#blobCache}; empty if absent
 */
public record FamilyReport(
    String name,
    long estimatedKeys,
    ByteSize estimatedLiveData,
    ByteSize tables,
    ByteSize tablesOnDisk,
    ByteSize compactionDebt,
    ByteSize memtables,
    long memtableEntries,
    long memtableDeletions,
    BlobReport blobs,
    Optional<CacheUse> blockCache,
    Optional<CacheUse> blobCache) {
  /** Refuses null. */
  public FamilyReport {
    requireNonNull(name, "name");
    requireNonNull(estimatedLiveData, "estimatedLiveData");
    requireNonNull(tables, "tables");
    requireNonNull(tablesOnDisk, "tablesOnDisk");
    requireNonNull(compactionDebt, "compactionDebt");
    requireNonNull(memtables, "memtables");
    requireNonNull(blobs, "blobs");
    requireNonNull(blockCache, "blockCache");
    requireNonNull(blobCache, "blobCache");
  }
}
