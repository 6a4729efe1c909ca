/* Licensed under the Apache License, Version 2.0; see LICENSE. */

#ifdef __linux__
#define _GNU_SOURCE /* pthread_getattr_np */
#endif
#include <pthread.h>
#include <stdint.h>

#include "rocksdb_ffm.h"

static uintptr_t lowest_address(void) {
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

int64_t rocksdb_ffm_stack_left(void) {
  static _Thread_local uintptr_t lowest;
  if (lowest == 0) lowest = lowest_address();
  char here = 0;
  return (int64_t)((uintptr_t)&here - lowest);
}
