/* Licensed under the Apache License, Version 2.0; see LICENSE. */

#include <pthread.h>
#include <stdint.h>

#include "check.h"
#include "rocksdb_ffm.h"

/* ADDED: musl adds its own data about a thread to the requested size. */
enum { SIZE = 256 * 1024, ADDED = 64 * 1024, DEEPER = 64 * 1024 };

/* Volatile, because a compiler would shrink the array to its used part if it knew the index. AddressSanitizer would move
   the array to the heap. */
__attribute__((noinline, no_sanitize_address)) static int64_t left_after_much(void) {
  static volatile int last = DEEPER - 1;
  volatile char much[DEEPER];
  much[last] = 0;
  return rocksdb_ffm_stack_left() + much[last];
}

static void* measure(void* unused) {
  (void)unused;
  int64_t left = rocksdb_ffm_stack_left();
  CHECK(left > SIZE / 2);
  CHECK(left <= SIZE + ADDED);
  CHECK(left_after_much() <= left - DEEPER);
  return NULL;
}

int main(void) {
  CHECK(rocksdb_ffm_stack_left() > DEEPER);
  pthread_attr_t attributes;
  pthread_t thread;
  CHECK(pthread_attr_init(&attributes) == 0);
  CHECK(pthread_attr_setstacksize(&attributes, SIZE) == 0);
  CHECK(pthread_create(&thread, &attributes, measure, NULL) == 0);
  CHECK(pthread_join(thread, NULL) == 0);
  return check_result();
}
