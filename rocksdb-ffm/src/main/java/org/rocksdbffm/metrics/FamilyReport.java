/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.metrics;

import static java.util.Objects.requireNonNull;

import java.util.Optional;
import org.rocksdbffm.ByteSize;

/**
 * Figures of a column family, asked for one after the other, so that those of a family that is written meanwhile need not be of
 * one moment. {@link org.rocksdbffm.FamilyFiles#levels} has its table files, and {@link org.rocksdbffm.FamilyMetrics#cache} the kinds of blocks in its
 * cache.
 *
 * @param name of the column family
 * @param estimatedKeys how many keys there are, by an estimate that overwritten and deleted ones spoil
 * @param estimatedLiveData how large the tables would be if all were compacted, by an estimate
 * @param tables the size of the table files that reads need
 * @param tablesOnDisk the size of all table files, those too that only an iterator or another old reader still needs
 * @param compactionDebt how much compactions have to rewrite, by an estimate
 * @param memtables the memory of all memtables, those included that are flushed and kept for an iterator
 * @param memtableEntries the writes in memtables that are not flushed yet, deletions among them
 * @param memtableDeletions the deletions among these
 * @param blobs the blob files
 * @param blockCache the cache of blocks, unless the family has none
 * @param blobCache the cache of {@link org.rocksdbffm.FamilyOptions#blobCache}, unless the family has none
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
