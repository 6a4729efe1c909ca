/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.metrics;

/** The histograms in {@link Statistics}: all that the engine has, by names made of its own. */
public enum Histogram {
  /** {@code rocksdb.db.get.micros}. */
  DB_GET_MICROS("rocksdb.db.get.micros"),
  /** {@code rocksdb.db.write.micros}. */
  DB_WRITE_MICROS("rocksdb.db.write.micros"),
  /** {@code rocksdb.compaction.times.micros}. */
  COMPACTION_TIMES_MICROS("rocksdb.compaction.times.micros"),
  /** {@code rocksdb.compaction.times.cpu_micros}. */
  COMPACTION_TIMES_CPU_MICROS("rocksdb.compaction.times.cpu_micros"),
  /** {@code rocksdb.subcompaction.setup.times.micros}. */
  SUBCOMPACTION_SETUP_TIMES_MICROS("rocksdb.subcompaction.setup.times.micros"),
  /** {@code rocksdb.table.sync.micros}. */
  TABLE_SYNC_MICROS("rocksdb.table.sync.micros"),
  /** {@code rocksdb.compaction.outfile.sync.micros}. */
  COMPACTION_OUTFILE_SYNC_MICROS("rocksdb.compaction.outfile.sync.micros"),
  /** {@code rocksdb.wal.file.sync.micros}. */
  WAL_FILE_SYNC_MICROS("rocksdb.wal.file.sync.micros"),
  /** {@code rocksdb.manifest.file.sync.micros}. */
  MANIFEST_FILE_SYNC_MICROS("rocksdb.manifest.file.sync.micros"),
  /** {@code rocksdb.table.open.io.micros}. */
  TABLE_OPEN_IO_MICROS("rocksdb.table.open.io.micros"),
  /** {@code rocksdb.db.multiget.micros}. */
  DB_MULTIGET_MICROS("rocksdb.db.multiget.micros"),
  /** {@code rocksdb.read.block.compaction.micros}. */
  READ_BLOCK_COMPACTION_MICROS("rocksdb.read.block.compaction.micros"),
  /** {@code rocksdb.read.block.get.micros}. */
  READ_BLOCK_GET_MICROS("rocksdb.read.block.get.micros"),
  /** {@code rocksdb.write.raw.block.micros}. */
  WRITE_RAW_BLOCK_MICROS("rocksdb.write.raw.block.micros"),
  /** {@code rocksdb.numfiles.in.singlecompaction}. */
  NUMFILES_IN_SINGLECOMPACTION("rocksdb.numfiles.in.singlecompaction"),
  /** {@code rocksdb.db.seek.micros}. */
  DB_SEEK_MICROS("rocksdb.db.seek.micros"),
  /** {@code rocksdb.db.write.stall}. */
  DB_WRITE_STALL("rocksdb.db.write.stall"),
  /** {@code rocksdb.sst.read.micros}. */
  SST_READ_MICROS("rocksdb.sst.read.micros"),
  /** {@code rocksdb.file.read.flush.micros}. */
  FILE_READ_FLUSH_MICROS("rocksdb.file.read.flush.micros"),
  /** {@code rocksdb.file.read.compaction.micros}. */
  FILE_READ_COMPACTION_MICROS("rocksdb.file.read.compaction.micros"),
  /** {@code rocksdb.file.read.db.open.micros}. */
  FILE_READ_DB_OPEN_MICROS("rocksdb.file.read.db.open.micros"),
  /** {@code rocksdb.file.read.get.micros}. */
  FILE_READ_GET_MICROS("rocksdb.file.read.get.micros"),
  /** {@code rocksdb.file.read.multiget.micros}. */
  FILE_READ_MULTIGET_MICROS("rocksdb.file.read.multiget.micros"),
  /** {@code rocksdb.file.read.db.iterator.micros}. */
  FILE_READ_DB_ITERATOR_MICROS("rocksdb.file.read.db.iterator.micros"),
  /** {@code rocksdb.file.read.verify.db.checksum.micros}. */
  FILE_READ_VERIFY_DB_CHECKSUM_MICROS("rocksdb.file.read.verify.db.checksum.micros"),
  /** {@code rocksdb.file.read.verify.file.checksums.micros}. */
  FILE_READ_VERIFY_FILE_CHECKSUMS_MICROS("rocksdb.file.read.verify.file.checksums.micros"),
  /** {@code rocksdb.sst.write.micros}. */
  SST_WRITE_MICROS("rocksdb.sst.write.micros"),
  /** {@code rocksdb.file.write.flush.micros}. */
  FILE_WRITE_FLUSH_MICROS("rocksdb.file.write.flush.micros"),
  /** {@code rocksdb.file.write.compaction.micros}. */
  FILE_WRITE_COMPACTION_MICROS("rocksdb.file.write.compaction.micros"),
  /** {@code rocksdb.file.write.db.open.micros}. */
  FILE_WRITE_DB_OPEN_MICROS("rocksdb.file.write.db.open.micros"),
  /** {@code rocksdb.num.subcompactions.scheduled}. */
  NUM_SUBCOMPACTIONS_SCHEDULED("rocksdb.num.subcompactions.scheduled"),
  /** {@code rocksdb.bytes.per.read}. */
  BYTES_PER_READ("rocksdb.bytes.per.read"),
  /** {@code rocksdb.bytes.per.write}. */
  BYTES_PER_WRITE("rocksdb.bytes.per.write"),
  /** {@code rocksdb.bytes.per.multiget}. */
  BYTES_PER_MULTIGET("rocksdb.bytes.per.multiget"),
  /** {@code rocksdb.compression.times.nanos}. */
  COMPRESSION_TIMES_NANOS("rocksdb.compression.times.nanos"),
  /** {@code rocksdb.decompression.times.nanos}. */
  DECOMPRESSION_TIMES_NANOS("rocksdb.decompression.times.nanos"),
  /** {@code rocksdb.read.num.merge_operands}. */
  READ_NUM_MERGE_OPERANDS("rocksdb.read.num.merge_operands"),
  /** {@code rocksdb.blobdb.key.size}. */
  BLOBDB_KEY_SIZE("rocksdb.blobdb.key.size"),
  /** {@code rocksdb.blobdb.value.size}. */
  BLOBDB_VALUE_SIZE("rocksdb.blobdb.value.size"),
  /** {@code rocksdb.blobdb.write.micros}. */
  BLOBDB_WRITE_MICROS("rocksdb.blobdb.write.micros"),
  /** {@code rocksdb.blobdb.get.micros}. */
  BLOBDB_GET_MICROS("rocksdb.blobdb.get.micros"),
  /** {@code rocksdb.blobdb.multiget.micros}. */
  BLOBDB_MULTIGET_MICROS("rocksdb.blobdb.multiget.micros"),
  /** {@code rocksdb.blobdb.seek.micros}. */
  BLOBDB_SEEK_MICROS("rocksdb.blobdb.seek.micros"),
  /** {@code rocksdb.blobdb.next.micros}. */
  BLOBDB_NEXT_MICROS("rocksdb.blobdb.next.micros"),
  /** {@code rocksdb.blobdb.prev.micros}. */
  BLOBDB_PREV_MICROS("rocksdb.blobdb.prev.micros"),
  /** {@code rocksdb.blobdb.blob.file.write.micros}. */
  BLOBDB_BLOB_FILE_WRITE_MICROS("rocksdb.blobdb.blob.file.write.micros"),
  /** {@code rocksdb.blobdb.blob.file.read.micros}. */
  BLOBDB_BLOB_FILE_READ_MICROS("rocksdb.blobdb.blob.file.read.micros"),
  /** {@code rocksdb.blobdb.blob.file.sync.micros}. */
  BLOBDB_BLOB_FILE_SYNC_MICROS("rocksdb.blobdb.blob.file.sync.micros"),
  /** {@code rocksdb.blobdb.compression.micros}. */
  BLOBDB_COMPRESSION_MICROS("rocksdb.blobdb.compression.micros"),
  /** {@code rocksdb.blobdb.decompression.micros}. */
  BLOBDB_DECOMPRESSION_MICROS("rocksdb.blobdb.decompression.micros"),
  /** {@code rocksdb.db.flush.micros}. */
  DB_FLUSH_MICROS("rocksdb.db.flush.micros"),
  /** {@code rocksdb.sst.batch.size}. */
  SST_BATCH_SIZE("rocksdb.sst.batch.size"),
  /** {@code rocksdb.multiget.io.batch.size}. */
  MULTIGET_IO_BATCH_SIZE("rocksdb.multiget.io.batch.size"),
  /** {@code rocksdb.num.index.and.filter.blocks.read.per.level}. */
  NUM_INDEX_AND_FILTER_BLOCKS_READ_PER_LEVEL("rocksdb.num.index.and.filter.blocks.read.per.level"),
  /** {@code rocksdb.num.sst.read.per.level}. */
  NUM_SST_READ_PER_LEVEL("rocksdb.num.sst.read.per.level"),
  /** {@code rocksdb.num.level.read.per.multiget}. */
  NUM_LEVEL_READ_PER_MULTIGET("rocksdb.num.level.read.per.multiget"),
  /** {@code rocksdb.error.handler.autoresume.retry.count}. */
  ERROR_HANDLER_AUTORESUME_RETRY_COUNT("rocksdb.error.handler.autoresume.retry.count"),
  /** {@code rocksdb.async.read.bytes}. */
  ASYNC_READ_BYTES("rocksdb.async.read.bytes"),
  /** {@code rocksdb.poll.wait.micros}. */
  POLL_WAIT_MICROS("rocksdb.poll.wait.micros"),
  /** {@code rocksdb.compaction.prefetch.bytes}. */
  COMPACTION_PREFETCH_BYTES("rocksdb.compaction.prefetch.bytes"),
  /** {@code rocksdb.prefetched.bytes.discarded}. */
  PREFETCHED_BYTES_DISCARDED("rocksdb.prefetched.bytes.discarded"),
  /** {@code rocksdb.async.prefetch.abort.micros}. */
  ASYNC_PREFETCH_ABORT_MICROS("rocksdb.async.prefetch.abort.micros"),
  /** {@code rocksdb.table.open.prefetch.tail.read.bytes}. */
  TABLE_OPEN_PREFETCH_TAIL_READ_BYTES("rocksdb.table.open.prefetch.tail.read.bytes"),
  /** {@code rocksdb.num.op.per.transaction}. */
  NUM_OP_PER_TRANSACTION("rocksdb.num.op.per.transaction"),
  /** {@code rocksdb.multiscan.op.prepare.iterators.micros}. */
  MULTISCAN_OP_PREPARE_ITERATORS_MICROS("rocksdb.multiscan.op.prepare.iterators.micros"),
  /** {@code rocksdb.multiscan.prepare.micros}. */
  MULTISCAN_PREPARE_MICROS("rocksdb.multiscan.prepare.micros"),
  /** {@code rocksdb.multiscan.blocks.per.prepare}. */
  MULTISCAN_BLOCKS_PER_PREPARE("rocksdb.multiscan.blocks.per.prepare"),
  /** {@code rocksdb.iodispatcher.async.read.observed.completion.micros}. */
  IODISPATCHER_ASYNC_READ_OBSERVED_COMPLETION_MICROS("rocksdb.iodispatcher.async.read.observed.completion.micros"),
  /** {@code rocksdb.iodispatcher.async.read.poll.wait.micros}. */
  IODISPATCHER_ASYNC_READ_POLL_WAIT_MICROS("rocksdb.iodispatcher.async.read.poll.wait.micros"),
  /** {@code rocksdb.iodispatcher.async.read.prefetch.lead.micros}. */
  IODISPATCHER_ASYNC_READ_PREFETCH_LEAD_MICROS("rocksdb.iodispatcher.async.read.prefetch.lead.micros"),
  /** {@code rocksdb.block.key.distribution.cv}. */
  BLOCK_KEY_DISTRIBUTION_CV("rocksdb.block.key.distribution.cv"),
  /** {@code rocksdb.ingest.external.file.prepare.micros}. */
  INGEST_EXTERNAL_FILE_PREPARE_MICROS("rocksdb.ingest.external.file.prepare.micros"),
  /** {@code rocksdb.ingest.external.file.run.micros}. */
  INGEST_EXTERNAL_FILE_RUN_MICROS("rocksdb.ingest.external.file.run.micros"),
  /** {@code rocksdb.rate.limiter.wait.micros.read}. */
  RATE_LIMITER_WAIT_MICROS_READ("rocksdb.rate.limiter.wait.micros.read"),
  /** {@code rocksdb.rate.limiter.wait.micros.write}. */
  RATE_LIMITER_WAIT_MICROS_WRITE("rocksdb.rate.limiter.wait.micros.write"),
  /** {@code rocksdb.flush.memtable.memory.bytes}. */
  FLUSH_MEMTABLE_MEMORY_BYTES("rocksdb.flush.memtable.memory.bytes"),
  /** {@code rocksdb.flush.memtable.total.data.size.bytes}. */
  FLUSH_MEMTABLE_TOTAL_DATA_SIZE_BYTES("rocksdb.flush.memtable.total.data.size.bytes"),
  /** {@code rocksdb.flush.write_buffer_full.memtable.memory.bytes}. */
  FLUSH_WRITE_BUFFER_FULL_MEMTABLE_MEMORY_BYTES("rocksdb.flush.write_buffer_full.memtable.memory.bytes"),
  /** {@code rocksdb.flush.write_buffer_manager.memtable.memory.bytes}. */
  FLUSH_WRITE_BUFFER_MANAGER_MEMTABLE_MEMORY_BYTES("rocksdb.flush.write_buffer_manager.memtable.memory.bytes"),
  /** {@code rocksdb.open.and.compact.db.open.micros}. */
  OPEN_AND_COMPACT_DB_OPEN_MICROS("rocksdb.open.and.compact.db.open.micros");

  private final String id;

  Histogram(String id) {
    this.id = id;
  }

  /**
   * The name that the engine gives it.
   *
   * @return the name in the engine's own texts
   */
  public String id() {
    return id;
  }
}
