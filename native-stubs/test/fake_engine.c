/* Licensed under the Apache License, Version 2.0; see LICENSE. */

#include "fake_engine.h"

#include <stdlib.h>
#include <string.h>

struct rocksdb_pinnableslice_t {
  rocksdb_ffm_slice value;
};

struct rocksdb_writebatch_t {
  char* bytes;
  size_t size;
};

fake_calls calls;
const char* write_error;

static char* copy_of(const char* text) {
  size_t size = strlen(text) + 1;
  return memcpy(malloc(size), text, size);
}

/* Like the engine, frees a message that `*error` contains already. */
static void report(char** error, const char* message) {
  free(*error);
  *error = copy_of(message);
}

static int compare(rocksdb_ffm_slice a, rocksdb_ffm_slice b) {
  size_t common = a.size < b.size ? a.size : b.size;
  int order = common == 0 ? 0 : memcmp(a.data, b.data, common);
  return order != 0 ? order : (a.size > b.size) - (a.size < b.size);
}

static const fake_row* find(const rocksdb_column_family_handle_t* column_family,
                            rocksdb_ffm_slice key) {
  for (size_t i = 0; i < column_family->row_count; i++) {
    if (compare(column_family->rows[i].key, key) == 0) {
      return &column_family->rows[i];
    }
  }
  return NULL;
}

static rocksdb_pinnableslice_t* pin_of(const fake_row* row) {
  rocksdb_pinnableslice_t* pin = malloc(sizeof(*pin));
  pin->value = row->value;
  calls.live_pins++;
  return pin;
}

static rocksdb_pinnableslice_t* get_pinned_cf(rocksdb_t* db, const rocksdb_readoptions_t* options,
                                              rocksdb_column_family_handle_t* column_family,
                                              const char* key, size_t key_size, char** error) {
  const rocksdb_ffm_slice wanted = {key, key_size};
  const fake_row* row = find(column_family, wanted);
  calls.gets++;
  calls.db = db;
  calls.options = options;
  if (row != NULL && row->error != NULL) {
    report(error, row->error);
    return NULL;
  }
  return row == NULL ? NULL : pin_of(row);
}

static unsigned char get_into_buffer_cf(rocksdb_t* db, const rocksdb_readoptions_t* options,
                                        rocksdb_column_family_handle_t* column_family,
                                        const char* key, size_t key_size, char* buffer,
                                        size_t capacity, size_t* value_size, unsigned char* found,
                                        char** error) {
  const rocksdb_ffm_slice wanted = {key, key_size};
  const fake_row* row = find(column_family, wanted);
  calls.db = db;
  calls.options = options;
  *value_size = 0;
  *found = row != NULL && row->error == NULL;
  if (!*found) {
    if (row != NULL) {
      report(error, row->error);
    }
    return 0;
  }
  *value_size = row->value.size;
  if (row->value.size > capacity) {
    return 0;
  }
  if (row->value.size != 0) {
    memcpy(buffer, row->value.data, row->value.size);
  }
  return 1;
}

static const char* pinnableslice_value(const rocksdb_pinnableslice_t* pin, size_t* size) {
  *size = pin->value.size;
  return pin->value.data;
}

static void pinnableslice_destroy(rocksdb_pinnableslice_t* pin) {
  free(pin);
  calls.live_pins--;
}

/* Like the engine, overwrites each pin and each error. */
static void batched_multi_get_cf_slice(rocksdb_t* db, const rocksdb_readoptions_t* options,
                                       rocksdb_column_family_handle_t* column_family,
                                       size_t key_count, const rocksdb_ffm_slice* keys,
                                       rocksdb_pinnableslice_t** pins, char** errors,
                                       _Bool sorted_input) {
  calls.db = db;
  calls.options = options;
  calls.sorted_input = sorted_input;
  calls.multi_gets++;
  for (size_t i = 0; i < key_count; i++) {
    const fake_row* row = find(column_family, keys[i]);
    int failed = row != NULL && row->error != NULL;
    errors[i] = failed ? copy_of(row->error) : NULL;
    pins[i] = row == NULL || failed ? NULL : pin_of(row);
  }
}

static unsigned char iter_valid(const rocksdb_iterator_t* iterator) {
  return iterator->position < iterator->row_count &&
         iterator->rows[iterator->position].error == NULL;
}

static void iter_seek_to_first(rocksdb_iterator_t* iterator) { iterator->position = 0; }

static void iter_seek_to_last(rocksdb_iterator_t* iterator) {
  iterator->position = iterator->row_count - 1;
}

static void iter_seek(rocksdb_iterator_t* iterator, const char* key, size_t key_size) {
  const rocksdb_ffm_slice target = {key, key_size};
  iterator->position = 0;
  while (iterator->position < iterator->row_count &&
         compare(iterator->rows[iterator->position].key, target) < 0) {
    iterator->position++;
  }
}

