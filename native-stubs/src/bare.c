/* Licensed under the Apache License, Version 2.0; see LICENSE. */

#include "rocksdb_ffm.h"

/* The C API's struct around a pointer to a database, a column family or an iterator: other members, if any, are used
 * only by functions that destroy the struct. */
typedef struct wrapper_t {
  void* wrapped;
  void* unused;
} wrapper_t;

typedef void (*change_t)(wrapper_t* db, const rocksdb_writeoptions_t* options,
                         wrapper_t* column_family, const char* key, size_t key_size,
                         const char* value, size_t value_size, char** error);
typedef void (*delete_t)(wrapper_t* db, const rocksdb_writeoptions_t* options,
                         wrapper_t* column_family, const char* key, size_t key_size, char** error);
typedef void (*append_t)(rocksdb_writebatch_t* batch, wrapper_t* column_family, const char* key,
                         size_t key_size, const char* value, size_t value_size);
typedef void (*append_delete_t)(rocksdb_writebatch_t* batch, wrapper_t* column_family,
                                const char* key, size_t key_size);

char* rocksdb_ffm_bare_change(void (*change)(void), void* db, const rocksdb_writeoptions_t* options,
                              void* column_family, const char* key_and_value, uint64_t sizes) {
  wrapper_t database = {db, NULL};
  wrapper_t family = {column_family, NULL};
  size_t key_size = sizes >> 32;
  uint32_t value_size = (uint32_t)sizes;
  char* error = NULL;
  if (value_size == ROCKSDB_FFM_NO_VALUE) {
    ((delete_t)change)(&database, options, &family, key_and_value, key_size, &error);
  } else {
    ((change_t)change)(&database, options, &family, key_and_value, key_size,
                       key_and_value + key_size, value_size, &error);
  }
  return error;
}

int64_t rocksdb_ffm_bare_append(void (*append)(void), rocksdb_writebatch_t* batch,
                                void* column_family, const char* key_and_value, uint64_t sizes,
                                int (*count)(rocksdb_writebatch_t* batch)) {
  wrapper_t family = {column_family, NULL};
  size_t key_size = sizes >> 32;
  uint32_t value_size = (uint32_t)sizes;
  int before = count == NULL ? 0 : count(batch);
  if (value_size == ROCKSDB_FFM_NO_VALUE) {
    ((append_delete_t)append)(batch, &family, key_and_value, key_size);
  } else {
    ((append_t)append)(batch, &family, key_and_value, key_size, key_and_value + key_size,
                       value_size);
  }
  return count == NULL || count(batch) > before;
}

char* rocksdb_ffm_bare_write(void (*write)(rocksdb_t* db, const rocksdb_writeoptions_t* options,
                                           rocksdb_writebatch_t* batch, char** error),
                             void* db, const rocksdb_writeoptions_t* options,
                             rocksdb_writebatch_t* batch,
                             unsigned char (*has_ranges)(void* environment, void* type,
                                                         int64_t batch)) {
  wrapper_t database = {db, NULL};
  char* error = NULL;
  if (has_ranges != NULL && has_ranges(NULL, NULL, (int64_t)(intptr_t)batch)) {
    return (char*)(intptr_t)1;
  }
  write((rocksdb_t*)&database, options, batch, &error);
  return error;
}

int64_t rocksdb_ffm_bare_scan(rocksdb_ffm_cursor* cursor, void* iterator, int64_t move,
                              const char* target, size_t target_size, int64_t limit_and_backward) {
  wrapper_t wrapper = {iterator, NULL};
  size_t row_limit = (size_t)(limit_and_backward >> 1);
  cursor->iterator = (rocksdb_iterator_t*)&wrapper;
  int64_t rows = rocksdb_ffm_scan(cursor, (int32_t)move, target, target_size, row_limit,
                                  (int32_t)(limit_and_backward & 1));
  cursor->iterator = NULL;
  return rows | cursor->ahead << 16 | (int64_t)cursor->packed_size << 32;
}
