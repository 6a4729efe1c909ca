/* Licensed under the Apache License, Version 2.0; see LICENSE. */

#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include "check.h"
#include "rocksdb_ffm.h"

enum { THREADS = 4, TEXTS = 500 };

static void* intern_all(void* results) {
  const char** texts = results;
  for (int i = 0; i < TEXTS; i++) {
    char text[16];
    snprintf(text, sizeof text, "text %d", i);
    texts[i] = rocksdb_ffm_intern(text);
  }
  return NULL;
}

static void test_equal_texts_have_one_address(void) {
  char text[] = "first";
  const char* interned = rocksdb_ffm_intern(text);
  CHECK(interned != text);
  text[0] = 'F';
  CHECK(strcmp(interned, "first") == 0);
  CHECK(rocksdb_ffm_intern("first") == interned);
  CHECK(rocksdb_ffm_intern(text) != interned);
  CHECK(rocksdb_ffm_intern("") == rocksdb_ffm_intern(""));
}

static void test_threads_at_once_get_the_same(void) {
  static const char* results[THREADS][TEXTS];
  pthread_t threads[THREADS];
  for (int i = 0; i < THREADS; i++) CHECK(pthread_create(&threads[i], NULL, intern_all, results[i]) == 0);
  for (int i = 0; i < THREADS; i++) CHECK(pthread_join(threads[i], NULL) == 0);
  for (int i = 1; i < THREADS; i++) CHECK(memcmp(results[i], results[0], sizeof results[0]) == 0);
}

int main(void) {
  test_equal_texts_have_one_address();
  test_threads_at_once_get_the_same();
  return check_result();
}
