/* Licensed under the Apache License, Version 2.0; see LICENSE. */

#define _XOPEN_SOURCE 700 /* clock_gettime */

#include <string.h>
#include <time.h>

#include "bench.h"

/* Returns the time in a minute, in the engine's unit: microseconds since 1970. */
static uint64_t in_a_minute(void) {
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  return ((uint64_t)now.tv_sec + 60) * 1000000 + (uint64_t)now.tv_nsec / 1000;
}

static inline int64_t get_copied(bench_work* work, rocksdb_readoptions_t* options, int timed) {
  const bench_database* database = work->database;
  const bench_engine* engine = database->engine;
  int64_t sum = 0;
  for (size_t i = 0; i < work->count; i++) {
    char* error = NULL;
    size_t size = 0;
    if (timed) {
      engine->readoptions_set_deadline(options, in_a_minute());
    }
    char* value = engine->get_cf(database->db, options, database->family, bench_next(work),
                                 work->key_size, &size, &error);
    if (bench_failed(engine, "get", error)) {
      return BENCH_FAILED;
    }
    if (value != NULL) {
      sum += bench_look(value, size);
      engine->free(value);
    }
  }
  return sum;
}

int64_t bench_get_copied(bench_work* work) {
  return get_copied(work, work->database->read_options, 0);
}

/* The options are changed for each get, so threads do not share them. */
int64_t bench_get_copied_in_time(bench_work* work) {
  const bench_engine* engine = work->database->engine;
  rocksdb_readoptions_t* options = engine->readoptions_create();
  int64_t sum = get_copied(work, options, 1);
  engine->readoptions_destroy(options);
  return sum;
}

int64_t bench_get_into(bench_work* work) {
  const bench_database* database = work->database;
  const bench_engine* engine = database->engine;
  int64_t sum = 0;
  for (size_t i = 0; i < work->count; i++) {
    char* error = NULL;
    size_t size = 0;
    unsigned char found = 0;
    unsigned char copied = engine->get_into_buffer_cf(
        database->db, database->read_options, database->family, bench_next(work), work->key_size,
        work->value, work->value_size, &size, &found, &error);
    if (bench_failed(engine, "get", error)) {
      return BENCH_FAILED;
    }
    if (copied) {
      sum += bench_look(work->value, size);
    }
  }
  return sum;
}

static inline int64_t fill_or_pin(bench_work* work, size_t limit) {
  const bench_database* database = work->database;
  const bench_engine* engine = database->engine;
  int64_t sum = 0;
  for (size_t i = 0; i < work->count; i++) {
    char* error = NULL;
    rocksdb_pinnableslice_t* pin =
        engine->get_pinned_cf(database->db, database->read_options, database->family,
                              bench_next(work), work->key_size, &error);
    if (bench_failed(engine, "get", error)) {
      return BENCH_FAILED;
    }
    if (pin != NULL) {
      size_t size;
      const char* value = engine->pinnableslice_value(pin, &size);
      if (size <= limit) {
        memcpy(work->value, value, size);
        value = work->value;
      }
      sum += bench_look(value, size);
      engine->pinnableslice_destroy(pin);
    }
  }
  return sum;
}

int64_t bench_get_pinned(bench_work* work) { return fill_or_pin(work, 0); }

int64_t bench_get_fill_or_pin(bench_work* work) { return fill_or_pin(work, work->value_size); }
