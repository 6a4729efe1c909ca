/* Licensed under the Apache License, Version 2.0; see LICENSE. */

#include "rocksdb_ffm.h"

#define WHOLE(type) {#type, NULL, 0, sizeof(type)}
#define MEMBER(type, member) {#type, #member, offsetof(type, member), sizeof(((type*)0)->member)}

static const rocksdb_ffm_layout layouts[] = {
    WHOLE(rocksdb_ffm_slice),
    MEMBER(rocksdb_ffm_slice, data),
    MEMBER(rocksdb_ffm_slice, size),

    WHOLE(rocksdb_ffm_engine),
    MEMBER(rocksdb_ffm_engine, get_options_from_string),
    MEMBER(rocksdb_ffm_engine, block_based_options_create),
    MEMBER(rocksdb_ffm_engine, block_based_options_set_block_cache),
    MEMBER(rocksdb_ffm_engine, block_based_options_set_no_block_cache),
    MEMBER(rocksdb_ffm_engine, block_based_options_destroy),
    MEMBER(rocksdb_ffm_engine, options_set_block_based_table_factory),
    MEMBER(rocksdb_ffm_engine, open_column_families),
    MEMBER(rocksdb_ffm_engine, get_pinned_cf),
    MEMBER(rocksdb_ffm_engine, get_into_buffer_cf),
    MEMBER(rocksdb_ffm_engine, pinnableslice_value),
    MEMBER(rocksdb_ffm_engine, pinnableslice_destroy),
    MEMBER(rocksdb_ffm_engine, batched_multi_get_cf_slice),
    MEMBER(rocksdb_ffm_engine, iter_valid),
    MEMBER(rocksdb_ffm_engine, iter_seek_to_first),
    MEMBER(rocksdb_ffm_engine, iter_seek_to_last),
    MEMBER(rocksdb_ffm_engine, iter_seek),
    MEMBER(rocksdb_ffm_engine, iter_seek_for_prev),
    MEMBER(rocksdb_ffm_engine, iter_next),
    MEMBER(rocksdb_ffm_engine, iter_prev),
    MEMBER(rocksdb_ffm_engine, iter_key),
    MEMBER(rocksdb_ffm_engine, iter_value),
    MEMBER(rocksdb_ffm_engine, iter_get_error),
    MEMBER(rocksdb_ffm_engine, put_cf),
    MEMBER(rocksdb_ffm_engine, merge_cf),
    MEMBER(rocksdb_ffm_engine, delete_cf),
    MEMBER(rocksdb_ffm_engine, singledelete_cf),
    MEMBER(rocksdb_ffm_engine, delete_range_cf),
    MEMBER(rocksdb_ffm_engine, writebatch_create_from),
    MEMBER(rocksdb_ffm_engine, writebatch_destroy),
    MEMBER(rocksdb_ffm_engine, write),
    MEMBER(rocksdb_ffm_engine, transaction_get_pinned_for_update_cf),
    MEMBER(rocksdb_ffm_engine, transaction_put_cf),
    MEMBER(rocksdb_ffm_engine, transaction_merge_cf),
    MEMBER(rocksdb_ffm_engine, transaction_delete_cf),
    MEMBER(rocksdb_ffm_engine, transaction_get_writebatch_wi),
    MEMBER(rocksdb_ffm_engine, writebatch_wi_get_pinned_from_batch_and_db_cf),
    MEMBER(rocksdb_ffm_engine, writebatch_wi_put_cf),
    MEMBER(rocksdb_ffm_engine, writebatch_wi_merge_cf),
    MEMBER(rocksdb_ffm_engine, writebatch_wi_delete_cf),
    MEMBER(rocksdb_ffm_engine, writebatch_wi_singledelete_cf),
    MEMBER(rocksdb_ffm_engine, free),
    MEMBER(rocksdb_ffm_engine, set_perf_level),

    WHOLE(rocksdb_ffm_settings),
    MEMBER(rocksdb_ffm_settings, engine),
    MEMBER(rocksdb_ffm_settings, options),
    MEMBER(rocksdb_ffm_settings, text),
    MEMBER(rocksdb_ffm_settings, cache),
    MEMBER(rocksdb_ffm_settings, error),
    MEMBER(rocksdb_ffm_settings, no_cache),

    WHOLE(rocksdb_ffm_expiry),
    MEMBER(rocksdb_ffm_expiry, compactionfilter_create),
    MEMBER(rocksdb_ffm_expiry, compactionfilterfactory_create),
    MEMBER(rocksdb_ffm_expiry, options_set_compaction_filter_factory),
    MEMBER(rocksdb_ffm_expiry, prefix),
    MEMBER(rocksdb_ffm_expiry, prefix_size),
    MEMBER(rocksdb_ffm_expiry, offset),
    MEMBER(rocksdb_ffm_expiry, width),
    MEMBER(rocksdb_ffm_expiry, big_endian),
    MEMBER(rocksdb_ffm_expiry, milliseconds),
    MEMBER(rocksdb_ffm_expiry, age),

    WHOLE(rocksdb_ffm_opening),
    MEMBER(rocksdb_ffm_opening, engine),
    MEMBER(rocksdb_ffm_opening, options),
    MEMBER(rocksdb_ffm_opening, path),
    MEMBER(rocksdb_ffm_opening, family_count),
    MEMBER(rocksdb_ffm_opening, names),
    MEMBER(rocksdb_ffm_opening, family_options),
    MEMBER(rocksdb_ffm_opening, families),
    MEMBER(rocksdb_ffm_opening, db),
    MEMBER(rocksdb_ffm_opening, error),

    WHOLE(rocksdb_ffm_reader),
    MEMBER(rocksdb_ffm_reader, engine),
    MEMBER(rocksdb_ffm_reader, db),
    MEMBER(rocksdb_ffm_reader, options),
    MEMBER(rocksdb_ffm_reader, column_family),

    WHOLE(rocksdb_ffm_indexed_batch),
    MEMBER(rocksdb_ffm_indexed_batch, engine),
    MEMBER(rocksdb_ffm_indexed_batch, batch),
    MEMBER(rocksdb_ffm_indexed_batch, db),

    WHOLE(rocksdb_ffm_value),
    MEMBER(rocksdb_ffm_value, data),
    MEMBER(rocksdb_ffm_value, size),
    MEMBER(rocksdb_ffm_value, pin),
    MEMBER(rocksdb_ffm_value, error),

    WHOLE(rocksdb_ffm_group),
    MEMBER(rocksdb_ffm_group, column_family),
    MEMBER(rocksdb_ffm_group, key_count),

    WHOLE(rocksdb_ffm_cursor),
    MEMBER(rocksdb_ffm_cursor, engine),
    MEMBER(rocksdb_ffm_cursor, iterator),
    MEMBER(rocksdb_ffm_cursor, buffer),
    MEMBER(rocksdb_ffm_cursor, capacity),
    MEMBER(rocksdb_ffm_cursor, inline_limit),
    MEMBER(rocksdb_ffm_cursor, row_count),
    MEMBER(rocksdb_ffm_cursor, packed_size),
    MEMBER(rocksdb_ffm_cursor, large_key),
    MEMBER(rocksdb_ffm_cursor, large_value),
    MEMBER(rocksdb_ffm_cursor, ahead),
    MEMBER(rocksdb_ffm_cursor, error),

    WHOLE(rocksdb_ffm_writer),
    MEMBER(rocksdb_ffm_writer, engine),
    MEMBER(rocksdb_ffm_writer, db),
    MEMBER(rocksdb_ffm_writer, options),
    MEMBER(rocksdb_ffm_writer, column_family),

    WHOLE(rocksdb_ffm_messages),
    MEMBER(rocksdb_ffm_messages, bytes),
    MEMBER(rocksdb_ffm_messages, size),
    MEMBER(rocksdb_ffm_messages, dropped),
    MEMBER(rocksdb_ffm_messages, ended),

    WHOLE(rocksdb_ffm_layout),
    MEMBER(rocksdb_ffm_layout, struct_name),
    MEMBER(rocksdb_ffm_layout, member),
    MEMBER(rocksdb_ffm_layout, offset),
    MEMBER(rocksdb_ffm_layout, size),
};

const rocksdb_ffm_layout* rocksdb_ffm_layouts(size_t* count) {
  *count = sizeof(layouts) / sizeof(layouts[0]);
  return layouts;
}

int32_t rocksdb_ffm_abi(void) { return ROCKSDB_FFM_ABI; }

const int32_t ROCKSDB_FFM_NAMED(ROCKSDB_FFM_ABI) = ROCKSDB_FFM_ABI;