static void iter_seek_for_prev(rocksdb_iterator_t* iterator, const char* key, size_t key_size) {
  const rocksdb_ffm_slice target = {key, key_size};
  iterator->position = iterator->row_count - 1;
  while (iterator->position < iterator->row_count &&
         compare(iterator->rows[iterator->position].key, target) > 0) {
    iterator->position--; /* wraps below 0, and then is not valid */
  }
}

static void iter_next(rocksdb_iterator_t* iterator) {
  iterator->position++;
  iterator->steps++;
}

static void iter_prev(rocksdb_iterator_t* iterator) {
  iterator->position--;
  iterator->steps++;
}

static const char* iter_key(const rocksdb_iterator_t* iterator, size_t* size) {
  *size = iterator->rows[iterator->position].key.size;
  return iterator->rows[iterator->position].key.data;
}

static const char* iter_value(const rocksdb_iterator_t* iterator, size_t* size) {
  *size = iterator->rows[iterator->position].value.size;
  return iterator->rows[iterator->position].value.data;
}

static void iter_get_error(const rocksdb_iterator_t* iterator, char** error) {
  if (iterator->position < iterator->row_count) {
    const char* message = iterator->rows[iterator->position].error;
    if (message != NULL) {
      report(error, message);
    }
  }
}

static void change(const char* name, rocksdb_t* db, const rocksdb_writeoptions_t* options,
                   rocksdb_column_family_handle_t* column_family, rocksdb_ffm_slice key,
                   rocksdb_ffm_slice value, char** error) {
  calls.change = name;
  calls.db = db;
  calls.options = options;
  calls.column_family = column_family;
  calls.key = key;
  calls.value = value;
  if (write_error != NULL) {
    report(error, write_error);
  }
}

#define CHANGE_WITH_VALUE(name)                                                                  \
  static void name(rocksdb_t* db, const rocksdb_writeoptions_t* options,                         \
                   rocksdb_column_family_handle_t* column_family, const char* key,               \
                   size_t key_size, const char* value, size_t value_size, char** error) {        \
    change(#name, db, options, column_family, (rocksdb_ffm_slice){key, key_size},                \
           (rocksdb_ffm_slice){value, value_size}, error);                                       \
  }
#define CHANGE_WITHOUT_VALUE(name)                                                               \
  static void name(rocksdb_t* db, const rocksdb_writeoptions_t* options,                         \
                   rocksdb_column_family_handle_t* column_family, const char* key,               \
                   size_t key_size, char** error) {                                              \
    change(#name, db, options, column_family, (rocksdb_ffm_slice){key, key_size},                \
           (rocksdb_ffm_slice){NULL, 0}, error);                                                 \
  }
CHANGE_WITH_VALUE(put_cf)
CHANGE_WITH_VALUE(merge_cf)
CHANGE_WITHOUT_VALUE(delete_cf)
CHANGE_WITHOUT_VALUE(singledelete_cf)
CHANGE_WITH_VALUE(delete_range_cf)

static rocksdb_writebatch_t* writebatch_create_from(const char* bytes, size_t size) {
  rocksdb_writebatch_t* batch = malloc(sizeof(*batch));
  batch->bytes = malloc(size == 0 ? 1 : size);
  batch->size = size;
  if (size != 0) {
    memcpy(batch->bytes, bytes, size);
  }
  calls.live_batches++;
  return batch;
}

static void writebatch_destroy(rocksdb_writebatch_t* batch) {
  free(batch->bytes);
  free(batch);
  calls.live_batches--;
}

static void write_batch(rocksdb_t* db, const rocksdb_writeoptions_t* options,
                        rocksdb_writebatch_t* batch, char** error) {
  calls.db = db;
  calls.options = options;
  calls.batch_size = batch->size;
  memcpy(calls.batch, batch->bytes, batch->size);
  if (write_error != NULL) {
    report(error, write_error);
  }
}

static rocksdb_pinnableslice_t* transaction_get_pinned_for_update_cf(
    rocksdb_transaction_t* transaction, const rocksdb_readoptions_t* options,
    rocksdb_column_family_handle_t* column_family, const char* key, size_t key_size,
    unsigned char exclusive, char** error) {
  calls.locks++;
  calls.exclusive = exclusive;
  return get_pinned_cf((rocksdb_t*)transaction, options, column_family, key, key_size, error);
}

#define TRANSACTION_CHANGE(name)                                                                 \
  static void name(rocksdb_transaction_t* transaction,                                           \
                   rocksdb_column_family_handle_t* column_family, const char* key,               \
                   size_t key_size, const char* value, size_t value_size, char** error) {        \
    change(#name, (rocksdb_t*)transaction, NULL, column_family,                                  \
           (rocksdb_ffm_slice){key, key_size}, (rocksdb_ffm_slice){value, value_size}, error);   \
  }
TRANSACTION_CHANGE(transaction_put_cf)
TRANSACTION_CHANGE(transaction_merge_cf)

