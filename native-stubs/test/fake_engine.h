/* Licensed under the Apache License, Version 2.0; see LICENSE. */

/*
 * An engine of arrays: it finds what a test put there, fails where a test says
 * so, and allocates as the real one does, so that leaks and double frees show.
 */

#ifndef FAKE_ENGINE_H
#define FAKE_ENGINE_H

#include "rocksdb_ffm.h"

typedef struct fake_row {
  rocksdb_ffm_slice key;
  rocksdb_ffm_slice value;
  const char* error; /* reading this row fails with it, unless NULL */
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
  size_t steps;    /* how often it was moved by one row */
};

/* The arguments that the stubs handed to the engine last, and counts of its calls and of the objects that live. */
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
  const char* change; /* the name of the function that changed a key last */
  const void* column_family;
  rocksdb_ffm_slice key;
  rocksdb_ffm_slice value; /* NULL where the function takes none */
  size_t locks;  /* how often a transaction locked a key */
  int exclusive; /* how it locked the last one */
  size_t live_wrappers;
  const void* batch_with_index; /* that was read over last */
  const void* wrapped;          /* by the last wrapper around a transaction's batch */
  int perf_level;
  size_t perf_levels; /* how often one was set */
} fake_calls;

extern fake_calls calls;
extern const char* write_error; /* the next writes fail with it, unless NULL */
extern const rocksdb_ffm_engine fake_engine;

#endif
