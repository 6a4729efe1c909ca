/* Licensed under the Apache License, Version 2.0; see LICENSE. */

#include <string.h>

#include "bench.h"

static rocksdb_transaction_t* begin(const bench_database* database) {
  const bench_engine* engine = database->engine;
  return database->locking != NULL
             ? engine->transaction_begin(database->locking, database->write_options,
                                         database->locking_options, NULL)
             : engine->optimistictransaction_begin(database->optimistic, database->write_options,
                                                   database->optimistic_options, NULL);
}

static void read_and_write(const bench_work* work, rocksdb_transaction_t* transaction,
                           const char* key, char** error) {
  const bench_database* database = work->database;
  const bench_engine* engine = database->engine;
  size_t size;
  char* read = engine->transaction_get_for_update(transaction, database->read_options, key,
                                                  work->key_size, &size, 1, error);
  if (read != NULL) {
    engine->free(read);
  }
  if (*error == NULL) {
    engine->transaction_put(transaction, key, work->key_size, work->value, work->value_size, error);
  }
}

/* The texts of the engine's status codes Busy, TimedOut and TryAgain, which mean a conflict. */
static int is_conflict(const char* error) {
  return strncmp(error, "Resource busy", 13) == 0 ||
         strncmp(error, "Operation timed out", 19) == 0 ||
         strncmp(error, "Operation failed. Try again", 27) == 0;
}

/* Runs a transaction: returns 1 if it was committed, 0 after a conflict, and -1 if the engine failed. */
static int update(const bench_work* work, const char* const* keys) {
  const bench_engine* engine = work->database->engine;
  char* error = NULL;
  rocksdb_transaction_t* transaction = begin(work->database);
  for (int i = 0; i < BENCH_TRANSACTION_KEYS && error == NULL; i++) {
    read_and_write(work, transaction, keys[i], &error);
  }
  if (error == NULL) {
    engine->transaction_commit(transaction, &error);
  }
  engine->transaction_destroy(transaction);
  if (error != NULL && is_conflict(error)) {
    engine->free(error);
    return 0;
  }
  return bench_failed(engine, "transaction", error) ? -1 : 1;
}

int64_t bench_update(bench_work* work) {
  for (size_t i = 0; i < work->count; i++) {
    const char* keys[BENCH_TRANSACTION_KEYS];
    for (int k = 0; k < BENCH_TRANSACTION_KEYS; k++) {
      keys[k] = bench_next(work);
    }
    int done = 0;
    while (done == 0) {
      done = update(work, keys);
    }
    if (done < 0) {
      return BENCH_FAILED;
    }
  }
  return (int64_t)work->count;
}

int64_t bench_begin(bench_work* work) {
  work->transaction = begin(work->database);
  work->indexed = work->database->engine->writebatch_wi_create(0, 1);
  return 0;
}

int64_t bench_write_pending(bench_work* work) {
  const bench_engine* engine = work->database->engine;
  const char* key = bench_next(work);
  char* error = NULL;
  engine->transaction_put(work->transaction, key, work->key_size, work->value, work->value_size,
                          &error);
  engine->writebatch_wi_put(work->indexed, key, work->key_size, work->value, work->value_size);
  return bench_failed(engine, "put", error) ? BENCH_FAILED : 1;
}

void bench_end_transaction(const bench_engine* engine, rocksdb_transaction_t* transaction) {
  engine->transaction_destroy(transaction);
}

void bench_end_batch(const bench_engine* engine, rocksdb_writebatch_wi_t* batch) {
  engine->writebatch_wi_destroy(batch);
}

int64_t bench_transaction_get_copied(bench_work* work) {
  const bench_database* database = work->database;
  const bench_engine* engine = database->engine;
  int64_t sum = 0;
  for (size_t i = 0; i < work->count; i++) {
    char* error = NULL;
    size_t size = 0;
    char* value = engine->transaction_get(work->transaction, database->read_options,
                                          bench_next(work), work->key_size, &size, &error);
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

int64_t bench_transaction_get_pinned(bench_work* work) {
  const bench_database* database = work->database;
  const bench_engine* engine = database->engine;
  int64_t sum = 0;
  for (size_t i = 0; i < work->count; i++) {
    char* error = NULL;
    rocksdb_pinnableslice_t* pin = engine->transaction_get_pinned(
        work->transaction, database->read_options, bench_next(work), work->key_size, &error);
    if (bench_failed(engine, "get", error)) {
      return BENCH_FAILED;
    }
    if (pin != NULL) {
      size_t size;
      const char* value = engine->pinnableslice_value(pin, &size);
      sum += bench_look(value, size);
      engine->pinnableslice_destroy(pin);
    }
  }
  return sum;
}

int64_t bench_scan_batch(bench_work* work) {
  const bench_database* database = work->database;
  const bench_engine* engine = database->engine;
  rocksdb_iterator_t* rows = engine->writebatch_wi_create_iterator_with_base(
      work->indexed, engine->create_iterator(database->db, database->read_options));
  int64_t sum = 0;
  for (engine->iter_seek_to_first(rows); engine->iter_valid(rows); engine->iter_next(rows)) {
    rocksdb_slice_t key = engine->iter_key_slice(rows);
    rocksdb_slice_t value = engine->iter_value_slice(rows);
    sum += bench_look(key.data, key.size) + bench_look(value.data, value.size);
  }
  char* error = NULL;
  engine->iter_get_error(rows, &error);
  engine->iter_destroy(rows);
  return bench_failed(engine, "scan", error) ? BENCH_FAILED : sum;
}
