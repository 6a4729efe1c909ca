/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.metrics;

import java.util.Locale;

/**
 * The counters in a {@link Profile}, by the engine's own names: times are in nanoseconds, sizes in bytes, and the rest are
 * numbers of things.
 */
public enum PerfCounter {
  /** {@code user_key_comparison_count}. */
  USER_KEY_COMPARISON_COUNT,
  /** {@code block_cache_hit_count}. */
  BLOCK_CACHE_HIT_COUNT,
  /** {@code block_read_count}. */
  BLOCK_READ_COUNT,
  /** {@code block_read_byte}. */
  BLOCK_READ_BYTE,
  /** {@code block_read_time}. */
  BLOCK_READ_TIME,
  /** {@code block_read_cpu_time}. */
  BLOCK_READ_CPU_TIME,
  /** {@code block_cache_index_hit_count}. */
  BLOCK_CACHE_INDEX_HIT_COUNT,
  /** {@code block_cache_standalone_handle_count}. */
  BLOCK_CACHE_STANDALONE_HANDLE_COUNT,
  /** {@code block_cache_real_handle_count}. */
  BLOCK_CACHE_REAL_HANDLE_COUNT,
  /** {@code index_block_read_count}. */
  INDEX_BLOCK_READ_COUNT,
  /** {@code block_cache_filter_hit_count}. */
  BLOCK_CACHE_FILTER_HIT_COUNT,
  /** {@code filter_block_read_count}. */
  FILTER_BLOCK_READ_COUNT,
  /** {@code compression_dict_block_read_count}. */
  COMPRESSION_DICT_BLOCK_READ_COUNT,
  /** {@code block_cache_index_read_byte}. */
  BLOCK_CACHE_INDEX_READ_BYTE,
  /** {@code block_cache_filter_read_byte}. */
  BLOCK_CACHE_FILTER_READ_BYTE,
  /** {@code block_cache_compression_dict_read_byte}. */
  BLOCK_CACHE_COMPRESSION_DICT_READ_BYTE,
  /** {@code block_cache_read_byte}. */
  BLOCK_CACHE_READ_BYTE,
  /** {@code secondary_cache_hit_count}. */
  SECONDARY_CACHE_HIT_COUNT,
  /** {@code compressed_sec_cache_insert_real_count}. */
  COMPRESSED_SEC_CACHE_INSERT_REAL_COUNT,
  /** {@code compressed_sec_cache_insert_dummy_count}. */
  COMPRESSED_SEC_CACHE_INSERT_DUMMY_COUNT,
  /** {@code compressed_sec_cache_uncompressed_bytes}. */
  COMPRESSED_SEC_CACHE_UNCOMPRESSED_BYTES,
  /** {@code compressed_sec_cache_compressed_bytes}. */
  COMPRESSED_SEC_CACHE_COMPRESSED_BYTES,
  /** {@code block_checksum_time}. */
  BLOCK_CHECKSUM_TIME,
  /** {@code block_decompress_time}. */
  BLOCK_DECOMPRESS_TIME,
  /** {@code block_decompress_count}. */
  BLOCK_DECOMPRESS_COUNT,
  /** {@code get_read_bytes}. */
  GET_READ_BYTES,
  /** {@code multiget_read_bytes}. */
  MULTIGET_READ_BYTES,
  /** {@code iter_read_bytes}. */
  ITER_READ_BYTES,
  /** {@code blob_cache_hit_count}. */
  BLOB_CACHE_HIT_COUNT,
  /** {@code blob_cache_read_byte}. */
  BLOB_CACHE_READ_BYTE,
  /** {@code blob_read_count}. */
  BLOB_READ_COUNT,
  /** {@code blob_read_byte}. */
  BLOB_READ_BYTE,
  /** {@code blob_read_time}. */
  BLOB_READ_TIME,
  /** {@code blob_checksum_time}. */
  BLOB_CHECKSUM_TIME,
  /** {@code blob_decompress_time}. */
  BLOB_DECOMPRESS_TIME,
  /** {@code internal_key_skipped_count}. */
  INTERNAL_KEY_SKIPPED_COUNT,
  /** {@code internal_delete_skipped_count}. */
  INTERNAL_DELETE_SKIPPED_COUNT,
  /** {@code internal_recent_skipped_count}. */
  INTERNAL_RECENT_SKIPPED_COUNT,
  /** {@code internal_merge_count}. */
  INTERNAL_MERGE_COUNT,
  /** {@code internal_merge_point_lookup_count}. */
  INTERNAL_MERGE_POINT_LOOKUP_COUNT,
  /** {@code internal_range_del_reseek_count}. */
  INTERNAL_RANGE_DEL_RESEEK_COUNT,
  /** {@code get_snapshot_time}. */
  GET_SNAPSHOT_TIME,
  /** {@code get_from_memtable_time}. */
  GET_FROM_MEMTABLE_TIME,
  /** {@code get_from_memtable_count}. */
  GET_FROM_MEMTABLE_COUNT,
  /** {@code get_post_process_time}. */
  GET_POST_PROCESS_TIME,
  /** {@code get_from_output_files_time}. */
  GET_FROM_OUTPUT_FILES_TIME,
  /** {@code seek_on_memtable_time}. */
  SEEK_ON_MEMTABLE_TIME,
  /** {@code seek_on_memtable_count}. */
  SEEK_ON_MEMTABLE_COUNT,
  /** {@code next_on_memtable_count}. */
  NEXT_ON_MEMTABLE_COUNT,
  /** {@code prev_on_memtable_count}. */
  PREV_ON_MEMTABLE_COUNT,
  /** {@code seek_child_seek_time}. */
  SEEK_CHILD_SEEK_TIME,
  /** {@code seek_child_seek_count}. */
  SEEK_CHILD_SEEK_COUNT,
  /** {@code seek_min_heap_time}. */
  SEEK_MIN_HEAP_TIME,
  /** {@code seek_max_heap_time}. */
  SEEK_MAX_HEAP_TIME,
  /** {@code seek_internal_seek_time}. */
  SEEK_INTERNAL_SEEK_TIME,
  /** {@code find_next_user_entry_time}. */
  FIND_NEXT_USER_ENTRY_TIME,
  /** {@code write_wal_time}. */
  WRITE_WAL_TIME,
  /** {@code write_memtable_time}. */
  WRITE_MEMTABLE_TIME,
  /** {@code write_delay_time}. */
  WRITE_DELAY_TIME,
  /** {@code write_scheduling_flushes_compactions_time}. */
  WRITE_SCHEDULING_FLUSHES_COMPACTIONS_TIME,
  /** {@code write_pre_and_post_process_time}. */
  WRITE_PRE_AND_POST_PROCESS_TIME,
  /** {@code write_thread_wait_nanos}. */
  WRITE_THREAD_WAIT_NANOS,
  /** {@code db_mutex_lock_nanos}. */
  DB_MUTEX_LOCK_NANOS,
  /** {@code db_condition_wait_nanos}. */
  DB_CONDITION_WAIT_NANOS,
  /** {@code merge_operator_time_nanos}. */
  MERGE_OPERATOR_TIME_NANOS,
  /** {@code read_index_block_nanos}. */
  READ_INDEX_BLOCK_NANOS,
  /** {@code read_filter_block_nanos}. */
  READ_FILTER_BLOCK_NANOS,
  /** {@code new_table_block_iter_nanos}. */
  NEW_TABLE_BLOCK_ITER_NANOS,
  /** {@code new_table_iterator_nanos}. */
  NEW_TABLE_ITERATOR_NANOS,
  /** {@code block_seek_nanos}. */
  BLOCK_SEEK_NANOS,
  /** {@code find_table_nanos}. */
  FIND_TABLE_NANOS,
  /** {@code bloom_memtable_hit_count}. */
  BLOOM_MEMTABLE_HIT_COUNT,
  /** {@code bloom_memtable_miss_count}. */
  BLOOM_MEMTABLE_MISS_COUNT,
  /** {@code bloom_sst_hit_count}. */
  BLOOM_SST_HIT_COUNT,
  /** {@code bloom_sst_miss_count}. */
  BLOOM_SST_MISS_COUNT,
  /** {@code key_lock_wait_time}. */
  KEY_LOCK_WAIT_TIME,
  /** {@code key_lock_wait_count}. */
  KEY_LOCK_WAIT_COUNT,
  /** {@code env_new_sequential_file_nanos}. */
  ENV_NEW_SEQUENTIAL_FILE_NANOS,
  /** {@code env_new_random_access_file_nanos}. */
  ENV_NEW_RANDOM_ACCESS_FILE_NANOS,
  /** {@code env_new_writable_file_nanos}. */
  ENV_NEW_WRITABLE_FILE_NANOS,
  /** {@code env_reuse_writable_file_nanos}. */
  ENV_REUSE_WRITABLE_FILE_NANOS,
  /** {@code env_new_random_rw_file_nanos}. */
  ENV_NEW_RANDOM_RW_FILE_NANOS,
  /** {@code env_new_directory_nanos}. */
  ENV_NEW_DIRECTORY_NANOS,
  /** {@code env_file_exists_nanos}. */
  ENV_FILE_EXISTS_NANOS,
  /** {@code env_get_children_nanos}. */
  ENV_GET_CHILDREN_NANOS,
  /** {@code env_get_children_file_attributes_nanos}. */
  ENV_GET_CHILDREN_FILE_ATTRIBUTES_NANOS,
  /** {@code env_delete_file_nanos}. */
  ENV_DELETE_FILE_NANOS,
  /** {@code env_create_dir_nanos}. */
  ENV_CREATE_DIR_NANOS,
  /** {@code env_create_dir_if_missing_nanos}. */
  ENV_CREATE_DIR_IF_MISSING_NANOS,
  /** {@code env_delete_dir_nanos}. */
  ENV_DELETE_DIR_NANOS,
  /** {@code env_get_file_size_nanos}. */
  ENV_GET_FILE_SIZE_NANOS,
  /** {@code env_get_file_modification_time_nanos}. */
  ENV_GET_FILE_MODIFICATION_TIME_NANOS,
  /** {@code env_rename_file_nanos}. */
  ENV_RENAME_FILE_NANOS,
  /** {@code env_link_file_nanos}. */
  ENV_LINK_FILE_NANOS,
  /** {@code env_lock_file_nanos}. */
  ENV_LOCK_FILE_NANOS,
  /** {@code env_unlock_file_nanos}. */
  ENV_UNLOCK_FILE_NANOS,
  /** {@code env_new_logger_nanos}. */
  ENV_NEW_LOGGER_NANOS,
  /** {@code get_cpu_nanos}. */
  GET_CPU_NANOS,
  /** {@code iter_next_cpu_nanos}. */
  ITER_NEXT_CPU_NANOS,
  /** {@code iter_prev_cpu_nanos}. */
  ITER_PREV_CPU_NANOS,
  /** {@code iter_seek_cpu_nanos}. */
  ITER_SEEK_CPU_NANOS,
  /** {@code iter_next_count}. */
  ITER_NEXT_COUNT,
  /** {@code iter_prev_count}. */
  ITER_PREV_COUNT,
  /** {@code iter_seek_count}. */
  ITER_SEEK_COUNT,
  /** {@code encrypt_data_nanos}. */
  ENCRYPT_DATA_NANOS,
  /** {@code decrypt_data_nanos}. */
  DECRYPT_DATA_NANOS,
  /** {@code number_async_seek}. */
  NUMBER_ASYNC_SEEK,
  /** {@code file_ingestion_nanos}. */
  FILE_INGESTION_NANOS,
  /** {@code file_ingestion_blocking_live_writes_nanos}. */
  FILE_INGESTION_BLOCKING_LIVE_WRITES_NANOS,
  /** {@code data_block_read_byte}. */
  DATA_BLOCK_READ_BYTE,
  /** {@code index_block_read_byte}. */
  INDEX_BLOCK_READ_BYTE,
  /** {@code filter_block_read_byte}. */
  FILTER_BLOCK_READ_BYTE,
  /** {@code compression_dict_block_read_byte}. */
  COMPRESSION_DICT_BLOCK_READ_BYTE,
  /** {@code metadata_block_read_byte}. */
  METADATA_BLOCK_READ_BYTE,
  /** {@code multiscan_prepare_count}. */
  MULTISCAN_PREPARE_COUNT,
  /** {@code multiscan_blocks_prefetched}. */
  MULTISCAN_BLOCKS_PREFETCHED,
  /** {@code multiscan_blocks_from_cache}. */
  MULTISCAN_BLOCKS_FROM_CACHE,
  /** {@code multiscan_prefetch_bytes}. */
  MULTISCAN_PREFETCH_BYTES,
  /** {@code multiscan_io_requests}. */
  MULTISCAN_IO_REQUESTS,
  /** {@code multiscan_io_coalesced_nonadjacent}. */
  MULTISCAN_IO_COALESCED_NONADJACENT;

  private final String id = name().toLowerCase(Locale.ROOT);

  /**
   * The engine's name.
   *
   * @return the name in the engine's own report
   */
  public String id() {
    return id;
  }
}
