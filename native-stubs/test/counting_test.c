/* Licensed under the Apache License, Version 2.0; see LICENSE. */

#include "../src/thread.h"

#include <string.h>

#include "check.h"
#include "fake_engine.h"

static const fake_row rows[] = {FAKE_ROW("key", "value")};
static rocksdb_column_family_handle_t column_family = {rows, 1};

static void get(const rocksdb_ffm_engine* engine) {
  const rocksdb_ffm_reader reader = {engine, NULL, NULL, &column_family};
  char buffer[8];
  rocksdb_ffm_value value;
  CHECK_EQUAL(ROCKSDB_FFM_COPIED,
              rocksdb_ffm_get(&reader, "key", 3, buffer, sizeof(buffer), &value));
}

static void get_into(const rocksdb_ffm_engine* engine) {
  const rocksdb_ffm_reader reader = {engine, NULL, NULL, &column_family};
  char buffer[8];
  rocksdb_ffm_value value;
  CHECK_EQUAL(ROCKSDB_FFM_COPIED,
              rocksdb_ffm_get_into(&reader, "key", 3, buffer, sizeof(buffer), &value));
}

static void multi_get(const rocksdb_ffm_engine* engine) {
  const rocksdb_ffm_reader reader = {engine, NULL, NULL, NULL};
  const rocksdb_ffm_group group = {&column_family, 1};
  const rocksdb_ffm_slice key = {"key", 3};
  rocksdb_pinnableslice_t* pin;
  char* error;
  rocksdb_ffm_value value;
  CHECK_EQUAL(0, rocksdb_ffm_multi_get(&reader, &group, 1, &key, &pin, &error, &value, 0));
  rocksdb_ffm_release(engine, &pin, 1);
}

static void scan(const rocksdb_ffm_engine* engine) {
  rocksdb_iterator_t iterator = {rows, 1, 0, 0};
  char buffer[64];
  rocksdb_ffm_cursor cursor = {.engine = engine,
                               .iterator = &iterator,
                               .buffer = buffer,
                               .capacity = sizeof(buffer),
                               .inline_limit = sizeof(buffer)};
  CHECK_EQUAL(1, rocksdb_ffm_scan(&cursor, ROCKSDB_FFM_FIRST, NULL, 0, 1, 0));
}

static void change(const rocksdb_ffm_engine* engine) {
  const rocksdb_ffm_writer writer = {engine, NULL, NULL, &column_family};
  char* error;
  CHECK_EQUAL(1,
              rocksdb_ffm_change(&writer, "key", CHANGE(ROCKSDB_FFM_PUT, 3), "value", 5, &error));
}

static void write_batch(const rocksdb_ffm_engine* engine) {
  const rocksdb_ffm_writer writer = {engine, NULL, NULL, &column_family};
  char* error;
  CHECK_EQUAL(1, rocksdb_ffm_write(&writer, rocksdb_ffm_batch(engine, "a batch", 7), &error));
}

typedef void stub(const rocksdb_ffm_engine* engine);

static stub* const stubs[] = {
    get, get_into, multi_get, scan, change, write_batch, rocksdb_ffm_stop_counting};

static void of_another_engine(int level) { (void)level; }

/* Resets this thread's state, as if it had not called the fake engine yet. */
static void forget(void) {
  rocksdb_ffm_engine another = fake_engine;
  another.set_perf_level = of_another_engine;
  rocksdb_ffm_stop_counting(&another);
}

static void stops_the_counting_once(stub* call) {
  const rocksdb_ffm_engine* engine = &fake_engine;
  forget();
  calls.perf_levels = 0;
  call(engine);
  CHECK_EQUAL(1, calls.perf_levels);
  CHECK_EQUAL(COUNT_NOTHING, calls.perf_level);
  call(engine);
  CHECK_EQUAL(1, calls.perf_levels);
}

static void stops_once_for_all_tables_of_an_engine(stub* call) {
  const rocksdb_ffm_engine other = fake_engine;
  forget();
  calls.perf_levels = 0;
  call(&fake_engine);
  call(&other);
  call(&fake_engine);
  CHECK_EQUAL(1, calls.perf_levels);
}

static void leaves_the_counting_to_a_table_without_the_function(stub* call) {
  rocksdb_ffm_engine engine = fake_engine;
  engine.set_perf_level = NULL;
  calls.perf_levels = 0;
  call(&engine);
  CHECK_EQUAL(0, calls.perf_levels);
}

int main(void) {
  for (size_t i = 0; i < sizeof(stubs) / sizeof(stubs[0]); i++) {
    stops_the_counting_once(stubs[i]);
    stops_once_for_all_tables_of_an_engine(stubs[i]);
    leaves_the_counting_to_a_table_without_the_function(stubs[i]);
  }
  return check_result();
}
