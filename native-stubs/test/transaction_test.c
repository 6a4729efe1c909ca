/* Licensed under the Apache License, Version 2.0; see LICENSE. */

#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "fake_engine.h"

static const fake_row rows[] = {
    FAKE_ROW("empty", ""),
    FAKE_ROW("four", "1234"),
    FAKE_FAILURE("held", "Operation timed out: Timeout waiting to lock key"),
};
static rocksdb_column_family_handle_t column_family = {rows, sizeof(rows) / sizeof(rows[0])};
static char transaction_place;
static char options_place;
static const rocksdb_ffm_reader reader = {&fake_engine, (rocksdb_t*)(void*)&transaction_place,
                                          (const rocksdb_readoptions_t*)(void*)&options_place,
                                          &column_family};
static char* unset = "not a message";

typedef int32_t get_function(const rocksdb_ffm_reader* reader, const char* key, size_t key_size,
                             char* buffer, size_t capacity, rocksdb_ffm_value* value);

static int32_t get(get_function* function, const char* key, char* buffer, size_t capacity,
                   rocksdb_ffm_value* value) {
  size_t locks = calls.locks;
  memset(value, 0x5a, sizeof(*value));
  int32_t found = function(&reader, key, strlen(key), buffer, capacity, value);
  CHECK_EQUAL(locks + 1, calls.locks);
  CHECK_EQUAL(function == rocksdb_ffm_get_for_update, calls.exclusive);
  CHECK(calls.db == &transaction_place);
  CHECK(calls.options == &options_place);
  return found;
}

static void locks_what_it_reads(get_function* function) {
  char buffer[4];
  rocksdb_ffm_value value;
  CHECK_EQUAL(ROCKSDB_FFM_COPIED, get(function, "four", buffer, sizeof(buffer), &value));
  CHECK(value.data == buffer);
  CHECK_BYTES("1234", 4, value.data, value.size);
  CHECK(value.pin == NULL);
  CHECK_EQUAL(ROCKSDB_FFM_PINNED, get(function, "four", buffer, 3, &value));
  CHECK_BYTES("1234", 4, value.data, value.size);
  CHECK_EQUAL(1, calls.live_pins);
  rocksdb_ffm_release(&fake_engine, &value.pin, 1);
  CHECK_EQUAL(ROCKSDB_FFM_COPIED, get(function, "empty", NULL, 0, &value));
  CHECK_EQUAL(ROCKSDB_FFM_NOT_FOUND, get(function, "absent", NULL, 0, &value));
  CHECK(value.error == NULL);
  CHECK_EQUAL(ROCKSDB_FFM_FAILED, get(function, "held", NULL, 0, &value));
  CHECK_TEXT("Operation timed out: Timeout waiting to lock key", value.error);
  free(value.error);
}

static void multi_get(int32_t order, size_t locks) {
  const rocksdb_ffm_slice keys[] = {{"four", 4}, {"absent", 6}, {"held", 4}};
  const rocksdb_ffm_group group = {&column_family, 3};
  rocksdb_pinnableslice_t* pins[3];
  char* errors[3];
  rocksdb_ffm_value values[3];
  calls.locks = 0;
  CHECK_EQUAL(1, rocksdb_ffm_multi_get(&reader, &group, 1, keys, pins, errors, values, order));
  CHECK_EQUAL(locks, calls.locks);
  CHECK_BYTES("1234", 4, values[0].data, values[0].size);
  CHECK(pins[1] == NULL);
  CHECK(errors[2] != NULL);
  free(errors[2]);
  rocksdb_ffm_release(&fake_engine, pins, 3);
  CHECK_EQUAL(0, calls.live_pins);
}

static void change(int32_t kind, const char* function, int has_value, const char* expected_error) {
  const char key[] = "k\0y";
  const char value[] = "val\0e";
  char* error = unset;
  calls.change = NULL;
  CHECK_EQUAL(expected_error == NULL,
              rocksdb_ffm_transaction_change(&reader, key, CHANGE(kind, sizeof(key)), value,
                                             sizeof(value), &error));
  CHECK_TEXT(function, calls.change);
  CHECK(calls.db == (kind == ROCKSDB_FFM_SINGLE_DELETE ? calls.wrapped : &transaction_place));
  CHECK(calls.column_family == &column_family);
  CHECK(calls.key.data == key);
  CHECK_EQUAL(sizeof(key), calls.key.size);
  CHECK(calls.value.data == (has_value ? value : NULL));
  CHECK_EQUAL(has_value ? sizeof(value) : 0, calls.value.size);
  CHECK_TEXT(expected_error, error);
  free(error);
}

static void a_single_delete_locks_first(void) {
  char* error = unset;
  calls.locks = 0;
  change(ROCKSDB_FFM_SINGLE_DELETE, "writebatch_wi_singledelete_cf", 0, NULL);
  CHECK_EQUAL(1, calls.locks);
  CHECK_EQUAL(1, calls.exclusive);
  CHECK_EQUAL(0, calls.live_wrappers);
  CHECK_EQUAL(1, rocksdb_ffm_transaction_change(
                     &reader, "four", CHANGE(ROCKSDB_FFM_SINGLE_DELETE, 4), NULL, 0, &error));
  CHECK_EQUAL(0, calls.live_pins);
  calls.change = NULL;
  CHECK_EQUAL(0, rocksdb_ffm_transaction_change(
                     &reader, "held", CHANGE(ROCKSDB_FFM_SINGLE_DELETE, 4), NULL, 0, &error));
  CHECK_TEXT("Operation timed out: Timeout waiting to lock key", error);
  CHECK(calls.change == NULL);
  free(error);
}

static void another_kind_changes_nothing(int32_t kind) {
  char* error = unset;
  calls.change = NULL;
  CHECK_EQUAL(0, rocksdb_ffm_transaction_change(&reader, "k", CHANGE(kind, 1), "v", 1, &error));
  CHECK(calls.change == NULL);
  CHECK(error == NULL);
}

int main(void) {
  locks_what_it_reads(rocksdb_ffm_get_for_update);
  locks_what_it_reads(rocksdb_ffm_get_to_share);
  multi_get(ROCKSDB_FFM_ONE_BY_ONE, 0);
  multi_get(ROCKSDB_FFM_TO_SHARE, 3);
  CHECK_EQUAL(0, calls.exclusive);
  multi_get(ROCKSDB_FFM_FOR_UPDATE, 3);
  CHECK_EQUAL(1, calls.exclusive);
  change(ROCKSDB_FFM_PUT, "transaction_put_cf", 1, NULL);
  change(ROCKSDB_FFM_MERGE, "transaction_merge_cf", 1, NULL);
  change(ROCKSDB_FFM_DELETE, "transaction_delete_cf", 0, NULL);
  a_single_delete_locks_first();
  another_kind_changes_nothing(ROCKSDB_FFM_DELETE_RANGE);
  another_kind_changes_nothing(-1);
  write_error = "Operation timed out: Timeout waiting to lock key";
  change(ROCKSDB_FFM_PUT, "transaction_put_cf", 1, write_error);
  return check_result();
}
