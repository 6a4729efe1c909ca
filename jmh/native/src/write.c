/* Licensed under the Apache License, Version 2.0; see LICENSE. */

#include "bench.h"

int64_t bench_put(bench_work* work) {
  const bench_database* database = work->database;
  char* error = NULL;
  for (size_t i = 0; i < work->count && error == NULL; i++) {
    database->engine->put(database->db, database->write_options, bench_next(work), work->key_size,
                          work->value, work->value_size, &error);
  }
  return bench_failed(database->engine, "put", error) ? BENCH_FAILED : (int64_t)work->count;
}

int64_t bench_merge(bench_work* work) {
  const bench_database* database = work->database;
  char* error = NULL;
  for (size_t i = 0; i < work->count && error == NULL; i++) {
    database->engine->merge(database->db, database->write_options, bench_next(work),
                            work->key_size, work->value, work->value_size, &error);
  }
  return bench_failed(database->engine, "merge", error) ? BENCH_FAILED : (int64_t)work->count;
}

int64_t bench_delete(bench_work* work) {
  const bench_database* database = work->database;
  char* error = NULL;
  for (size_t i = 0; i < work->count && error == NULL; i++) {
    database->engine->delete(database->db, database->write_options, bench_next(work),
                             work->key_size, &error);
  }
  return bench_failed(database->engine, "delete", error) ? BENCH_FAILED : (int64_t)work->count;
}

rocksdb_writebatch_t* bench_batch_create(const bench_engine* engine) {
  return engine->writebatch_create();
}

void bench_batch_destroy(const bench_engine* engine, rocksdb_writebatch_t* batch) {
  engine->writebatch_destroy(batch);
}

int64_t bench_fill_batch(bench_work* work) {
  const bench_engine* engine = work->database->engine;
  engine->writebatch_clear(work->batch);
  for (size_t i = 0; i < work->count; i++) {
    engine->writebatch_put(work->batch, bench_next(work), work->key_size, work->value,
                           work->value_size);
  }
  return (int64_t)work->count;
}

int64_t bench_write_batch(bench_work* work) {
  const bench_database* database = work->database;
  char* error = NULL;
  bench_fill_batch(work);
  database->engine->write(database->db, database->write_options, work->batch, &error);
  return bench_failed(database->engine, "write", error) ? BENCH_FAILED : (int64_t)work->count;
}
