/* Licensed under the Apache License, Version 2.0; see LICENSE. */

#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "fake_engine.h"

static const fake_row rows[] = {
    FAKE_ROW("", "value of the empty key"),
    FAKE_ROW("empty", ""),
    FAKE_ROW("four", "1234"),
    FAKE_FAILURE("torn", "Corruption: torn block"),
};
static rocksdb_column_family_handle_t column_family = {rows, sizeof(rows) / sizeof(rows[0])};
static char db_place;
static char options_place;
static const rocksdb_ffm_reader reader = {&fake_engine, (rocksdb_t*)(void*)&db_place,
                                          (const rocksdb_readoptions_t*)(void*)&options_place,
                                          &column_family};

static int32_t get(const char* key, char* buffer, size_t capacity, rocksdb_ffm_value* value) {
  memset(value, 0x5a, sizeof(*value));
  return rocksdb_ffm_get(&reader, key, strlen(key), buffer, capacity, value);
}

/* The buffer is allocated with its exact size, so that a sanitizer reports overflows. */
static void copies(const char* key, const char* expected, size_t capacity) {
  char* buffer = malloc(capacity == 0 ? 1 : capacity);
  rocksdb_ffm_value value;
  CHECK_EQUAL(ROCKSDB_FFM_COPIED, get(key, buffer, capacity, &value));
  CHECK(value.data == buffer);
  CHECK(value.pin == NULL);
  CHECK(value.error == NULL);
  CHECK_BYTES(expected, strlen(expected), value.data, value.size);
  CHECK_EQUAL(0, calls.live_pins);
  free(buffer);
}

static void pins(const char* key, const char* expected, char* buffer, size_t capacity) {
  rocksdb_ffm_value value;
  CHECK_EQUAL(ROCKSDB_FFM_PINNED, get(key, buffer, capacity, &value));
  CHECK(value.pin != NULL);
  CHECK(value.error == NULL);
  CHECK_BYTES(expected, strlen(expected), value.data, value.size);
  CHECK_EQUAL(1, calls.live_pins);
  rocksdb_ffm_release(&fake_engine, &value.pin, 1);
  CHECK_EQUAL(0, calls.live_pins);
}

static void hands_on_what_it_was_given(void) {
  rocksdb_ffm_value value;
  CHECK_EQUAL(ROCKSDB_FFM_NOT_FOUND, get("absent", NULL, 0, &value));
  CHECK(value.error == NULL);
  CHECK(calls.db == reader.db);
  CHECK(calls.options == reader.options);
}

static void copies_up_to_the_capacity(void) {
  copies("four", "1234", 4);
  copies("four", "1234", 5);
  copies("empty", "", 1);
  copies("empty", "", 0);
  copies("", "value of the empty key", 100);
}

static void pins_above_the_capacity(void) {
  char buffer[3] = "ab";
  pins("four", "1234", buffer, sizeof(buffer));
  CHECK_BYTES("ab", 3, buffer, sizeof(buffer));
  pins("four", "1234", buffer, 0);
  pins("four", "1234", NULL, 0);
}

static void needs_no_buffer_for_the_empty_value(void) {
  rocksdb_ffm_value value;
  CHECK_EQUAL(ROCKSDB_FFM_COPIED, get("empty", NULL, 0, &value));
  CHECK(value.data == NULL);
  CHECK_EQUAL(0, value.size);
  CHECK_EQUAL(0, calls.live_pins);
}

/* The value's size is larger than its memory, so that a copy would crash. */
static void pins_the_largest_sizes(void) {
  const fake_row huge = {{"huge", 4}, {"h", SIZE_MAX}, NULL};
  rocksdb_column_family_handle_t huge_family = {&huge, 1};
  const rocksdb_ffm_reader huge_reader = {&fake_engine, NULL, NULL, &huge_family};
  char buffer[8];
  rocksdb_ffm_value value;
  CHECK_EQUAL(ROCKSDB_FFM_PINNED,
              rocksdb_ffm_get(&huge_reader, "huge", 4, buffer, sizeof(buffer), &value));
  CHECK(value.size == SIZE_MAX);
  CHECK(value.data == huge.value.data);
  rocksdb_ffm_release(&fake_engine, &value.pin, 1);
}

static void reports_the_error(void) {
  char buffer[8];
  rocksdb_ffm_value value;
  CHECK_EQUAL(ROCKSDB_FFM_FAILED, get("torn", buffer, sizeof(buffer), &value));
  CHECK_TEXT("Corruption: torn block", value.error);
  CHECK_EQUAL(0, calls.live_pins);
  free(value.error);
}

static int32_t get_into(const char* key, char* buffer, size_t capacity, rocksdb_ffm_value* value) {
  memset(value, 0x5a, sizeof(*value));
  return rocksdb_ffm_get_into(&reader, key, strlen(key), buffer, capacity, value);
}

static void fills(const char* key, const char* expected, size_t capacity) {
  char* buffer = malloc(capacity == 0 ? 1 : capacity);
  rocksdb_ffm_value value;
  CHECK_EQUAL(ROCKSDB_FFM_COPIED, get_into(key, buffer, capacity, &value));
  CHECK(value.error == NULL);
  CHECK_BYTES(expected, strlen(expected), buffer, value.size);
  free(buffer);
}

static void fills_up_to_the_capacity(void) {
  fills("four", "1234", 4);
  fills("four", "1234", 5);
  fills("empty", "", 0);
  fills("", "value of the empty key", 100);
}

static void tells_the_size_above_the_capacity(void) {
  char buffer[3] = "ab";
  rocksdb_ffm_value value;
  CHECK_EQUAL(ROCKSDB_FFM_COPIED, get_into("four", buffer, sizeof(buffer), &value));
  CHECK_EQUAL(4, value.size);
  CHECK(value.error == NULL);
  CHECK_BYTES("ab", 3, buffer, sizeof(buffer));
  CHECK_EQUAL(ROCKSDB_FFM_COPIED, get_into("four", NULL, 0, &value));
}

static void fills_nothing_where_nothing_is(void) {
  char buffer[3] = "ab";
  rocksdb_ffm_value value;
  CHECK_EQUAL(ROCKSDB_FFM_NOT_FOUND, get_into("absent", buffer, sizeof(buffer), &value));
  CHECK(value.error == NULL);
  CHECK(calls.db == reader.db);
  CHECK(calls.options == reader.options);
  CHECK_EQUAL(ROCKSDB_FFM_FAILED, get_into("torn", buffer, sizeof(buffer), &value));
  CHECK_TEXT("Corruption: torn block", value.error);
  CHECK_BYTES("ab", 3, buffer, sizeof(buffer));
  free(value.error);
}

int main(void) {
  hands_on_what_it_was_given();
  copies_up_to_the_capacity();
  pins_above_the_capacity();
  needs_no_buffer_for_the_empty_value();
  pins_the_largest_sizes();
  reports_the_error();
  fills_up_to_the_capacity();
  tells_the_size_above_the_capacity();
  fills_nothing_where_nothing_is();
  return check_result();
}
