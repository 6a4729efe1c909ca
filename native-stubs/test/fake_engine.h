/* Licensed under the Apache License, Version 2.0; see LICENSE. */

/*
 * An engine that reads arrays of rows, and fails where a test requests it. The fake engine allocates like the real
 * engine, so that sanitizers find leaks and double frees.
 */

#ifndef FAKE_ENGINE_H
#define FAKE_ENGINE_H

#include "rocksdb_ffm.h"

typedef struct fake_row {
  rocksdb_ffm_slice key;
  rocksdb_ffm_slice value;
  const char* error; /* the error of reading this row, or NULL */
} fake_row;

#define FAKE_ROW(key, value) {{key, sizeof(key) - 1}, {value, sizeof(value) - 1}, NULL}
#define FAKE_FAILURE(key, error) {{key, sizeof(key) - 1}, {NULL, 0}, error}

struct rocksdb_column_family_handle_t {
  const fake_row* rows; /* in ascending order */
  size_t row_count;
};

struct rocksdb_iterator_t {
  const fake_row* rows;
  size_t row_count;
  size_t position; /* row_count or above: not valid */
  size_t steps;    /* number of moves by one row */
};

/* The arguments of the engine's last call, and numbers of calls and of live objects. */
typedef struct fake_calls {
  const void* db;
  const void* options;
  int sorted_input;
  size_t multi_gets;
  size_t gets;
  size_t live_pins;
  size_t live_batches;
  char batch[64];
  size_t batch_size;
  const char* change; /* the name of the last function that changed a key */
  const void* column_family;
  rocksdb_ffm_slice key;
  rocksdb_ffm_slice value; /* NULL if the function has no value */
  size_t locks;  /* number of keys that transactions locked */
  int exclusive; /* whether the last lock was exclusive */
  size_t live_wrappers;
  const void* batch_with_index; /* the argument of the last read */
  const void* wrapped;          /* the wrapper around a transaction's batch that was created last */
  int perf_level;
  size_t perf_levels; /* number of times that a level was set */
} fake_calls;

extern fake_calls calls;
extern const char* write_error; /* the error of the next writes, or NULL */
extern const rocksdb_ffm_engine fake_engine;

#endif
