/* Licensed under the Apache License, Version 2.0; see LICENSE. */

#ifdef __linux__
#define _GNU_SOURCE /* pthread_getattr_np */
#endif
#include "thread.h"

#include <pthread.h>

_Thread_local rocksdb_ffm_thread rocksdb_ffm_this_thread;

uintptr_t rocksdb_ffm_lowest_address(void) {
#ifdef __APPLE__
  pthread_t self = pthread_self();
  return (uintptr_t)pthread_get_stackaddr_np(self) - pthread_get_stacksize_np(self);
#else
  pthread_attr_t attributes;
  void* lowest = NULL;
  size_t size = 0;
  if (pthread_getattr_np(pthread_self(), &attributes) != 0) return 0;
  pthread_attr_getstack(&attributes, &lowest, &size);
  pthread_attr_destroy(&attributes);
  return (uintptr_t)lowest;
#endif
}

int64_t rocksdb_ffm_stack_left(void) { return stack_left(); }

void rocksdb_ffm_stop_counting(const rocksdb_ffm_engine* engine) { stop_counting(engine); }
