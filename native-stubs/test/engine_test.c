/* Licensed under the Apache License, Version 2.0; see LICENSE. */

/* The stubs with a real engine: rows are written, half of them flushed to a file, and read. */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "real_engine.h"
#include "rows.h"

#define ROWS 600
#define KEY_SIZE 8
#define LARGEST 3000

static real_db db;
static rocksdb_ffm_reader reader;
static rocksdb_ffm_writer writer;

/* Row i of the database: keys ascend with i, values differ in size and content. */
typedef struct expected_row {
  char key[KEY_SIZE + 1];
  char value[LARGEST];
  size_t value_size;
} expected_row;

static void expect(size_t i, expected_row* row) {
  snprintf(row->key, sizeof(row->key), "key%05u", (unsigned)i & 0xffff);
  row->value_size = i % 7 == 0 ? 0 : i % 10 == 9 ? LARGEST - i : i % 61;
  for (size_t b = 0; b < row->value_size; b++) {
    row->value[b] = (char)(i * 31 + b);
  }
}

static size_t append_varint(char* to, size_t number) {
  size_t size = 0;
  for (; number >= 0x80; number >>= 7) {
    to[size++] = (char)(number | 0x80);
  }
  to[size++] = (char)number;
  return size;
}

static size_t append_bytes(char* to, const char* bytes, size_t size) {
  size_t prefix = append_varint(to, size);
  memcpy(to + prefix, bytes, size);
  return prefix + size;
}

static int32_t write_bytes(const char* bytes, size_t size, char** error) {
  return rocksdb_ffm_write(&writer, rocksdb_ffm_batch(&db.engine, bytes, size), error);
}

/* Writes the engine's batch format: a sequence number, the count in little endian, the records. */
static void write_rows(size_t from, size_t to) {
  char* bytes = calloc(1, 12 + (to - from) * (LARGEST + KEY_SIZE + 8));
  size_t size = 12;
  for (size_t i = from; i < to; i++) {
    expected_row row;
    expect(i, &row);
    bytes[size++] = 1; /* a put */
    size += append_bytes(bytes + size, row.key, KEY_SIZE);
    size += append_bytes(bytes + size, row.value, row.value_size);
  }
  bytes[8] = (char)(to - from);
  bytes[9] = (char)((to - from) >> 8);
  char* error = NULL;
  CHECK_EQUAL(1, write_bytes(bytes, size, &error));
  CHECK(error == NULL);
  free(bytes);
}

static void fill(void) {
  const rocksdb_ffm_slice overwritten = {"key00010", KEY_SIZE};
  const rocksdb_ffm_slice old = {"older", 5};
  const rocksdb_ffm_slice elsewhere = {"elsewhere", 9};
  real_db_put(&db, db.first, overwritten, old);
  real_db_put(&db, db.second, overwritten, elsewhere);
  write_rows(ROWS / 2, ROWS);
  real_db_flush(&db);
  write_rows(0, ROWS / 2);
}

static void a_malformed_batch_is_an_error(void) {
  char* error = NULL;
  CHECK_EQUAL(0, write_bytes("short", 5, &error));
  CHECK(error != NULL && strstr(error, "Corruption") == error);
  real_db_free(error);
  CHECK_EQUAL(0, write_bytes("\0\0\0\0\0\0\0\0\2\0\0\0\1", 13, &error));
  CHECK(error != NULL && strstr(error, "Corruption") == error);
  real_db_free(error);
}

static void check_get(const expected_row* row, size_t capacity) {
  char* buffer = malloc(capacity == 0 ? 1 : capacity);
  rocksdb_ffm_value value;
  int32_t found = rocksdb_ffm_get(&reader, row->key, KEY_SIZE, buffer, capacity, &value);
  CHECK_EQUAL(row->value_size <= capacity ? ROCKSDB_FFM_COPIED : ROCKSDB_FFM_PINNED, found);
  CHECK_BYTES(row->value, row->value_size, value.data, value.size);
  CHECK((found == ROCKSDB_FFM_PINNED) == (value.pin != NULL));
  rocksdb_ffm_release(&db.engine, &value.pin, 1);
  free(buffer);
}

static void check_get_into(const expected_row* row, size_t capacity) {
  char* buffer = malloc(capacity == 0 ? 1 : capacity);
  rocksdb_ffm_value value;
  int32_t found = rocksdb_ffm_get_into(&reader, row->key, KEY_SIZE, buffer, capacity, &value);
  CHECK_EQUAL(ROCKSDB_FFM_COPIED, found);
  CHECK_EQUAL(row->value_size, value.size);
  if (value.size <= capacity) {
    CHECK_BYTES(row->value, row->value_size, buffer, value.size);
  }
  free(buffer);
}

