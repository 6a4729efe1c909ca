/* Licensed under the Apache License, Version 2.0; see LICENSE. */

#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "rocksdb_ffm.h"

/* The C API's struct around an object. */
typedef struct wrapper {
  void* object;
} wrapper;

static char db;
static char family;
static rocksdb_writeoptions_t* const options = (rocksdb_writeoptions_t*)(void*)&db;
static char* failure;
static const char* called;
static int rows = 2;
static int row;
static int appended;
static int grows;

static void check_target(const wrapper* database, const rocksdb_writeoptions_t* with) {
  CHECK(database->object == &db);
  CHECK(with == options);
}

static void put(const wrapper* database, const rocksdb_writeoptions_t* with, const wrapper* in,
                const char* key, size_t key_size, const char* value, size_t value_size,
                char** error) {
  called = "put";
  check_target(database, with);
  CHECK(in->object == &family);
  CHECK_BYTES("key", 3, key, key_size);
  CHECK_BYTES("value", 5, value, value_size);
  *error = failure;
}

static void delete_key(const wrapper* database, const rocksdb_writeoptions_t* with, const wrapper* in,
                       const char* key, size_t key_size, char** error) {
  called = "delete";
  check_target(database, with);
  CHECK(in->object == &family);
  CHECK_BYTES("key", 3, key, key_size);
  *error = failure;
}

static void append_put(rocksdb_writebatch_t* batch, const wrapper* in, const char* key,
                       size_t key_size, const char* value, size_t value_size) {
  CHECK((void*)batch == &db);
  CHECK(in->object == NULL);
  CHECK_BYTES("key", 3, key, key_size);
  CHECK_BYTES("value", 5, value, value_size);
  appended += grows;
}

static void append_delete(rocksdb_writebatch_t* batch, const wrapper* in, const char* key,
                          size_t key_size) {
  CHECK((void*)batch == &db);
  CHECK(in->object == NULL);
  CHECK_BYTES("key", 3, key, key_size);
  appended += grows;
}

static int count(rocksdb_writebatch_t* batch) {
  CHECK((void*)batch == &db);
  return appended;
}

static void write_batch(rocksdb_t* database, const rocksdb_writeoptions_t* with,
                        rocksdb_writebatch_t* batch, char** error) {
  called = "write";
  check_target((const wrapper*)database, with);
  CHECK((void*)batch == &family);
  *error = failure;
}

static unsigned char yes(void* environment, void* type, int64_t batch) {
  CHECK(environment == NULL && type == NULL);
  CHECK((void*)(intptr_t)batch == &family);
  return 1;
}

static unsigned char no(void* environment, void* type, int64_t batch) {
  yes(environment, type, batch);
  return 0;
}

static unsigned char valid(const rocksdb_iterator_t* iterator) {
  CHECK(((const wrapper*)iterator)->object == &rows);
  return row < rows;
}

static void first(rocksdb_iterator_t* iterator) {
  valid(iterator);
  row = 0;
}

static void next(rocksdb_iterator_t* iterator) {
  valid(iterator);
  row++;
}

static const char* key_or_value(const rocksdb_iterator_t* iterator, size_t* size) {
  valid(iterator);
  *size = 3;
  return "abc";
}

static void no_error(const rocksdb_iterator_t* iterator, char** error) {
  valid(iterator);
  *error = NULL;
}

static const uint64_t with_value = (uint64_t)3 << 32 | 5;
static const uint64_t without_value = (uint64_t)3 << 32 | ROCKSDB_FFM_NO_VALUE;

static void changes_reach_the_function_and_return_its_error(void) {
  for (int i = 0; i < 2; i++) {
    CHECK(rocksdb_ffm_bare_change((void (*)(void))put, &db, options, &family, "keyvalue",
                                  with_value) == failure);
    CHECK_TEXT("put", called);
    CHECK(rocksdb_ffm_bare_change((void (*)(void))delete_key, &db, options, &family, "key",
                                  without_value) == failure);
    CHECK_TEXT("delete", called);
    failure = "failure";
  }
  failure = NULL;
}

static void an_append_without_an_effect_is_reported_if_the_batch_is_counted(void) {
  rocksdb_writebatch_t* batch = (rocksdb_writebatch_t*)(void*)&db;
  for (grows = 0; grows < 2; grows++) {
    CHECK_EQUAL(grows, rocksdb_ffm_bare_append((void (*)(void))append_put, batch, NULL, "keyvalue",
                                               with_value, count));
    CHECK_EQUAL(grows, rocksdb_ffm_bare_append((void (*)(void))append_delete, batch, NULL, "key",
                                               without_value, count));
    CHECK_EQUAL(1, rocksdb_ffm_bare_append((void (*)(void))append_put, batch, NULL, "keyvalue",
                                           with_value, NULL));
  }
}

static void a_batch_with_ranges_is_not_written(void) {
  rocksdb_writebatch_t* batch = (rocksdb_writebatch_t*)(void*)&family;
  called = NULL;
  CHECK_EQUAL(1, (intptr_t)rocksdb_ffm_bare_write(write_batch, &db, options, batch, yes));
  CHECK(called == NULL);
  CHECK(rocksdb_ffm_bare_write(write_batch, &db, options, batch, no) == NULL);
  CHECK_TEXT("write", called);
  failure = "failure";
  CHECK(rocksdb_ffm_bare_write(write_batch, &db, options, batch, NULL) == failure);
  failure = NULL;
}

static void a_scan_returns_the_numbers_of_its_block(void) {
  char buffer[64];
  rocksdb_ffm_engine engine;
  memset(&engine, 0, sizeof(engine));
  engine.iter_valid = valid;
  engine.iter_seek_to_first = first;
  engine.iter_next = next;
  engine.iter_key = key_or_value;
  engine.iter_value = key_or_value;
  engine.iter_get_error = no_error;
  rocksdb_ffm_cursor cursor;
  memset(&cursor, 0x5a, sizeof(cursor));
  cursor.engine = &engine;
  cursor.buffer = buffer;
  cursor.capacity = sizeof(buffer);
  cursor.inline_limit = sizeof(buffer);
  CHECK_EQUAL(1 | INT64_C(14) << 32,
              rocksdb_ffm_bare_scan(&cursor, &rows, ROCKSDB_FFM_FIRST, NULL, 0, 2));
  cursor.capacity = 20;
  CHECK_EQUAL(1 | 1 << 16 | INT64_C(14) << 32,
              rocksdb_ffm_bare_scan(&cursor, &rows, ROCKSDB_FFM_FIRST, NULL, 0, 8));
  rows = 0;
  CHECK_EQUAL(0, rocksdb_ffm_bare_scan(&cursor, &rows, ROCKSDB_FFM_FIRST, NULL, 0, 8));
}

int main(void) {
  changes_reach_the_function_and_return_its_error();
  an_append_without_an_effect_is_reported_if_the_batch_is_counted();
  a_batch_with_ranges_is_not_written();
  a_scan_returns_the_numbers_of_its_block();
  return check_result();
}