static void transaction_delete_cf(rocksdb_transaction_t* transaction,
                                  rocksdb_column_family_handle_t* column_family, const char* key,
                                  size_t key_size, char** error) {
  change("transaction_delete_cf", (rocksdb_t*)transaction, NULL, column_family,
         (rocksdb_ffm_slice){key, key_size}, (rocksdb_ffm_slice){NULL, 0}, error);
}

/* Like the engine, allocates a wrapper around the transaction's batch. */
static rocksdb_writebatch_wi_t* transaction_get_writebatch_wi(rocksdb_transaction_t* transaction) {
  void** wrapper = malloc(sizeof(*wrapper));
  *wrapper = transaction;
  calls.wrapped = wrapper;
  calls.live_wrappers++;
  return (rocksdb_writebatch_wi_t*)(void*)wrapper;
}

static void writebatch_wi_singledelete_cf(rocksdb_writebatch_wi_t* batch,
                                          rocksdb_column_family_handle_t* column_family,
                                          const char* key, size_t key_size) {
  const char* failure = write_error;
  write_error = NULL; /* a change in memory cannot fail */
  change("writebatch_wi_singledelete_cf", (rocksdb_t*)(void*)batch, NULL, column_family,
         (rocksdb_ffm_slice){key, key_size}, (rocksdb_ffm_slice){NULL, 0}, NULL);
  write_error = failure;
}

static rocksdb_pinnableslice_t* writebatch_wi_get_pinned_from_batch_and_db_cf(
    rocksdb_writebatch_wi_t* batch, rocksdb_t* db, const rocksdb_readoptions_t* options,
    rocksdb_column_family_handle_t* column_family, const char* key, size_t key_size,
    char** error) {
  calls.batch_with_index = batch;
  return get_pinned_cf(db, options, column_family, key, key_size, error);
}

#define BATCH_CHANGE(name)                                                                       \
  static void name(rocksdb_writebatch_wi_t* batch, rocksdb_column_family_handle_t* column_family, \
                   const char* key, size_t key_size, const char* value, size_t value_size) {     \
    change(#name, (rocksdb_t*)(void*)batch, NULL, column_family,                                 \
           (rocksdb_ffm_slice){key, key_size}, (rocksdb_ffm_slice){value, value_size}, NULL);    \
  }
BATCH_CHANGE(writebatch_wi_put_cf)
BATCH_CHANGE(writebatch_wi_merge_cf)

static void writebatch_wi_delete_cf(rocksdb_writebatch_wi_t* batch,
                                    rocksdb_column_family_handle_t* column_family, const char* key,
                                    size_t key_size) {
  change("writebatch_wi_delete_cf", (rocksdb_t*)(void*)batch, NULL, column_family,
         (rocksdb_ffm_slice){key, key_size}, (rocksdb_ffm_slice){NULL, 0}, NULL);
}

static void free_wrapper(void* wrapper) {
  calls.live_wrappers--;
  free(wrapper);
}

static void set_perf_level(int level) {
  calls.perf_level = level;
  calls.perf_levels++;
}

const rocksdb_ffm_engine fake_engine = {
    .get_pinned_cf = get_pinned_cf,
    .get_into_buffer_cf = get_into_buffer_cf,
    .pinnableslice_value = pinnableslice_value,
    .pinnableslice_destroy = pinnableslice_destroy,
    .batched_multi_get_cf_slice = batched_multi_get_cf_slice,
    .iter_valid = iter_valid,
    .iter_seek_to_first = iter_seek_to_first,
    .iter_seek_to_last = iter_seek_to_last,
    .iter_seek = iter_seek,
    .iter_seek_for_prev = iter_seek_for_prev,
    .iter_next = iter_next,
    .iter_prev = iter_prev,
    .iter_key = iter_key,
    .iter_value = iter_value,
    .iter_get_error = iter_get_error,
    .put_cf = put_cf,
    .merge_cf = merge_cf,
    .delete_cf = delete_cf,
    .singledelete_cf = singledelete_cf,
    .delete_range_cf = delete_range_cf,
    .writebatch_create_from = writebatch_create_from,
    .writebatch_destroy = writebatch_destroy,
    .write = write_batch,
    .transaction_get_pinned_for_update_cf = transaction_get_pinned_for_update_cf,
    .transaction_put_cf = transaction_put_cf,
    .transaction_merge_cf = transaction_merge_cf,
    .transaction_delete_cf = transaction_delete_cf,
    .transaction_get_writebatch_wi = transaction_get_writebatch_wi,
    .writebatch_wi_get_pinned_from_batch_and_db_cf = writebatch_wi_get_pinned_from_batch_and_db_cf,
    .writebatch_wi_put_cf = writebatch_wi_put_cf,
    .writebatch_wi_merge_cf = writebatch_wi_merge_cf,
    .writebatch_wi_delete_cf = writebatch_wi_delete_cf,
    .writebatch_wi_singledelete_cf = writebatch_wi_singledelete_cf,
    .free = free_wrapper,
    .set_perf_level = set_perf_level,
};
