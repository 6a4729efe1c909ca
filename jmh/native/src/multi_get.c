/* Licensed under the Apache License, Version 2.0; see LICENSE. */

#include <stdlib.h>
#include <string.h>

#include "bench.h"

static int64_t look_at_copy(const char* value, size_t size) {
  char* copy = malloc(size == 0 ? 1 : size);
  if (copy == NULL) {
    return 0;
  }
  memcpy(copy, value, size);
  int64_t look = bench_look(copy, size);
  free(copy);
  return look;
}

static int64_t multi_get(bench_work* work, _Bool sorted, _Bool copied) {
  const bench_database* database = work->database;
  const bench_engine* engine = database->engine;
  rocksdb_slice_t keys[BENCH_MOST_KEYS];
  rocksdb_pinnableslice_t* pins[BENCH_MOST_KEYS];
  char* errors[BENCH_MOST_KEYS];
  if (work->count == 0 || work->count > BENCH_MOST_KEYS) {
    return BENCH_FAILED;
  }
  for (size_t i = 0; i < work->count; i++) {
    keys[i].data = bench_next(work);
    keys[i].size = work->key_size;
  }
  engine->batched_multi_get_cf_slice(database->db, database->read_options, database->family,
                                     work->count, keys, pins, errors, sorted);
  int64_t sum = 0;
  int failed = 0;
  for (size_t i = 0; i < work->count; i++) {
    failed |= bench_failed(engine, "multi-get", errors[i]);
    if (pins[i] != NULL) {
      size_t size;
      const char* value = engine->pinnableslice_value(pins[i], &size);
      sum += copied ? look_at_copy(value, size) : bench_look(value, size);
      engine->pinnableslice_destroy(pins[i]);
    }
  }
  return failed ? BENCH_FAILED : sum;
}

int64_t bench_multi_get_copied(bench_work* work) { return multi_get(work, 0, 1); }

int64_t bench_multi_get_copied_sorted(bench_work* work) { return multi_get(work, 1, 1); }

int64_t bench_multi_get_pinned(bench_work* work) { return multi_get(work, 0, 0); }

int64_t bench_multi_get_pinned_sorted(bench_work* work) { return multi_get(work, 1, 0); }
