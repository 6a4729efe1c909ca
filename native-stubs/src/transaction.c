/* Licensed under the Apache License, Version 2.0; see LICENSE. */

#include "change.h"
#include "thread.h"

/*
 * The C API has no single delete for transactions. Like the C++ function, this locks the key, and
 * adds the single delete to the transaction's batch.
 */
static void single_delete(const rocksdb_ffm_reader* reader, rocksdb_transaction_t* transaction,
                          const char* key, size_t key_size, char** error) {
  const rocksdb_ffm_engine* engine = reader->engine;
  rocksdb_pinnableslice_t* pin = engine->transaction_get_pinned_for_update_cf(
      transaction, reader->options, reader->column_family, key, key_size, 1, error);
  if (pin != NULL) {
    engine->pinnableslice_destroy(pin);
  }
  if (*error == NULL) {
    rocksdb_writebatch_wi_t* batch = engine->transaction_get_writebatch_wi(transaction);
    engine->writebatch_wi_singledelete_cf(batch, reader->column_family, key, key_size);
    engine->free(batch); /* frees the wrapper, not the transaction's batch */
  }
}

int32_t rocksdb_ffm_transaction_change(const rocksdb_ffm_reader* reader, const char* key,
                                       uint64_t kind_and_key_size, const char* value,
                                       size_t value_size, char** error) {
  const rocksdb_ffm_engine* engine = reader->engine;
  rocksdb_transaction_t* transaction = (rocksdb_transaction_t*)reader->db;
  rocksdb_column_family_handle_t* column_family = reader->column_family;
  stop_counting(engine);
  *error = NULL;
  size_t key_size = key_size_of(kind_and_key_size);
  switch (kind_of(kind_and_key_size)) {
    case ROCKSDB_FFM_PUT:
      engine->transaction_put_cf(transaction, column_family, key, key_size, value, value_size,
                                 error);
      break;
    case ROCKSDB_FFM_MERGE:
      engine->transaction_merge_cf(transaction, column_family, key, key_size, value, value_size,
                                   error);
      break;
    case ROCKSDB_FFM_DELETE:
      engine->transaction_delete_cf(transaction, column_family, key, key_size, error);
      break;
    case ROCKSDB_FFM_SINGLE_DELETE:
      single_delete(reader, transaction, key, key_size, error);
      break;
    default:
      return 0;
  }
  return *error == NULL;
}