static void gets_every_row(void) {
  for (size_t i = 0; i < ROWS; i++) {
    expected_row row;
    expect(i, &row);
    check_get(&row, row.value_size);
    check_get(&row, row.value_size + 1);
    check_get(&row, 0);
    check_get_into(&row, row.value_size);
    check_get_into(&row, row.value_size + 1);
    if (row.value_size != 0) {
      check_get(&row, row.value_size - 1);
      check_get_into(&row, row.value_size - 1);
    }
  }
}

static void finds_no_other_key(void) {
  rocksdb_ffm_value value;
  CHECK_EQUAL(ROCKSDB_FFM_NOT_FOUND, rocksdb_ffm_get(&reader, "key", 3, NULL, 0, &value));
  CHECK_EQUAL(ROCKSDB_FFM_NOT_FOUND, rocksdb_ffm_get(&reader, "", 0, NULL, 0, &value));
  CHECK_EQUAL(ROCKSDB_FFM_NOT_FOUND, rocksdb_ffm_get_into(&reader, "key", 3, NULL, 0, &value));
  CHECK(value.error == NULL);
}

static void check_value(const char* text, size_t size, const rocksdb_ffm_value* value) {
  CHECK(value->pin != NULL);
  CHECK(value->error == NULL);
  CHECK_BYTES(text, size, value->data, value->size);
}

/* Reads rows of the first column family, then no key, and then two keys of the second. */
static void gets_many(int32_t sorted) {
  enum { COUNT = ROWS + 3 };
  static expected_row rows[ROWS];
  static rocksdb_ffm_slice keys[COUNT];
  static rocksdb_pinnableslice_t* pins[COUNT];
  static char* errors[COUNT];
  static rocksdb_ffm_value values[COUNT];
  for (size_t i = 0; i < ROWS; i++) {
    expect(sorted ? i : ROWS - 1 - i, &rows[i]);
    keys[i] = (rocksdb_ffm_slice){rows[i].key, KEY_SIZE};
  }
  keys[ROWS] = (rocksdb_ffm_slice){"key99999", KEY_SIZE};
  keys[ROWS + 1] = (rocksdb_ffm_slice){"key00010", KEY_SIZE};
  keys[ROWS + 2] = (rocksdb_ffm_slice){"key00011", KEY_SIZE};
  const rocksdb_ffm_group groups[] = {{db.first, ROWS + 1}, {db.second, 0}, {db.second, 2}};
  CHECK_EQUAL(0, rocksdb_ffm_multi_get(&reader, groups, 3, keys, pins, errors, values, sorted));
  for (size_t i = 0; i < ROWS; i++) {
    check_value(rows[i].value, rows[i].value_size, &values[i]);
  }
  CHECK(pins[ROWS] == NULL);
  check_value("elsewhere", 9, &values[ROWS + 1]);
  CHECK(pins[ROWS + 2] == NULL);
  rocksdb_ffm_release(&db.engine, pins, COUNT);
}

static void check_scanned(const rocksdb_ffm_cursor* cursor, size_t index, size_t i) {
  const scanned_row actual = row_at(cursor, index);
  expected_row wanted;
  expect(i, &wanted);
  CHECK_BYTES(wanted.key, KEY_SIZE, actual.key.data, actual.key.size);
  CHECK_BYTES(wanted.value, wanted.value_size, actual.value.data, actual.value.size);
}

/* Reads every row, block after block. */
static void scans(size_t capacity, size_t inline_limit, size_t row_limit, int32_t backward) {
  char* buffer = malloc(capacity);
  rocksdb_ffm_cursor cursor = {.engine = &db.engine,
                               .iterator = real_db_iterator(&db),
                               .buffer = buffer,
                               .capacity = capacity,
                               .inline_limit = inline_limit};
  int32_t move = backward ? ROCKSDB_FFM_LAST : ROCKSDB_FFM_FIRST;
  size_t read = 0;
  /* A block that is shorter than its limit is the last one, unless `ahead` is set, or the block is
     one large row, at which the iterator still is. */
  for (int more = 1; more;) {
    int64_t count = rocksdb_ffm_scan(&cursor, move, NULL, 0, row_limit, backward);
    CHECK(cursor.error == NULL);
    check_packed_size(&cursor);
    for (size_t i = 0; i < cursor.row_count && read < ROWS; i++, read++) {
      check_scanned(&cursor, i, backward ? ROWS - 1 - read : read);
    }
    move = cursor.ahead ? ROCKSDB_FFM_STAY : backward ? ROCKSDB_FFM_PREV : ROCKSDB_FFM_NEXT;
    more = count != 0 && db.engine.iter_valid(cursor.iterator);
  }
  CHECK_EQUAL(ROWS, read);
  real_db_destroy_iterator(cursor.iterator);
  free(buffer);
}

