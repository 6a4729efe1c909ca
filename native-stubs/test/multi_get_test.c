/* Licensed under the Apache License, Version 2.0; see LICENSE. */

#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "fake_engine.h"

#define KEY(text) {text, sizeof(text) - 1}
#define KEYS 6

static const fake_row red_rows[] = {
    FAKE_ROW("a", "red a"), FAKE_ROW("b", ""), FAKE_FAILURE("c", "IO error: red c")};
static const fake_row blue_rows[] = {
    FAKE_ROW("a", "blue a"), FAKE_FAILURE("b", "IO error: blue b")};
static rocksdb_column_family_handle_t red = {red_rows, 3};
static rocksdb_column_family_handle_t blue = {blue_rows, 2};
static const rocksdb_ffm_reader reader = {&fake_engine, NULL, NULL, NULL};

static const rocksdb_ffm_slice keys[KEYS] = {KEY("a"), KEY("b"), KEY("c"), KEY("x"),
                                             KEY("a"), KEY("b")};

typedef struct key_results {
  rocksdb_pinnableslice_t* pins[KEYS];
  char* errors[KEYS];
  rocksdb_ffm_value values[KEYS];
} key_results;

/* Fills the arrays with garbage, because the stub must set all elements. */
static size_t multi_get(const rocksdb_ffm_group* groups, size_t group_count, int32_t order,
                        key_results* results) {
  memset(results, 0x5a, sizeof(*results));
  return rocksdb_ffm_multi_get(&reader, groups, group_count, keys, results->pins, results->errors,
                               results->values, order);
}

static void release(key_results* results, size_t count) {
  rocksdb_ffm_release(&fake_engine, results->pins, count);
  CHECK_EQUAL(0, calls.live_pins);
  for (size_t i = 0; i < count; i++) {
    free(results->errors[i]);
  }
}

static void check_found(const key_results* results, size_t i, const char* expected) {
  CHECK(results->pins[i] != NULL);
  CHECK(results->values[i].pin == results->pins[i]);
  CHECK(results->errors[i] == NULL);
  CHECK(results->values[i].error == NULL);
  CHECK_BYTES(expected, strlen(expected), results->values[i].data, results->values[i].size);
}

static void check_empty(const key_results* results, size_t i) {
  CHECK(results->pins[i] == NULL);
  CHECK(results->values[i].pin == NULL);
  CHECK(results->values[i].data == NULL);
  CHECK_EQUAL(0, results->values[i].size);
  CHECK(results->values[i].error == results->errors[i]);
}

static void reads_each_group_from_its_column_family(void) {
  const rocksdb_ffm_group groups[] = {{&red, 4}, {&blue, 2}};
  key_results results;
  calls.multi_gets = 0;
  CHECK_EQUAL(2, multi_get(groups, 2, 0, &results));
  CHECK_EQUAL(2, calls.multi_gets);
  CHECK_EQUAL(3, calls.live_pins);
  check_found(&results, 0, "red a");
  check_found(&results, 1, "");
  check_empty(&results, 2);
  CHECK_TEXT("IO error: red c", results.errors[2]);
  check_empty(&results, 3);
  CHECK(results.errors[3] == NULL);
  check_found(&results, 4, "blue a");
  check_empty(&results, 5);
  CHECK_TEXT("IO error: blue b", results.errors[5]);
  release(&results, KEYS);
}

static void leaves_what_is_behind_the_last_group(void) {
  const rocksdb_ffm_group groups[] = {{&red, 1}, {&blue, 0}, {&red, 1}};
  key_results results;
  CHECK_EQUAL(0, multi_get(groups, 3, 0, &results));
  check_found(&results, 0, "red a");
  check_found(&results, 1, "");
  CHECK_EQUAL(0x5a, *(const unsigned char*)&results.pins[2]);
  CHECK_EQUAL(0x5a, *(const unsigned char*)&results.errors[2]);
  CHECK_EQUAL(0x5a, *(const unsigned char*)&results.values[2]);
  release(&results, 2);
}

static void reads_no_keys(void) {
  const rocksdb_ffm_group none = {&red, 0};
  key_results results;
  CHECK_EQUAL(0, multi_get(&none, 1, 0, &results));
  CHECK_EQUAL(0, multi_get(NULL, 0, 0, &results));
  CHECK_EQUAL(0, rocksdb_ffm_multi_get(&reader, NULL, 0, NULL, NULL, NULL, NULL, 0));
  CHECK_EQUAL(0, rocksdb_ffm_multi_get(&reader, &none, 1, NULL, NULL, NULL, NULL, 0));
  CHECK_EQUAL(0, calls.live_pins);
}

static void hands_on_whether_keys_are_sorted(void) {
  const rocksdb_ffm_group none = {&red, 0};
  key_results results;
  multi_get(&none, 1, ROCKSDB_FFM_SORTED, &results);
  CHECK_EQUAL(1, calls.sorted_input);
  multi_get(&none, 1, 0, &results);
  CHECK_EQUAL(0, calls.sorted_input);
}

static void reads_one_by_one(void) {
  const rocksdb_ffm_group groups[] = {{&red, 4}, {&blue, 2}};
  key_results results;
  calls.multi_gets = 0;
  calls.gets = 0;
  CHECK_EQUAL(2, multi_get(groups, 2, ROCKSDB_FFM_ONE_BY_ONE | ROCKSDB_FFM_SORTED, &results));
  CHECK_EQUAL(0, calls.multi_gets);
  CHECK_EQUAL(6, calls.gets);
  check_found(&results, 0, "red a");
  check_found(&results, 1, "");
  CHECK_TEXT("IO error: red c", results.errors[2]);
  check_empty(&results, 3);
  CHECK(results.errors[3] == NULL);
  check_found(&results, 4, "blue a");
  CHECK_TEXT("IO error: blue b", results.errors[5]);
  release(&results, KEYS);
}

static void release_passes_over_null(void) {
  const rocksdb_ffm_group group = {&red, 4};
  key_results results;
  multi_get(&group, 1, 0, &results);
  rocksdb_pinnableslice_t* scattered[] = {NULL, results.pins[0], NULL, results.pins[1], NULL};
  rocksdb_ffm_release(&fake_engine, scattered, 2);
  CHECK_EQUAL(1, calls.live_pins);
  rocksdb_ffm_release(&fake_engine, scattered + 2, 3);
  CHECK_EQUAL(0, calls.live_pins);
  rocksdb_ffm_release(&fake_engine, NULL, 0);
  free(results.errors[2]);
}

int main(void) {
  reads_each_group_from_its_column_family();
  leaves_what_is_behind_the_last_group();
  reads_no_keys();
  hands_on_whether_keys_are_sorted();
  reads_one_by_one();
  release_passes_over_null();
  return check_result();
}
