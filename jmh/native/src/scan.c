/* Licensed under the Apache License, Version 2.0; see LICENSE. */

#include <stdlib.h>
#include <string.h>

#include "bench.h"

static int64_t look(rocksdb_slice_t bytes, int32_t copied) {
  if (!copied) {
    return bench_look(bytes.data, bytes.size);
  }
  char* copy = malloc(bytes.size == 0 ? 1 : bytes.size);
  if (copy == NULL) {
    return 0;
  }
  memcpy(copy, bytes.data, bytes.size);
  int64_t sum = bench_look(copy, bytes.size);
  free(copy);
  return sum;
}

static int64_t read_rows(const bench_engine* engine, rocksdb_iterator_t* iterator,
                         const bench_scan* scan) {
  void (*advance)(rocksdb_iterator_t*) = scan->backward ? engine->iter_prev : engine->iter_next;
  int64_t sum = 0;
  for (size_t left = scan->rows; left > 0 && engine->iter_valid(iterator); left--) {
    sum += look(engine->iter_key_slice(iterator), scan->copied);
    sum += look(engine->iter_value_slice(iterator), scan->copied);
    advance(iterator);
  }
  char* error = NULL;
  engine->iter_get_error(iterator, &error);
  return bench_failed(engine, "scan", error) ? BENCH_FAILED : sum;
}

static void start(const bench_engine* engine, rocksdb_iterator_t* iterator,
                  const bench_scan* scan) {
  if (scan->from == NULL) {
    engine->iter_seek_to_first(iterator);
  } else if (scan->backward) {
    engine->iter_seek_for_prev(iterator, scan->from, scan->key_size);
  } else {
    engine->iter_seek(iterator, scan->from, scan->key_size);
  }
}

static rocksdb_readoptions_t* bounds(const bench_engine* engine, const bench_scan* scan) {
  rocksdb_readoptions_t* options = engine->readoptions_create();
  if (scan->lower != NULL) {
    engine->readoptions_set_iterate_lower_bound(options, scan->lower, scan->key_size);
  }
  if (scan->upper != NULL) {
    engine->readoptions_set_iterate_upper_bound(options, scan->upper, scan->key_size);
  }
  return options;
}

int64_t bench_scan_rows(const bench_scan* scan) {
  const bench_database* database = scan->database;
  const bench_engine* engine = database->engine;
  rocksdb_readoptions_t* own =
      scan->lower == NULL && scan->upper == NULL ? NULL : bounds(engine, scan);
  rocksdb_iterator_t* iterator =
      engine->create_iterator(database->db, own == NULL ? database->read_options : own);
  start(engine, iterator, scan);
  int64_t sum = read_rows(engine, iterator, scan);
  engine->iter_destroy(iterator);
  if (own != NULL) {
    engine->readoptions_destroy(own);
  }
  return sum;
}
