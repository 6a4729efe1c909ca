/* Licensed under the Apache License, Version 2.0; see LICENSE. */

#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "fake_engine.h"

static const fake_row rows[] = {
    FAKE_ROW("four", "1234"),
    FAKE_FAILURE("torn", "Corruption: torn block"),
};
static rocksdb_column_family_handle_t column_family = {rows, sizeof(rows) / sizeof(rows[0])};
static char batch_place;
static char db_place;
static char options_place;
static rocksdb_ffm_engine engine; /* get_pinned_cf is rocksdb_ffm_get_over_batch */
static rocksdb_ffm_indexed_batch batch = {&fake_engine, (rocksdb_writebatch_wi_t*)(void*)&batch_place,
                                          (rocksdb_t*)(void*)&db_place};
static const rocksdb_ffm_reader reader = {&engine, (rocksdb_t*)(void*)&batch,
                                          (const rocksdb_readoptions_t*)(void*)&options_place,
                                          &column_family};
static char* unset = "not a message";

static void reads_over_the_batch(void) {
  char buffer[4];
  rocksdb_ffm_value value;
  CHECK_EQUAL(ROCKSDB_FFM_COPIED,
              rocksdb_ffm_get(&reader, "four", 4, buffer, sizeof(buffer), &value));
  CHECK_BYTES("1234", 4, value.data, value.size);
  CHECK(calls.batch_with_index == &batch_place);
  CHECK(calls.db == &db_place);
  CHECK(calls.options == &options_place);
  CHECK_EQUAL(ROCKSDB_FFM_NOT_FOUND, rocksdb_ffm_get(&reader, "absent", 6, NULL, 0, &value));
  CHECK_EQUAL(ROCKSDB_FFM_FAILED, rocksdb_ffm_get(&reader, "torn", 4, NULL, 0, &value));
  CHECK_TEXT("Corruption: torn block", value.error);
  free(value.error);
}

static void change(int32_t kind, const char* function, int has_value) {
  const char key[] = "k\0y";
  const char value[] = "val\0e";
  char* error = unset;
  calls.change = NULL;
  CHECK_EQUAL(function != NULL, rocksdb_ffm_batch_change(&reader, key, CHANGE(kind, sizeof(key)),
                                                         value, sizeof(value), &error));
  CHECK_TEXT(function, calls.change);
  CHECK(error == NULL);
  if (function != NULL) {
    CHECK(calls.db == &batch_place);
    CHECK(calls.column_family == &column_family);
    CHECK(calls.key.data == key);
    CHECK_EQUAL(sizeof(key), calls.key.size);
    CHECK(calls.value.data == (has_value ? value : NULL));
    CHECK_EQUAL(has_value ? sizeof(value) : 0, calls.value.size);
  }
}

int main(void) {
  engine = fake_engine;
  engine.get_pinned_cf = rocksdb_ffm_get_over_batch;
  reads_over_the_batch();
  change(ROCKSDB_FFM_PUT, "writebatch_wi_put_cf", 1);
  change(ROCKSDB_FFM_MERGE, "writebatch_wi_merge_cf", 1);
  change(ROCKSDB_FFM_DELETE, "writebatch_wi_delete_cf", 0);
  change(ROCKSDB_FFM_SINGLE_DELETE, "writebatch_wi_singledelete_cf", 0);
  change(ROCKSDB_FFM_DELETE_RANGE, NULL, 0);
  change(-1, NULL, 0);
  return check_result();
}
