/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.metrics;

/** The counts in {@link Statistics}: all that the engine has, by names made of its own. */
public enum Ticker {
  /** {@code rocksdb.block.cache.miss}. */
  BLOCK_CACHE_MISS("rocksdb.block.cache.miss"),
  /** {@code rocksdb.block.cache.hit}. */
  BLOCK_CACHE_HIT("rocksdb.block.cache.hit"),
  /** {@code rocksdb.block.cache.add}. */
  BLOCK_CACHE_ADD("rocksdb.block.cache.add"),
  /** {@code rocksdb.block.cache.add.failures}. */
  BLOCK_CACHE_ADD_FAILURES("rocksdb.block.cache.add.failures"),
  /** {@code rocksdb.block.cache.index.miss}. */
  BLOCK_CACHE_INDEX_MISS("rocksdb.block.cache.index.miss"),
  /** {@code rocksdb.block.cache.index.hit}. */
  BLOCK_CACHE_INDEX_HIT("rocksdb.block.cache.index.hit"),
  /** {@code rocksdb.block.cache.index.add}. */
  BLOCK_CACHE_INDEX_ADD("rocksdb.block.cache.index.add"),
  /** {@code rocksdb.block.cache.index.bytes.insert}. */
  BLOCK_CACHE_INDEX_BYTES_INSERT("rocksdb.block.cache.index.bytes.insert"),
  /** {@code rocksdb.block.cache.filter.miss}. */
  BLOCK_CACHE_FILTER_MISS("rocksdb.block.cache.filter.miss"),
  /** {@code rocksdb.block.cache.filter.hit}. */
  BLOCK_CACHE_FILTER_HIT("rocksdb.block.cache.filter.hit"),
  /** {@code rocksdb.block.cache.filter.add}. */
  BLOCK_CACHE_FILTER_ADD("rocksdb.block.cache.filter.add"),
  /** {@code rocksdb.block.cache.filter.bytes.insert}. */
  BLOCK_CACHE_FILTER_BYTES_INSERT("rocksdb.block.cache.filter.bytes.insert"),
  /** {@code rocksdb.block.cache.data.miss}. */
  BLOCK_CACHE_DATA_MISS("rocksdb.block.cache.data.miss"),
  /** {@code rocksdb.block.cache.data.hit}. */
  BLOCK_CACHE_DATA_HIT("rocksdb.block.cache.data.hit"),
  /** {@code rocksdb.block.cache.data.add}. */
  BLOCK_CACHE_DATA_ADD("rocksdb.block.cache.data.add"),
  /** {@code rocksdb.block.cache.data.bytes.insert}. */
  BLOCK_CACHE_DATA_BYTES_INSERT("rocksdb.block.cache.data.bytes.insert"),
  /** {@code rocksdb.block.cache.bytes.read}. */
  BLOCK_CACHE_BYTES_READ("rocksdb.block.cache.bytes.read"),
  /** {@code rocksdb.block.cache.bytes.write}. */
  BLOCK_CACHE_BYTES_WRITE("rocksdb.block.cache.bytes.write"),
  /** {@code rocksdb.block.cache.compression.dict.miss}. */
  BLOCK_CACHE_COMPRESSION_DICT_MISS("rocksdb.block.cache.compression.dict.miss"),
  /** {@code rocksdb.block.cache.compression.dict.hit}. */
  BLOCK_CACHE_COMPRESSION_DICT_HIT("rocksdb.block.cache.compression.dict.hit"),
  /** {@code rocksdb.block.cache.compression.dict.add}. */
  BLOCK_CACHE_COMPRESSION_DICT_ADD("rocksdb.block.cache.compression.dict.add"),
  /** {@code rocksdb.block.cache.compression.dict.bytes.insert}. */
  BLOCK_CACHE_COMPRESSION_DICT_BYTES_INSERT("rocksdb.block.cache.compression.dict.bytes.insert"),
  /** {@code rocksdb.block.cache.add.redundant}. */
  BLOCK_CACHE_ADD_REDUNDANT("rocksdb.block.cache.add.redundant"),
  /** {@code rocksdb.block.cache.index.add.redundant}. */
  BLOCK_CACHE_INDEX_ADD_REDUNDANT("rocksdb.block.cache.index.add.redundant"),
  /** {@code rocksdb.block.cache.filter.add.redundant}. */
  BLOCK_CACHE_FILTER_ADD_REDUNDANT("rocksdb.block.cache.filter.add.redundant"),
  /** {@code rocksdb.block.cache.data.add.redundant}. */
  BLOCK_CACHE_DATA_ADD_REDUNDANT("rocksdb.block.cache.data.add.redundant"),
  /** {@code rocksdb.block.cache.compression.dict.add.redundant}. */
  BLOCK_CACHE_COMPRESSION_DICT_ADD_REDUNDANT("rocksdb.block.cache.compression.dict.add.redundant"),
  /** {@code rocksdb.secondary.cache.hits}. */
  SECONDARY_CACHE_HITS("rocksdb.secondary.cache.hits"),
  /** {@code rocksdb.secondary.cache.filter.hits}. */
  SECONDARY_CACHE_FILTER_HITS("rocksdb.secondary.cache.filter.hits"),
  /** {@code rocksdb.secondary.cache.index.hits}. */
  SECONDARY_CACHE_INDEX_HITS("rocksdb.secondary.cache.index.hits"),
  /** {@code rocksdb.secondary.cache.data.hits}. */
  SECONDARY_CACHE_DATA_HITS("rocksdb.secondary.cache.data.hits"),
  /** {@code rocksdb.compressed.secondary.cache.dummy.hits}. */
  COMPRESSED_SECONDARY_CACHE_DUMMY_HITS("rocksdb.compressed.secondary.cache.dummy.hits"),
  /** {@code rocksdb.compressed.secondary.cache.hits}. */
  COMPRESSED_SECONDARY_CACHE_HITS("rocksdb.compressed.secondary.cache.hits"),
  /** {@code rocksdb.compressed.secondary.cache.promotions}. */
  COMPRESSED_SECONDARY_CACHE_PROMOTIONS("rocksdb.compressed.secondary.cache.promotions"),
  /** {@code rocksdb.compressed.secondary.cache.promotion.skips}. */
  COMPRESSED_SECONDARY_CACHE_PROMOTION_SKIPS("rocksdb.compressed.secondary.cache.promotion.skips"),
  /** {@code rocksdb.bloom.filter.useful}. */
  BLOOM_FILTER_USEFUL("rocksdb.bloom.filter.useful"),
  /** {@code rocksdb.bloom.filter.full.positive}. */
  BLOOM_FILTER_FULL_POSITIVE("rocksdb.bloom.filter.full.positive"),
  /** {@code rocksdb.bloom.filter.full.true.positive}. */
  BLOOM_FILTER_FULL_TRUE_POSITIVE("rocksdb.bloom.filter.full.true.positive"),
  /** {@code rocksdb.bloom.filter.prefix.checked}. */
  BLOOM_FILTER_PREFIX_CHECKED("rocksdb.bloom.filter.prefix.checked"),
  /** {@code rocksdb.bloom.filter.prefix.useful}. */
  BLOOM_FILTER_PREFIX_USEFUL("rocksdb.bloom.filter.prefix.useful"),
  /** {@code rocksdb.bloom.filter.prefix.true.positive}. */
  BLOOM_FILTER_PREFIX_TRUE_POSITIVE("rocksdb.bloom.filter.prefix.true.positive"),
  /** {@code rocksdb.persistent.cache.hit}. */
  PERSISTENT_CACHE_HIT("rocksdb.persistent.cache.hit"),
  /** {@code rocksdb.persistent.cache.miss}. */
  PERSISTENT_CACHE_MISS("rocksdb.persistent.cache.miss"),
  /** {@code rocksdb.sim.block.cache.hit}. */
  SIM_BLOCK_CACHE_HIT("rocksdb.sim.block.cache.hit"),
  /** {@code rocksdb.sim.block.cache.miss}. */
  SIM_BLOCK_CACHE_MISS("rocksdb.sim.block.cache.miss"),
  /** {@code rocksdb.memtable.hit}. */
  MEMTABLE_HIT("rocksdb.memtable.hit"),
  /** {@code rocksdb.memtable.miss}. */
  MEMTABLE_MISS("rocksdb.memtable.miss"),
  /** {@code rocksdb.l0.hit}. */
  L0_HIT("rocksdb.l0.hit"),
  /** {@code rocksdb.l1.hit}. */
  L1_HIT("rocksdb.l1.hit"),
  /** {@code rocksdb.l2andup.hit}. */
  L2ANDUP_HIT("rocksdb.l2andup.hit"),
  /** {@code rocksdb.compaction.key.drop.new}. */
  COMPACTION_KEY_DROP_NEW("rocksdb.compaction.key.drop.new"),
  /** {@code rocksdb.compaction.key.drop.obsolete}. */
  COMPACTION_KEY_DROP_OBSOLETE("rocksdb.compaction.key.drop.obsolete"),
  /** {@code rocksdb.compaction.key.drop.range_del}. */
  COMPACTION_KEY_DROP_RANGE_DEL("rocksdb.compaction.key.drop.range_del"),
  /** {@code rocksdb.compaction.key.drop.user}. */
  COMPACTION_KEY_DROP_USER("rocksdb.compaction.key.drop.user"),
  /** {@code rocksdb.compaction.range_del.drop.obsolete}. */
  COMPACTION_RANGE_DEL_DROP_OBSOLETE("rocksdb.compaction.range_del.drop.obsolete"),
  /** {@code rocksdb.compaction.optimized.del.drop.obsolete}. */
  COMPACTION_OPTIMIZED_DEL_DROP_OBSOLETE("rocksdb.compaction.optimized.del.drop.obsolete"),
  /** {@code rocksdb.compaction.cancelled}. */
  COMPACTION_CANCELLED("rocksdb.compaction.cancelled"),
  /** {@code rocksdb.compaction.aborted}. */
  COMPACTION_ABORTED("rocksdb.compaction.aborted"),
  /** {@code rocksdb.number.keys.written}. */
  NUMBER_KEYS_WRITTEN("rocksdb.number.keys.written"),
  /** {@code rocksdb.number.keys.read}. */
  NUMBER_KEYS_READ("rocksdb.number.keys.read"),
  /** {@code rocksdb.number.keys.updated}. */
  NUMBER_KEYS_UPDATED("rocksdb.number.keys.updated"),
  /** {@code rocksdb.bytes.written}. */
  BYTES_WRITTEN("rocksdb.bytes.written"),
  /** {@code rocksdb.bytes.read}. */
  BYTES_READ("rocksdb.bytes.read"),
  /** {@code rocksdb.number.db.seek}. */
  NUMBER_DB_SEEK("rocksdb.number.db.seek"),
  /** {@code rocksdb.number.db.next}. */
  NUMBER_DB_NEXT("rocksdb.number.db.next"),
  /** {@code rocksdb.number.db.prev}. */
  NUMBER_DB_PREV("rocksdb.number.db.prev"),
  /** {@code rocksdb.number.db.seek.found}. */
  NUMBER_DB_SEEK_FOUND("rocksdb.number.db.seek.found"),
  /** {@code rocksdb.number.db.next.found}. */
  NUMBER_DB_NEXT_FOUND("rocksdb.number.db.next.found"),
  /** {@code rocksdb.number.db.prev.found}. */
  NUMBER_DB_PREV_FOUND("rocksdb.number.db.prev.found"),
  /** {@code rocksdb.db.iter.bytes.read}. */
  DB_ITER_BYTES_READ("rocksdb.db.iter.bytes.read"),
  /** {@code rocksdb.number.iter.skip}. */
  NUMBER_ITER_SKIP("rocksdb.number.iter.skip"),
  /** {@code rocksdb.number.reseeks.iteration}. */
  NUMBER_RESEEKS_ITERATION("rocksdb.number.reseeks.iteration"),
  /** {@code rocksdb.num.iterator.created}. */
  NUM_ITERATOR_CREATED("rocksdb.num.iterator.created"),
  /** {@code rocksdb.num.iterator.deleted}. */
  NUM_ITERATOR_DELETED("rocksdb.num.iterator.deleted"),
  /** {@code rocksdb.no.file.opens}. */
  NO_FILE_OPENS("rocksdb.no.file.opens"),
  /** {@code rocksdb.no.file.errors}. */
  NO_FILE_ERRORS("rocksdb.no.file.errors"),
  /** {@code rocksdb.stall.micros}. */
  STALL_MICROS("rocksdb.stall.micros"),
  /** {@code rocksdb.db.mutex.wait.micros}. */
  DB_MUTEX_WAIT_MICROS("rocksdb.db.mutex.wait.micros"),
  /** {@code rocksdb.number.multiget.get}. */
  NUMBER_MULTIGET_GET("rocksdb.number.multiget.get"),
  /** {@code rocksdb.number.multiget.keys.read}. */
  NUMBER_MULTIGET_KEYS_READ("rocksdb.number.multiget.keys.read"),
  /** {@code rocksdb.number.multiget.bytes.read}. */
  NUMBER_MULTIGET_BYTES_READ("rocksdb.number.multiget.bytes.read"),
  /** {@code rocksdb.number.multiget.keys.found}. */
  NUMBER_MULTIGET_KEYS_FOUND("rocksdb.number.multiget.keys.found"),
  /** {@code rocksdb.number.merge.failures}. */
  NUMBER_MERGE_FAILURES("rocksdb.number.merge.failures"),
  /** {@code rocksdb.getupdatessince.calls}. */
  GETUPDATESSINCE_CALLS("rocksdb.getupdatessince.calls"),
  /** {@code rocksdb.wal.synced}. */
  WAL_SYNCED("rocksdb.wal.synced"),
  /** {@code rocksdb.wal.bytes}. */
  WAL_BYTES("rocksdb.wal.bytes"),
  /** {@code rocksdb.wal.precreate.hit}. */
  WAL_PRECREATE_HIT("rocksdb.wal.precreate.hit"),
  /** {@code rocksdb.wal.precreate.miss}. */
  WAL_PRECREATE_MISS("rocksdb.wal.precreate.miss"),
  /** {@code rocksdb.wal.precreate.waited}. */
  WAL_PRECREATE_WAITED("rocksdb.wal.precreate.waited"),
  /** {@code rocksdb.wal.precreate.wait.micros}. */
  WAL_PRECREATE_WAIT_MICROS("rocksdb.wal.precreate.wait.micros"),
  /** {@code rocksdb.wal.precreate.failed}. */
  WAL_PRECREATE_FAILED("rocksdb.wal.precreate.failed"),
  /** {@code rocksdb.write.self}. */
  WRITE_SELF("rocksdb.write.self"),
  /** {@code rocksdb.write.other}. */
  WRITE_OTHER("rocksdb.write.other"),
  /** {@code rocksdb.write.wal}. */
  WRITE_WAL("rocksdb.write.wal"),
  /** {@code rocksdb.compact.read.bytes}. */
  COMPACT_READ_BYTES("rocksdb.compact.read.bytes"),
  /** {@code rocksdb.compact.write.bytes}. */
  COMPACT_WRITE_BYTES("rocksdb.compact.write.bytes"),
  /** {@code rocksdb.flush.write.bytes}. */
  FLUSH_WRITE_BYTES("rocksdb.flush.write.bytes"),
  /** {@code rocksdb.compact.read.marked.bytes}. */
  COMPACT_READ_MARKED_BYTES("rocksdb.compact.read.marked.bytes"),
  /** {@code rocksdb.compact.read.periodic.bytes}. */
  COMPACT_READ_PERIODIC_BYTES("rocksdb.compact.read.periodic.bytes"),
  /** {@code rocksdb.compact.read.ttl.bytes}. */
  COMPACT_READ_TTL_BYTES("rocksdb.compact.read.ttl.bytes"),
  /** {@code rocksdb.compact.write.marked.bytes}. */
  COMPACT_WRITE_MARKED_BYTES("rocksdb.compact.write.marked.bytes"),
  /** {@code rocksdb.compact.write.periodic.bytes}. */
  COMPACT_WRITE_PERIODIC_BYTES("rocksdb.compact.write.periodic.bytes"),
  /** {@code rocksdb.compact.write.ttl.bytes}. */
  COMPACT_WRITE_TTL_BYTES("rocksdb.compact.write.ttl.bytes"),
  /** {@code rocksdb.number.direct.load.table.properties}. */
  NUMBER_DIRECT_LOAD_TABLE_PROPERTIES("rocksdb.number.direct.load.table.properties"),
  /** {@code rocksdb.number.superversion_acquires}. */
  NUMBER_SUPERVERSION_ACQUIRES("rocksdb.number.superversion_acquires"),
  /** {@code rocksdb.number.superversion_releases}. */
  NUMBER_SUPERVERSION_RELEASES("rocksdb.number.superversion_releases"),
  /** {@code rocksdb.number.superversion_cleanups}. */
  NUMBER_SUPERVERSION_CLEANUPS("rocksdb.number.superversion_cleanups"),
  /** {@code rocksdb.number.block.compressed}. */
  NUMBER_BLOCK_COMPRESSED("rocksdb.number.block.compressed"),
  /** {@code rocksdb.number.block.decompressed}. */
  NUMBER_BLOCK_DECOMPRESSED("rocksdb.number.block.decompressed"),
  /** {@code rocksdb.bytes.compressed.from}. */
  BYTES_COMPRESSED_FROM("rocksdb.bytes.compressed.from"),
  /** {@code rocksdb.bytes.compressed.to}. */
  BYTES_COMPRESSED_TO("rocksdb.bytes.compressed.to"),
  /** {@code rocksdb.bytes.compression_bypassed}. */
  BYTES_COMPRESSION_BYPASSED("rocksdb.bytes.compression_bypassed"),
  /** {@code rocksdb.bytes.compression.rejected}. */
  BYTES_COMPRESSION_REJECTED("rocksdb.bytes.compression.rejected"),
  /** {@code rocksdb.number.block_compression_bypassed}. */
  NUMBER_BLOCK_COMPRESSION_BYPASSED("rocksdb.number.block_compression_bypassed"),
  /** {@code rocksdb.number.block_compression_rejected}. */
  NUMBER_BLOCK_COMPRESSION_REJECTED("rocksdb.number.block_compression_rejected"),
  /** {@code rocksdb.bytes.decompressed.from}. */
  BYTES_DECOMPRESSED_FROM("rocksdb.bytes.decompressed.from"),
  /** {@code rocksdb.bytes.decompressed.to}. */
  BYTES_DECOMPRESSED_TO("rocksdb.bytes.decompressed.to"),
  /** {@code rocksdb.merge.operation.time.nanos}. */
  MERGE_OPERATION_TIME_NANOS("rocksdb.merge.operation.time.nanos"),
  /** {@code rocksdb.filter.operation.time.nanos}. */
  FILTER_OPERATION_TIME_NANOS("rocksdb.filter.operation.time.nanos"),
  /** {@code rocksdb.compaction.total.time.cpu_micros}. */
  COMPACTION_TOTAL_TIME_CPU_MICROS("rocksdb.compaction.total.time.cpu_micros"),
  /** {@code rocksdb.row.cache.hit}. */
  ROW_CACHE_HIT("rocksdb.row.cache.hit"),
  /** {@code rocksdb.row.cache.miss}. */
  ROW_CACHE_MISS("rocksdb.row.cache.miss"),
  /** {@code rocksdb.read.amp.estimate.useful.bytes}. */
  READ_AMP_ESTIMATE_USEFUL_BYTES("rocksdb.read.amp.estimate.useful.bytes"),
  /** {@code rocksdb.read.amp.total.read.bytes}. */
  READ_AMP_TOTAL_READ_BYTES("rocksdb.read.amp.total.read.bytes"),
  /** {@code rocksdb.number.rate_limiter.drains}. */
  NUMBER_RATE_LIMITER_DRAINS("rocksdb.number.rate_limiter.drains"),
  /** {@code rocksdb.rate.limiter.bytes.read}. */
  RATE_LIMITER_BYTES_READ("rocksdb.rate.limiter.bytes.read"),
  /** {@code rocksdb.rate.limiter.bytes.write}. */
  RATE_LIMITER_BYTES_WRITE("rocksdb.rate.limiter.bytes.write"),
  /** {@code rocksdb.rate.limiter.requests.read}. */
  RATE_LIMITER_REQUESTS_READ("rocksdb.rate.limiter.requests.read"),
  /** {@code rocksdb.rate.limiter.requests.write}. */
  RATE_LIMITER_REQUESTS_WRITE("rocksdb.rate.limiter.requests.write"),
  /** {@code rocksdb.rate.limiter.delayed.requests.read}. */
  RATE_LIMITER_DELAYED_REQUESTS_READ("rocksdb.rate.limiter.delayed.requests.read"),
  /** {@code rocksdb.rate.limiter.delayed.requests.write}. */
  RATE_LIMITER_DELAYED_REQUESTS_WRITE("rocksdb.rate.limiter.delayed.requests.write"),
  /** {@code rocksdb.rate.limiter.total.wait.micros.read}. */
  RATE_LIMITER_TOTAL_WAIT_MICROS_READ("rocksdb.rate.limiter.total.wait.micros.read"),
  /** {@code rocksdb.rate.limiter.total.wait.micros.write}. */
  RATE_LIMITER_TOTAL_WAIT_MICROS_WRITE("rocksdb.rate.limiter.total.wait.micros.write"),
  /** {@code rocksdb.blobdb.num.put}. */
  BLOBDB_NUM_PUT("rocksdb.blobdb.num.put"),
  /** {@code rocksdb.blobdb.num.write}. */
  BLOBDB_NUM_WRITE("rocksdb.blobdb.num.write"),
  /** {@code rocksdb.blobdb.num.get}. */
  BLOBDB_NUM_GET("rocksdb.blobdb.num.get"),
  /** {@code rocksdb.blobdb.num.multiget}. */
  BLOBDB_NUM_MULTIGET("rocksdb.blobdb.num.multiget"),
  /** {@code rocksdb.blobdb.num.seek}. */
  BLOBDB_NUM_SEEK("rocksdb.blobdb.num.seek"),
  /** {@code rocksdb.blobdb.num.next}. */
  BLOBDB_NUM_NEXT("rocksdb.blobdb.num.next"),
  /** {@code rocksdb.blobdb.num.prev}. */
  BLOBDB_NUM_PREV("rocksdb.blobdb.num.prev"),
  /** {@code rocksdb.blobdb.num.keys.written}. */
  BLOBDB_NUM_KEYS_WRITTEN("rocksdb.blobdb.num.keys.written"),
  /** {@code rocksdb.blobdb.num.keys.read}. */
  BLOBDB_NUM_KEYS_READ("rocksdb.blobdb.num.keys.read"),
  /** {@code rocksdb.blobdb.bytes.written}. */
  BLOBDB_BYTES_WRITTEN("rocksdb.blobdb.bytes.written"),
  /** {@code rocksdb.blobdb.bytes.read}. */
  BLOBDB_BYTES_READ("rocksdb.blobdb.bytes.read"),
  /** {@code rocksdb.blobdb.write.inlined}. */
  BLOBDB_WRITE_INLINED("rocksdb.blobdb.write.inlined"),
  /** {@code rocksdb.blobdb.write.inlined.ttl}. */
  BLOBDB_WRITE_INLINED_TTL("rocksdb.blobdb.write.inlined.ttl"),
  /** {@code rocksdb.blobdb.write.blob}. */
  BLOBDB_WRITE_BLOB("rocksdb.blobdb.write.blob"),
  /** {@code rocksdb.blobdb.write.blob.ttl}. */
  BLOBDB_WRITE_BLOB_TTL("rocksdb.blobdb.write.blob.ttl"),
  /** {@code rocksdb.blobdb.blob.file.bytes.written}. */
  BLOBDB_BLOB_FILE_BYTES_WRITTEN("rocksdb.blobdb.blob.file.bytes.written"),
  /** {@code rocksdb.blobdb.blob.file.bytes.read}. */
  BLOBDB_BLOB_FILE_BYTES_READ("rocksdb.blobdb.blob.file.bytes.read"),
  /** {@code rocksdb.blobdb.blob.file.synced}. */
  BLOBDB_BLOB_FILE_SYNCED("rocksdb.blobdb.blob.file.synced"),
  /** {@code rocksdb.blobdb.blob.index.expired.count}. */
  BLOBDB_BLOB_INDEX_EXPIRED_COUNT("rocksdb.blobdb.blob.index.expired.count"),
  /** {@code rocksdb.blobdb.blob.index.expired.size}. */
  BLOBDB_BLOB_INDEX_EXPIRED_SIZE("rocksdb.blobdb.blob.index.expired.size"),
  /** {@code rocksdb.blobdb.blob.index.evicted.count}. */
  BLOBDB_BLOB_INDEX_EVICTED_COUNT("rocksdb.blobdb.blob.index.evicted.count"),
  /** {@code rocksdb.blobdb.blob.index.evicted.size}. */
  BLOBDB_BLOB_INDEX_EVICTED_SIZE("rocksdb.blobdb.blob.index.evicted.size"),
  /** {@code rocksdb.blobdb.gc.num.files}. */
  BLOBDB_GC_NUM_FILES("rocksdb.blobdb.gc.num.files"),
  /** {@code rocksdb.blobdb.gc.num.new.files}. */
  BLOBDB_GC_NUM_NEW_FILES("rocksdb.blobdb.gc.num.new.files"),
  /** {@code rocksdb.blobdb.gc.failures}. */
  BLOBDB_GC_FAILURES("rocksdb.blobdb.gc.failures"),
  /** {@code rocksdb.blobdb.gc.num.keys.relocated}. */
  BLOBDB_GC_NUM_KEYS_RELOCATED("rocksdb.blobdb.gc.num.keys.relocated"),
  /** {@code rocksdb.blobdb.gc.bytes.relocated}. */
  BLOBDB_GC_BYTES_RELOCATED("rocksdb.blobdb.gc.bytes.relocated"),
  /** {@code rocksdb.blobdb.fifo.num.files.evicted}. */
  BLOBDB_FIFO_NUM_FILES_EVICTED("rocksdb.blobdb.fifo.num.files.evicted"),
  /** {@code rocksdb.blobdb.fifo.num.keys.evicted}. */
  BLOBDB_FIFO_NUM_KEYS_EVICTED("rocksdb.blobdb.fifo.num.keys.evicted"),
  /** {@code rocksdb.blobdb.fifo.bytes.evicted}. */
  BLOBDB_FIFO_BYTES_EVICTED("rocksdb.blobdb.fifo.bytes.evicted"),
  /** {@code rocksdb.blobdb.cache.miss}. */
  BLOBDB_CACHE_MISS("rocksdb.blobdb.cache.miss"),
  /** {@code rocksdb.blobdb.cache.hit}. */
  BLOBDB_CACHE_HIT("rocksdb.blobdb.cache.hit"),
  /** {@code rocksdb.blobdb.cache.add}. */
  BLOBDB_CACHE_ADD("rocksdb.blobdb.cache.add"),
  /** {@code rocksdb.blobdb.cache.add.failures}. */
  BLOBDB_CACHE_ADD_FAILURES("rocksdb.blobdb.cache.add.failures"),
  /** {@code rocksdb.blobdb.cache.bytes.read}. */
  BLOBDB_CACHE_BYTES_READ("rocksdb.blobdb.cache.bytes.read"),
  /** {@code rocksdb.blobdb.cache.bytes.write}. */
  BLOBDB_CACHE_BYTES_WRITE("rocksdb.blobdb.cache.bytes.write"),
  /** {@code rocksdb.txn.overhead.mutex.prepare}. */
  TXN_OVERHEAD_MUTEX_PREPARE("rocksdb.txn.overhead.mutex.prepare"),
  /** {@code rocksdb.txn.overhead.mutex.old.commit.map}. */
  TXN_OVERHEAD_MUTEX_OLD_COMMIT_MAP("rocksdb.txn.overhead.mutex.old.commit.map"),
  /** {@code rocksdb.txn.overhead.duplicate.key}. */
  TXN_OVERHEAD_DUPLICATE_KEY("rocksdb.txn.overhead.duplicate.key"),
  /** {@code rocksdb.txn.overhead.mutex.snapshot}. */
  TXN_OVERHEAD_MUTEX_SNAPSHOT("rocksdb.txn.overhead.mutex.snapshot"),
  /** {@code rocksdb.txn.get.tryagain}. */
  TXN_GET_TRYAGAIN("rocksdb.txn.get.tryagain"),
  /** {@code rocksdb.files.marked.trash}. */
  FILES_MARKED_TRASH("rocksdb.files.marked.trash"),
  /** {@code rocksdb.files.marked.trash.deleted}. */
  FILES_MARKED_TRASH_DELETED("rocksdb.files.marked.trash.deleted"),
  /** {@code rocksdb.files.deleted.immediately}. */
  FILES_DELETED_IMMEDIATELY("rocksdb.files.deleted.immediately"),
  /** {@code rocksdb.error.handler.bg.error.count}. */
  ERROR_HANDLER_BG_ERROR_COUNT("rocksdb.error.handler.bg.error.count"),
  /** {@code rocksdb.error.handler.bg.io.error.count}. */
  ERROR_HANDLER_BG_IO_ERROR_COUNT("rocksdb.error.handler.bg.io.error.count"),
  /** {@code rocksdb.error.handler.bg.retryable.io.error.count}. */
  ERROR_HANDLER_BG_RETRYABLE_IO_ERROR_COUNT("rocksdb.error.handler.bg.retryable.io.error.count"),
  /** {@code rocksdb.error.handler.autoresume.count}. */
  ERROR_HANDLER_AUTORESUME_COUNT("rocksdb.error.handler.autoresume.count"),
  /** {@code rocksdb.error.handler.autoresume.retry.total.count}. */
  ERROR_HANDLER_AUTORESUME_RETRY_TOTAL_COUNT("rocksdb.error.handler.autoresume.retry.total.count"),
  /** {@code rocksdb.error.handler.autoresume.success.count}. */
  ERROR_HANDLER_AUTORESUME_SUCCESS_COUNT("rocksdb.error.handler.autoresume.success.count"),
  /** {@code rocksdb.memtable.payload.bytes.at.flush}. */
  MEMTABLE_PAYLOAD_BYTES_AT_FLUSH("rocksdb.memtable.payload.bytes.at.flush"),
  /** {@code rocksdb.memtable.garbage.bytes.at.flush}. */
  MEMTABLE_GARBAGE_BYTES_AT_FLUSH("rocksdb.memtable.garbage.bytes.at.flush"),
  /** {@code rocksdb.verify_checksum.read.bytes}. */
  VERIFY_CHECKSUM_READ_BYTES("rocksdb.verify_checksum.read.bytes"),
  /** {@code rocksdb.backup.read.bytes}. */
  BACKUP_READ_BYTES("rocksdb.backup.read.bytes"),
  /** {@code rocksdb.backup.write.bytes}. */
  BACKUP_WRITE_BYTES("rocksdb.backup.write.bytes"),
  /** {@code rocksdb.remote.compact.read.bytes}. */
  REMOTE_COMPACT_READ_BYTES("rocksdb.remote.compact.read.bytes"),
  /** {@code rocksdb.remote.compact.write.bytes}. */
  REMOTE_COMPACT_WRITE_BYTES("rocksdb.remote.compact.write.bytes"),
  /** {@code rocksdb.remote.compact.resumed.bytes}. */
  REMOTE_COMPACT_RESUMED_BYTES("rocksdb.remote.compact.resumed.bytes"),
  /** {@code rocksdb.hot.file.read.bytes}. */
  HOT_FILE_READ_BYTES("rocksdb.hot.file.read.bytes"),
  /** {@code rocksdb.warm.file.read.bytes}. */
  WARM_FILE_READ_BYTES("rocksdb.warm.file.read.bytes"),
  /** {@code rocksdb.cool.file.read.bytes}. */
  COOL_FILE_READ_BYTES("rocksdb.cool.file.read.bytes"),
  /** {@code rocksdb.cold.file.read.bytes}. */
  COLD_FILE_READ_BYTES("rocksdb.cold.file.read.bytes"),
  /** {@code rocksdb.ice.file.read.bytes}. */
  ICE_FILE_READ_BYTES("rocksdb.ice.file.read.bytes"),
  /** {@code rocksdb.hot.file.read.count}. */
  HOT_FILE_READ_COUNT("rocksdb.hot.file.read.count"),
  /** {@code rocksdb.warm.file.read.count}. */
  WARM_FILE_READ_COUNT("rocksdb.warm.file.read.count"),
  /** {@code rocksdb.cool.file.read.count}. */
  COOL_FILE_READ_COUNT("rocksdb.cool.file.read.count"),
  /** {@code rocksdb.cold.file.read.count}. */
  COLD_FILE_READ_COUNT("rocksdb.cold.file.read.count"),
  /** {@code rocksdb.ice.file.read.count}. */
  ICE_FILE_READ_COUNT("rocksdb.ice.file.read.count"),
  /** {@code rocksdb.last.level.read.bytes}. */
  LAST_LEVEL_READ_BYTES("rocksdb.last.level.read.bytes"),
  /** {@code rocksdb.last.level.read.count}. */
  LAST_LEVEL_READ_COUNT("rocksdb.last.level.read.count"),
  /** {@code rocksdb.non.last.level.read.bytes}. */
  NON_LAST_LEVEL_READ_BYTES("rocksdb.non.last.level.read.bytes"),
  /** {@code rocksdb.non.last.level.read.count}. */
  NON_LAST_LEVEL_READ_COUNT("rocksdb.non.last.level.read.count"),
  /** {@code rocksdb.last.level.seek.filtered}. */
  LAST_LEVEL_SEEK_FILTERED("rocksdb.last.level.seek.filtered"),
  /** {@code rocksdb.last.level.seek.filter.match}. */
  LAST_LEVEL_SEEK_FILTER_MATCH("rocksdb.last.level.seek.filter.match"),
  /** {@code rocksdb.last.level.seek.data}. */
  LAST_LEVEL_SEEK_DATA("rocksdb.last.level.seek.data"),
  /** {@code rocksdb.last.level.seek.data.useful.no.filter}. */
  LAST_LEVEL_SEEK_DATA_USEFUL_NO_FILTER("rocksdb.last.level.seek.data.useful.no.filter"),
  /** {@code rocksdb.last.level.seek.data.useful.filter.match}. */
  LAST_LEVEL_SEEK_DATA_USEFUL_FILTER_MATCH("rocksdb.last.level.seek.data.useful.filter.match"),
  /** {@code rocksdb.non.last.level.seek.filtered}. */
  NON_LAST_LEVEL_SEEK_FILTERED("rocksdb.non.last.level.seek.filtered"),
  /** {@code rocksdb.non.last.level.seek.filter.match}. */
  NON_LAST_LEVEL_SEEK_FILTER_MATCH("rocksdb.non.last.level.seek.filter.match"),
  /** {@code rocksdb.non.last.level.seek.data}. */
  NON_LAST_LEVEL_SEEK_DATA("rocksdb.non.last.level.seek.data"),
  /** {@code rocksdb.non.last.level.seek.data.useful.no.filter}. */
  NON_LAST_LEVEL_SEEK_DATA_USEFUL_NO_FILTER("rocksdb.non.last.level.seek.data.useful.no.filter"),
  /** {@code rocksdb.non.last.level.seek.data.useful.filter.match}. */
  NON_LAST_LEVEL_SEEK_DATA_USEFUL_FILTER_MATCH("rocksdb.non.last.level.seek.data.useful.filter.match"),
  /** {@code rocksdb.block.checksum.compute.count}. */
  BLOCK_CHECKSUM_COMPUTE_COUNT("rocksdb.block.checksum.compute.count"),
  /** {@code rocksdb.block.checksum.mismatch.count}. */
  BLOCK_CHECKSUM_MISMATCH_COUNT("rocksdb.block.checksum.mismatch.count"),
  /** {@code rocksdb.multiget.coroutine.count}. */
  MULTIGET_COROUTINE_COUNT("rocksdb.multiget.coroutine.count"),
  /** {@code rocksdb.read.async.micros}. */
  READ_ASYNC_MICROS("rocksdb.read.async.micros"),
  /** {@code rocksdb.async.read.error.count}. */
  ASYNC_READ_ERROR_COUNT("rocksdb.async.read.error.count"),
  /** {@code rocksdb.table.open.prefetch.tail.miss}. */
  TABLE_OPEN_PREFETCH_TAIL_MISS("rocksdb.table.open.prefetch.tail.miss"),
  /** {@code rocksdb.table.open.prefetch.tail.hit}. */
  TABLE_OPEN_PREFETCH_TAIL_HIT("rocksdb.table.open.prefetch.tail.hit"),
  /** {@code rocksdb.timestamp.filter.table.checked}. */
  TIMESTAMP_FILTER_TABLE_CHECKED("rocksdb.timestamp.filter.table.checked"),
  /** {@code rocksdb.timestamp.filter.table.filtered}. */
  TIMESTAMP_FILTER_TABLE_FILTERED("rocksdb.timestamp.filter.table.filtered"),
  /** {@code rocksdb.readahead.trimmed}. */
  READAHEAD_TRIMMED("rocksdb.readahead.trimmed"),
  /** {@code rocksdb.fifo.max.size.compactions}. */
  FIFO_MAX_SIZE_COMPACTIONS("rocksdb.fifo.max.size.compactions"),
  /** {@code rocksdb.fifo.ttl.compactions}. */
  FIFO_TTL_COMPACTIONS("rocksdb.fifo.ttl.compactions"),
  /** {@code rocksdb.fifo.change_temperature.compactions}. */
  FIFO_CHANGE_TEMPERATURE_COMPACTIONS("rocksdb.fifo.change_temperature.compactions"),
  /** {@code rocksdb.prefetch.bytes}. */
  PREFETCH_BYTES("rocksdb.prefetch.bytes"),
  /** {@code rocksdb.prefetch.bytes.useful}. */
  PREFETCH_BYTES_USEFUL("rocksdb.prefetch.bytes.useful"),
  /** {@code rocksdb.prefetch.hits}. */
  PREFETCH_HITS("rocksdb.prefetch.hits"),
  /** {@code rocksdb.footer.corruption.count}. */
  FOOTER_CORRUPTION_COUNT("rocksdb.footer.corruption.count"),
  /** {@code rocksdb.file.read.corruption.retry.count}. */
  FILE_READ_CORRUPTION_RETRY_COUNT("rocksdb.file.read.corruption.retry.count"),
  /** {@code rocksdb.file.read.corruption.retry.success.count}. */
  FILE_READ_CORRUPTION_RETRY_SUCCESS_COUNT("rocksdb.file.read.corruption.retry.success.count"),
  /** {@code rocksdb.number.wbwi.ingest}. */
  NUMBER_WBWI_INGEST("rocksdb.number.wbwi.ingest"),
  /** {@code rocksdb.sst.user.defined.index.load.fail.count}. */
  SST_USER_DEFINED_INDEX_LOAD_FAIL_COUNT("rocksdb.sst.user.defined.index.load.fail.count"),
  /** {@code rocksdb.multiscan.prepare.calls}. */
  MULTISCAN_PREPARE_CALLS("rocksdb.multiscan.prepare.calls"),
  /** {@code rocksdb.multiscan.prepare.errors}. */
  MULTISCAN_PREPARE_ERRORS("rocksdb.multiscan.prepare.errors"),
  /** {@code rocksdb.multiscan.blocks.prefetched}. */
  MULTISCAN_BLOCKS_PREFETCHED("rocksdb.multiscan.blocks.prefetched"),
  /** {@code rocksdb.multiscan.blocks.from.cache}. */
  MULTISCAN_BLOCKS_FROM_CACHE("rocksdb.multiscan.blocks.from.cache"),
  /** {@code rocksdb.multiscan.prefetch.bytes}. */
  MULTISCAN_PREFETCH_BYTES("rocksdb.multiscan.prefetch.bytes"),
  /** {@code rocksdb.multiscan.prefetch.blocks.wasted}. */
  MULTISCAN_PREFETCH_BLOCKS_WASTED("rocksdb.multiscan.prefetch.blocks.wasted"),
  /** {@code rocksdb.multiscan.io.requests}. */
  MULTISCAN_IO_REQUESTS("rocksdb.multiscan.io.requests"),
  /** {@code rocksdb.multiscan.io.coalesced.nonadjacent}. */
  MULTISCAN_IO_COALESCED_NONADJACENT("rocksdb.multiscan.io.coalesced.nonadjacent"),
  /** {@code rocksdb.multiscan.seek.errors}. */
  MULTISCAN_SEEK_ERRORS("rocksdb.multiscan.seek.errors"),
  /** {@code rocksdb.prefetch.memory.bytes.granted}. */
  PREFETCH_MEMORY_BYTES_GRANTED("rocksdb.prefetch.memory.bytes.granted"),
  /** {@code rocksdb.prefetch.memory.bytes.released}. */
  PREFETCH_MEMORY_BYTES_RELEASED("rocksdb.prefetch.memory.bytes.released"),
  /** {@code rocksdb.prefetch.memory.requests.blocked}. */
  PREFETCH_MEMORY_REQUESTS_BLOCKED("rocksdb.prefetch.memory.requests.blocked"),
  /** {@code rocksdb.read.path.range.tombstones.inserted}. */
  READ_PATH_RANGE_TOMBSTONES_INSERTED("rocksdb.read.path.range.tombstones.inserted"),
  /** {@code rocksdb.read.path.range.tombstones.discarded}. */
  READ_PATH_RANGE_TOMBSTONES_DISCARDED("rocksdb.read.path.range.tombstones.discarded"),
  /** {@code rocksdb.file.open.metadata.retrieved}. */
  FILE_OPEN_METADATA_RETRIEVED("rocksdb.file.open.metadata.retrieved"),
  /** {@code rocksdb.file.open.metadata.passed}. */
  FILE_OPEN_METADATA_PASSED("rocksdb.file.open.metadata.passed"),
  /** {@code rocksdb.manifest.validation.failure.count}. */
  MANIFEST_VALIDATION_FAILURE_COUNT("rocksdb.manifest.validation.failure.count"),
  /** {@code rocksdb.flush.reason.write_buffer_full}. */
  FLUSH_REASON_WRITE_BUFFER_FULL("rocksdb.flush.reason.write_buffer_full"),
  /** {@code rocksdb.flush.reason.write_buffer_manager}. */
  FLUSH_REASON_WRITE_BUFFER_MANAGER("rocksdb.flush.reason.write_buffer_manager"),
  /** {@code rocksdb.flush.reason.memtable_max_range_deletions}. */
  FLUSH_REASON_MEMTABLE_MAX_RANGE_DELETIONS("rocksdb.flush.reason.memtable_max_range_deletions"),
  /** {@code rocksdb.atomic_flush.request.reason.write_buffer_full}. */
  ATOMIC_FLUSH_REQUEST_REASON_WRITE_BUFFER_FULL("rocksdb.atomic_flush.request.reason.write_buffer_full"),
  /** {@code rocksdb.atomic_flush.request.reason.write_buffer_manager}. */
  ATOMIC_FLUSH_REQUEST_REASON_WRITE_BUFFER_MANAGER("rocksdb.atomic_flush.request.reason.write_buffer_manager"),
  /** {@code rocksdb.atomic_flush.request.reason.memtable_max_range_deletions}. */
  ATOMIC_FLUSH_REQUEST_REASON_MEMTABLE_MAX_RANGE_DELETIONS(
      "rocksdb.atomic_flush.request.reason.memtable_max_range_deletions"),
  /** {@code rocksdb.atomic_flush.request.reason.other}. */
  ATOMIC_FLUSH_REQUEST_REASON_OTHER("rocksdb.atomic_flush.request.reason.other"),
  /** {@code rocksdb.checkpoint.read.bytes}. */
  CHECKPOINT_READ_BYTES("rocksdb.checkpoint.read.bytes"),
  /** {@code rocksdb.checkpoint.write.bytes}. */
  CHECKPOINT_WRITE_BYTES("rocksdb.checkpoint.write.bytes"),
  /** {@code rocksdb.file.submit.async.read.fallback}. */
  FILE_SUBMIT_ASYNC_READ_FALLBACK("rocksdb.file.submit.async.read.fallback");

  private final String id;

  Ticker(String id) {
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