static void seeks(void) {
  char buffer[256];
  rocksdb_ffm_cursor cursor = {.engine = &db.engine,
                               .iterator = real_db_iterator(&db),
                               .buffer = buffer,
                               .capacity = sizeof(buffer),
                               .inline_limit = sizeof(buffer)};
  CHECK_EQUAL(1, rocksdb_ffm_scan(&cursor, ROCKSDB_FFM_SEEK, "key00100x", 9, 1, 0));
  check_scanned(&cursor, 0, 101);
  CHECK_EQUAL(1, rocksdb_ffm_scan(&cursor, ROCKSDB_FFM_SEEK_FOR_PREV, "key00100x", 9, 1, 1));
  check_scanned(&cursor, 0, 100);
  CHECK_EQUAL(0, rocksdb_ffm_scan(&cursor, ROCKSDB_FFM_SEEK, "kez", 3, 1, 0));
  CHECK_EQUAL(0, rocksdb_ffm_scan(&cursor, ROCKSDB_FFM_SEEK_FOR_PREV, "a", 1, 1, 1));
  CHECK(cursor.error == NULL);
  real_db_destroy_iterator(cursor.iterator);
}

static void change(int32_t kind, const char* key, const char* value) {
  char* error = NULL;
  CHECK_EQUAL(
      1, rocksdb_ffm_change(&writer, key, CHANGE(kind, strlen(key)), value, strlen(value), &error));
  CHECK(error == NULL);
}

static int32_t find(const char* key) {
  rocksdb_ffm_value value;
  int32_t found = rocksdb_ffm_get_into(&reader, key, strlen(key), NULL, 0, &value);
  CHECK(value.error == NULL);
  return found;
}

/* Deletes each key that it wrote. The merge fails, because the database has no merge operator. */
static void changes_single_keys(void) {
  const char* keys[] = {"a", "b", "c"};
  for (size_t i = 0; i < 3; i++) {
    change(ROCKSDB_FFM_PUT, keys[i], "value");
    CHECK_EQUAL(ROCKSDB_FFM_COPIED, find(keys[i]));
  }
  change(ROCKSDB_FFM_DELETE, "a", "");
  change(ROCKSDB_FFM_SINGLE_DELETE, "b", "");
  CHECK_EQUAL(ROCKSDB_FFM_NOT_FOUND, find("a"));
  CHECK_EQUAL(ROCKSDB_FFM_NOT_FOUND, find("b"));
  CHECK_EQUAL(ROCKSDB_FFM_COPIED, find("c"));
  change(ROCKSDB_FFM_DELETE_RANGE, "a", "d");
  CHECK_EQUAL(ROCKSDB_FFM_NOT_FOUND, find("c"));
  char* error = NULL;
  CHECK_EQUAL(0, rocksdb_ffm_change(&writer, "a", CHANGE(ROCKSDB_FFM_MERGE, 1), "1", 1, &error));
  CHECK(error != NULL && strstr(error, "merge_operator") != NULL);
  real_db_free(error);
}

int main(int argument_count, char** arguments) {
  if (argument_count != 2) {
    fprintf(stderr, "usage: %s <path to a shared librocksdb>\n", arguments[0]);
    return 2;
  }
  real_db_open(&db, arguments[1]);
  reader = (rocksdb_ffm_reader){&db.engine, db.db, db.read_options, db.first};
  writer = (rocksdb_ffm_writer){&db.engine, db.db, db.write_options, db.first};
  changes_single_keys();
  fill();
  a_malformed_batch_is_an_error();
  gets_every_row();
  finds_no_other_key();
  gets_many(0);
  gets_many(1);
  for (int32_t backward = 0; backward <= 1; backward++) {
    scans(1 << 20, SIZE_MAX, SIZE_MAX, backward);
    scans(1 << 12, 1 << 10, SIZE_MAX, backward);
    scans(200, 200, 3, backward);
    scans(100, 30, 1, backward);
  }
  seeks();
  real_db_close(&db);
  return check_result();
}
