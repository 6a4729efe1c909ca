/* Licensed under the Apache License, Version 2.0; see LICENSE. */

#include "change.h"

static const rocksdb_ffm_indexed_batch* indexed(rocksdb_t* place) {
  return (const rocksdb_ffm_indexed_batch*)(void*)place;
}

rocksdb_pinnableslice_t* rocksdb_ffm_get_over_batch(rocksdb_t* indexed_batch,
                                                    const rocksdb_readoptions_t* options,
                                                    rocksdb_column_family_handle_t* column_family,
                                                    const char* key, size_t key_size,
                                                    char** error) {
  const rocksdb_ffm_indexed_batch* over = indexed(indexed_batch);
  return over->engine->writebatch_wi_get_pinned_from_batch_and_db_cf(
      over->batch, over->db, options, column_family, key, key_size, error);
}

int32_t rocksdb_ffm_batch_change(const rocksdb_ffm_reader* reader, const char* key,
                                 uint64_t kind_and_key_size, const char* value, size_t value_size,
                                 char** error) {
  const rocksdb_ffm_engine* engine = reader->engine;
  rocksdb_writebatch_wi_t* batch = indexed(reader->db)->batch;
  *error = NULL;
  size_t key_size = key_size_of(kind_and_key_size);
  switch (kind_of(kind_and_key_size)) {
    case ROCKSDB_FFM_PUT:
      engine->writebatch_wi_put_cf(batch, reader->column_family, key, key_size, value, value_size);
      return 1;
    case ROCKSDB_FFM_MERGE:
      engine->writebatch_wi_merge_cf(batch, reader->column_family, key, key_size, value,
                                     value_size);
      return 1;
    case ROCKSDB_FFM_DELETE:
      engine->writebatch_wi_delete_cf(batch, reader->column_family, key, key_size);
      return 1;
    case ROCKSDB_FFM_SINGLE_DELETE:
      engine->writebatch_wi_singledelete_cf(batch, reader->column_family, key, key_size);
      return 1;
    default:
      return 0;
  }
}
