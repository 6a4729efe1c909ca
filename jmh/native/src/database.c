/* Licensed under the Apache License, Version 2.0; see LICENSE. */

#include <stdio.h>
#include <stdlib.h>

#include "bench.h"

const char* bench_function(size_t index) {
  static const char* const names[] = {
#define BENCH_NAME(result, name, parameters) "rocksdb_" #name,
      BENCH_FUNCTIONS(BENCH_NAME)
#undef BENCH_NAME
  };
  return index < sizeof(names) / sizeof(names[0]) ? names[index] : NULL;
}

int bench_failed(const bench_engine* engine, const char* doing, char* error) {
  if (error == NULL) {
    return 0;
  }
  fprintf(stderr, "%s: %s\n", doing, error);
  engine->free(error);
  return 1;
}

static rocksdb_options_t* parse(const bench_engine* engine, rocksdb_cache_t* cache,
                                const char* text) {
  rocksdb_options_t* base = engine->options_create();
  rocksdb_options_t* options = engine->options_create();
  rocksdb_block_based_table_options_t* table = engine->block_based_options_create();
  char* error = NULL;
  engine->block_based_options_set_block_cache(table, cache);
  engine->options_set_block_based_table_factory(base, table);
  engine->get_options_from_string(base, text, options, &error);
  engine->block_based_options_destroy(table);
  engine->options_destroy(base);
  if (bench_failed(engine, text, error)) {
    engine->options_destroy(options);
    return NULL;
  }
  return options;
}

static unsigned char is_empty(void* state, int level, const char* key, size_t key_size,
                              const char* value, size_t value_size, char** new_value,
                              size_t* new_value_size, unsigned char* value_changed) {
  (void)state, (void)level, (void)key, (void)key_size, (void)value;
  (void)new_value, (void)new_value_size, (void)value_changed;
  return value_size == 0;
}

static void no_state(void* state) { (void)state; }

static const char* filter_name(void* state) {
  (void)state;
  return "without empty values";
}

/* Opens a database with a kind of transactions; other functions use its base database. */
static rocksdb_t* open_by_kind(const bench_engine* engine, const rocksdb_options_t* options,
                               const char* path, int32_t transactions, bench_database* database,
                               char** error) {
  if (transactions == BENCH_LOCKING) {
    rocksdb_transactiondb_options_t* locks = engine->transactiondb_options_create();
    database->locking = engine->transactiondb_open(options, locks, path, error);
    engine->transactiondb_options_destroy(locks);
    database->locking_options = engine->transaction_options_create();
    return *error != NULL ? NULL : engine->transactiondb_get_base_db(database->locking);
  }
  if (transactions == BENCH_OPTIMISTIC) {
    database->optimistic = engine->optimistictransactiondb_open(options, path, error);
    database->optimistic_options = engine->optimistictransaction_options_create();
    return *error != NULL ? NULL
                          : engine->optimistictransactiondb_get_base_db(database->optimistic);
  }
  return engine->open(options, path, error);
}

static void close_by_kind(const bench_database* database) {
  const bench_engine* engine = database->engine;
  if (database->locking != NULL) {
    engine->transaction_options_destroy(database->locking_options);
    engine->transactiondb_close_base_db(database->db);
    engine->transactiondb_close(database->locking);
  } else if (database->optimistic != NULL) {
    engine->optimistictransaction_options_destroy(database->optimistic_options);
    engine->optimistictransactiondb_close_base_db(database->db);
    engine->optimistictransactiondb_close(database->optimistic);
  } else {
    engine->close(database->db);
  }
}

bench_database* bench_open(const bench_engine* engine, const char* path, const char* options,
                           size_t cache_size, int32_t wal, int32_t drops_empty,
                           int32_t transactions, int32_t statistics) {
  bench_database* database = calloc(1, sizeof(bench_database));
  if (database == NULL) {
    return NULL;
  }
  database->engine = engine;
  rocksdb_compactionfilter_t* filter =
      drops_empty ? engine->compactionfilter_create(NULL, no_state, is_empty, filter_name) : NULL;
  rocksdb_cache_t* cache = engine->cache_create_lru(cache_size);
  rocksdb_options_t* parsed = parse(engine, cache, options);
  rocksdb_t* db = NULL;
  if (parsed != NULL) {
    char* error = NULL;
    if (filter != NULL) {
      engine->options_set_compaction_filter(parsed, filter);
    }
    if (statistics) {
      enum { EXCEPT_DETAILED_TIMERS = 3 }; /* the engine's default level */
      engine->options_enable_statistics(parsed);
      engine->options_set_statistics_level(parsed, EXCEPT_DETAILED_TIMERS);
    }
    db = open_by_kind(engine, parsed, path, transactions, database, &error);
    if (bench_failed(engine, path, error)) {
      db = NULL;
    }
    engine->options_destroy(parsed);
  }
  if (db == NULL) {
    free(database);
    engine->cache_destroy(cache);
    if (filter != NULL) {
      engine->compactionfilter_destroy(filter);
    }
    return NULL;
  }
  database->db = db;
  database->cache = cache;
  database->filter = filter;
  database->family = engine->get_default_column_family_handle(db);
  database->read_options = engine->readoptions_create();
  database->write_options = engine->writeoptions_create();
  engine->writeoptions_disable_WAL(database->write_options, !wal);
  return database;
}

void bench_close(bench_database* database) {
  const bench_engine* engine = database->engine;
  engine->readoptions_destroy(database->read_options);
  engine->writeoptions_destroy(database->write_options);
  engine->column_family_handle_destroy(database->family);
  close_by_kind(database);
  engine->cache_destroy(database->cache);
  if (database->filter != NULL) {
    engine->compactionfilter_destroy(database->filter);
  }
  free(database);
}

void bench_set_counting(const bench_database* database, int32_t on) {
  enum { DISABLE = 1, ENABLE_COUNT = 2 }; /* the engine's perf levels */
  database->engine->set_perf_level(on ? ENABLE_COUNT : DISABLE);
}

int32_t bench_flush_and_compact(const bench_database* database) {
  const bench_engine* engine = database->engine;
  char* error = NULL;
  rocksdb_flushoptions_t* options = engine->flushoptions_create();
  engine->flush(database->db, options, &error);
  engine->flushoptions_destroy(options);
  engine->compact_range(database->db, NULL, 0, NULL, 0);
  return bench_failed(engine, "flush", error);
}

int64_t bench_number_property(const bench_database* database, const char* name) {
  uint64_t number;
  return database->engine->property_int(database->db, name, &number) == 0 ? (int64_t)number : -1;
}

int64_t bench_sequence_number(bench_work* work) {
  const bench_database* database = work->database;
  int64_t sum = 0;
  for (size_t i = 0; i < work->count; i++) {
    sum += (int64_t)database->engine->get_latest_sequence_number(database->db);
  }
  return sum;
}
