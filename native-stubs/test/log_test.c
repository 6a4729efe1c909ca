/* Licensed under the Apache License, Version 2.0; see LICENSE. */

#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "check.h"
#include "rocksdb_ffm.h"

enum { THREADS = 4, MESSAGES = 20000, HEAD = 2 * sizeof(uint32_t) };

static void add(rocksdb_ffm_log* log, unsigned level, const char* text) {
  char copy[64];
  snprintf(copy, sizeof copy, "%s", text);
  rocksdb_ffm_log_add(log, level, copy, strlen(text));
}

/* Checks the message at an offset; returns the offset of the next message. */
static size_t check_message(const rocksdb_ffm_messages* taken, size_t place, uint32_t level,
                            const char* text) {
  uint32_t head[2] = {0, 0};
  CHECK(place + HEAD <= taken->size);
  if (place + HEAD > taken->size) return place;
  memcpy(head, taken->bytes + place, HEAD);
  CHECK_EQUAL(level, head[0]);
  CHECK_BYTES(text, strlen(text), taken->bytes + place + HEAD, head[1]);
  return place + HEAD + head[1];
}

static void test_messages_are_taken_in_order(void) {
  rocksdb_ffm_messages taken;
  rocksdb_ffm_log* log = rocksdb_ffm_log_create(100);
  add(log, 1, "first");
  add(log, 5, "");
  add(log, 3, "third");
  rocksdb_ffm_log_take(log, &taken);
  size_t place = check_message(&taken, 0, 1, "first");
  place = check_message(&taken, place, 5, "");
  CHECK_EQUAL(taken.size, check_message(&taken, place, 3, "third"));
  CHECK_EQUAL(0, taken.dropped);
  CHECK_EQUAL(0, taken.ended);
  add(log, 0, "fourth");
  rocksdb_ffm_log_end(log);
  rocksdb_ffm_log_take(log, &taken);
  CHECK_EQUAL(taken.size, check_message(&taken, 0, 0, "fourth"));
  CHECK_EQUAL(0, taken.ended);
  rocksdb_ffm_log_take(log, &taken);
  CHECK_EQUAL(0, taken.size);
  CHECK_EQUAL(1, taken.ended);
  rocksdb_ffm_log_destroy(log);
}

static void test_a_gap_has_one_place(void) {
  rocksdb_ffm_messages taken;
  rocksdb_ffm_log* log = rocksdb_ffm_log_create(2 * (HEAD + 4));
  add(log, 1, "1234");
  add(log, 1, "12345");
  add(log, 1, "1"); /* fits, but follows a dropped message */
  rocksdb_ffm_log_take(log, &taken);
  CHECK_EQUAL(taken.size, check_message(&taken, 0, 1, "1234"));
  CHECK_EQUAL(2, taken.dropped);
  add(log, 1, "1234");
  add(log, 1, "abcd");
  rocksdb_ffm_log_take(log, &taken);
  CHECK_EQUAL(2 * (HEAD + 4), taken.size);
  CHECK_EQUAL(0, taken.dropped);
  add(log, 1, "larger than all there is room for");
  rocksdb_ffm_log_add(log, 1, NULL, SIZE_MAX);
  rocksdb_ffm_log_end(log);
  rocksdb_ffm_log_take(log, &taken);
  CHECK_EQUAL(0, taken.size);
  CHECK_EQUAL(2, taken.dropped);
  CHECK_EQUAL(0, taken.ended);
  rocksdb_ffm_log_take(log, &taken);
  CHECK_EQUAL(1, taken.ended);
  rocksdb_ffm_log_destroy(log);
}

static void* add_many(void* log) {
  for (int i = 0; i < MESSAGES; i++) add(log, 2, "a message of some length, as they are");
  return NULL;
}

typedef struct result_t {
  rocksdb_ffm_log* log;
  int64_t read;
  int64_t dropped;
} result_t;

static void* take_all(void* its) {
  result_t* result = its;
  rocksdb_ffm_messages taken;
  for (;;) {
    rocksdb_ffm_log_take(result->log, &taken);
    if (taken.ended) return NULL;
    size_t place = 0;
    while (place < taken.size) {
      place = check_message(&taken, place, 2, "a message of some length, as they are");
      result->read++;
    }
    result->dropped += taken.dropped;
  }
}

static void test_each_is_read_or_counted(void) {
  pthread_t reader;
  pthread_t writers[THREADS];
  result_t result = {rocksdb_ffm_log_create(1000), 0, 0};
  CHECK(pthread_create(&reader, NULL, take_all, &result) == 0);
  for (int i = 0; i < THREADS; i++)
    CHECK(pthread_create(&writers[i], NULL, add_many, result.log) == 0);
  for (int i = 0; i < THREADS; i++) CHECK(pthread_join(writers[i], NULL) == 0);
  rocksdb_ffm_log_end(result.log);
  CHECK(pthread_join(reader, NULL) == 0);
  CHECK_EQUAL(THREADS * MESSAGES, result.read + result.dropped);
  CHECK(result.read > 0);
  rocksdb_ffm_log_destroy(result.log);
}

int main(void) {
  test_messages_are_taken_in_order();
  test_a_gap_has_one_place();
  test_each_is_read_or_counted();
  return check_result();
}
