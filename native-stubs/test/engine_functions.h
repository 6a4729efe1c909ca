/* Licensed under the Apache License, Version 2.0; see LICENSE. */

#ifndef ENGINE_FUNCTIONS_H
#define ENGINE_FUNCTIONS_H

/* The members of rocksdb_ffm_engine, without batched_multi_get_cf_slice: the type of its keys has the
   layout of the engine's type, but another name. */
#define PLAIN_ENGINE_FUNCTIONS(F)                  \
  F(get_options_from_string)                       \
  F(block_based_options_create)                    \
  F(block_based_options_set_block_cache)           \
  F(block_based_options_set_no_block_cache)        \
  F(block_based_options_destroy)                   \
  F(options_set_block_based_table_factory)         \
  F(open_column_families)                          \
  F(get_pinned_cf)                                 \
  F(get_into_buffer_cf)                            \
  F(pinnableslice_value)                           \
  F(pinnableslice_destroy)                         \
  F(iter_valid)                                    \
  F(iter_seek_to_first)                            \
  F(iter_seek_to_last)                             \
  F(iter_seek)                                     \
  F(iter_seek_for_prev)                            \
  F(iter_next)                                     \
  F(iter_prev)                                     \
  F(iter_key)                                      \
  F(iter_value)                                    \
  F(iter_get_error)                                \
  F(put_cf)                                        \
  F(merge_cf)                                      \
  F(delete_cf)                                     \
  F(singledelete_cf)                               \
  F(delete_range_cf)                               \
  F(writebatch_create_from)                        \
  F(writebatch_destroy)                            \
  F(write)                                         \
  F(transaction_get_pinned_for_update_cf)          \
  F(transaction_put_cf)                            \
  F(transaction_merge_cf)                          \
  F(transaction_delete_cf)                         \
  F(transaction_get_writebatch_wi)                 \
  F(writebatch_wi_get_pinned_from_batch_and_db_cf) \
  F(writebatch_wi_put_cf)                          \
  F(writebatch_wi_merge_cf)                        \
  F(writebatch_wi_delete_cf)                       \
  F(writebatch_wi_singledelete_cf)                 \
  F(free)                                          \
  F(set_perf_level)
#define ENGINE_FUNCTIONS(F) PLAIN_ENGINE_FUNCTIONS(F) F(batched_multi_get_cf_slice)

#define COUNT_ONE(name) +1
_Static_assert(sizeof(rocksdb_ffm_engine) == (0 ENGINE_FUNCTIONS(COUNT_ONE)) * sizeof(void (*)(void)),
               "a member of rocksdb_ffm_engine is missing here");
#undef COUNT_ONE

#endif
