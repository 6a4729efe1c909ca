/* Licensed under the Apache License, Version 2.0; see LICENSE. */

#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "fake_engine.h"

static char db_place;
static char options_place;
static rocksdb_column_family_handle_t column_family;
static const rocksdb_ffm_writer writer = {&fake_engine, (rocksdb_t*)(void*)&db_place,
                                          (const rocksdb_writeoptions_t*)(void*)&options_place,
                                          &column_family};

static char* unset = "not a message";

static int32_t write_bytes(const char* bytes, size_t size, char** error) {
  return rocksdb_ffm_write(&writer, rocksdb_ffm_batch(&fake_engine, bytes, size), error);
}

static void batch(const char* bytes, size_t size, const char* expected_error) {
  char* error = unset;
  CHECK_EQUAL(expected_error == NULL, write_bytes(bytes, size, &error));
  CHECK(calls.db == &db_place);
  CHECK(calls.options == &options_place);
  CHECK_BYTES(bytes, size, calls.batch, calls.batch_size);
  CHECK_EQUAL(0, calls.live_batches);
  CHECK_TEXT(expected_error, error);
  free(error);
}

static void change(int32_t kind, const char* function, int has_value, const char* expected_error) {
  const char key[] = "k\0y";
  const char value[] = "val\0e";
  char* error = unset;
  memset(&calls, 0x5a, sizeof(calls));
  CHECK_EQUAL(expected_error == NULL, rocksdb_ffm_change(&writer, key, CHANGE(kind, sizeof(key)),
                                                         value, sizeof(value), &error));
  CHECK_TEXT(function, calls.change);
  CHECK(calls.db == &db_place);
  CHECK(calls.options == &options_place);
  CHECK(calls.column_family == &column_family);
  CHECK(calls.key.data == key);
  CHECK_EQUAL(sizeof(key), calls.key.size);
  CHECK(calls.value.data == (has_value ? value : NULL));
  CHECK_EQUAL(has_value ? sizeof(value) : 0, calls.value.size);
  CHECK_TEXT(expected_error, error);
  free(error);
}

static void every_change(const char* expected_error) {
  change(ROCKSDB_FFM_PUT, "put_cf", 1, expected_error);
  change(ROCKSDB_FFM_MERGE, "merge_cf", 1, expected_error);
  change(ROCKSDB_FFM_DELETE, "delete_cf", 0, expected_error);
  change(ROCKSDB_FFM_SINGLE_DELETE, "singledelete_cf", 0, expected_error);
  change(ROCKSDB_FFM_DELETE_RANGE, "delete_range_cf", 1, expected_error);
}

static void another_kind_changes_nothing(int32_t kind) {
  char* error = unset;
  calls.change = NULL;
  CHECK_EQUAL(0, rocksdb_ffm_change(&writer, "k", CHANGE(kind, 1), "v", 1, &error));
  CHECK(calls.change == NULL);
  CHECK(error == NULL);
}

int main(void) {
  const char bytes[] = "\0\0\0\0\0\0\0\0\1\0\0\0 with\0zeros";
  batch(bytes, sizeof(bytes), NULL);
  batch(bytes, 12, NULL);
  batch(NULL, 0, NULL);
  every_change(NULL);
  another_kind_changes_nothing(-1);
  another_kind_changes_nothing(5);

  write_error = "IO error: no space";
  calls.live_batches = 0;
  batch(bytes, sizeof(bytes), write_error);
  every_change(write_error);
  return check_result();
}
