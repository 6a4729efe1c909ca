/* Licensed under the Apache License, Version 2.0; see LICENSE. */

#include "change.h"
#include "thread.h"

int32_t rocksdb_ffm_change(const rocksdb_ffm_writer* writer, const char* key,
                           uint64_t kind_and_key_size, const char* value, size_t value_size,
                           char** error) {
  const rocksdb_ffm_engine* engine = writer->engine;
  rocksdb_t* db = writer->db;
  const rocksdb_writeoptions_t* options = writer->options;
  rocksdb_column_family_handle_t* column_family = writer->column_family;
  stop_counting(engine);
  *error = NULL;
  size_t key_size = key_size_of(kind_and_key_size);
  switch (kind_of(kind_and_key_size)) {
    case ROCKSDB_FFM_PUT:
      engine->put_cf(db, options, column_family, key, key_size, value, value_size, error);
      break;
    case ROCKSDB_FFM_MERGE:
      engine->merge_cf(db, options, column_family, key, key_size, value, value_size, error);
      break;
    case ROCKSDB_FFM_DELETE:
      engine->delete_cf(db, options, column_family, key, key_size, error);
      break;
    case ROCKSDB_FFM_SINGLE_DELETE:
      engine->singledelete_cf(db, options, column_family, key, key_size, error);
      break;
    case ROCKSDB_FFM_DELETE_RANGE:
      engine->delete_range_cf(db, options, column_family, key, key_size, value, value_size, error);
      break;
    default:
      return 0;
  }
  return *error == NULL;
}

rocksdb_writebatch_t* rocksdb_ffm_batch(const rocksdb_ffm_engine* engine, const char* bytes,
                                        size_t size) {
  return engine->writebatch_create_from(bytes, size);
}

int32_t rocksdb_ffm_write(const rocksdb_ffm_writer* writer, rocksdb_writebatch_t* batch,
                          char** error) {
  const rocksdb_ffm_engine* engine = writer->engine;
  stop_counting(engine);
  *error = NULL;
  engine->write(writer->db, writer->options, batch, error);
  engine->writebatch_destroy(batch);
  return *error == NULL;
}
