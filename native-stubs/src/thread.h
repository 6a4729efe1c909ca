/* Licensed under the Apache License, Version 2.0; see LICENSE. */

#ifndef THREAD_H
#define THREAD_H

#include "rocksdb_ffm.h"

/* The engine's PerfLevel::kDisable. */
enum { COUNT_NOTHING = 1 };

/* The thread-local variables of the stubs. One object, because each access to a thread-local
   variable of a library that was loaded with dlopen takes a call. */
typedef struct rocksdb_ffm_thread {
  uintptr_t lowest; /* lowest address of the stack; 0 if not known yet */

  /* The engine's function that was called last to disable the counters. It identifies the engine,
   * which may have several tables of functions. */
  void (*uncounted)(int level);
} rocksdb_ffm_thread;

__attribute__((
    visibility("hidden"))) extern _Thread_local rocksdb_ffm_thread rocksdb_ffm_this_thread;

__attribute__((visibility("hidden"))) uintptr_t rocksdb_ffm_lowest_address(void);

/* Returns the size in bytes of the unused stack of the calling thread. AddressSanitizer would move `here` to the heap. */
__attribute__((no_sanitize_address)) static inline int64_t stack_left(void) {
  rocksdb_ffm_thread* thread = &rocksdb_ffm_this_thread;
  if (thread->lowest == 0) {
    thread->lowest = rocksdb_ffm_lowest_address();
  }
  char here = 0;
  return (int64_t)((uintptr_t)&here - thread->lowest);
}

/* Disables the engine's PerfContext counters for the calling thread, unless set_perf_level is NULL. Does this only once
 * for each thread, so that a level that is set later is kept. */
static inline void stop_counting(const rocksdb_ffm_engine* engine) {
  rocksdb_ffm_thread* thread = &rocksdb_ffm_this_thread;
  if (thread->uncounted != engine->set_perf_level && engine->set_perf_level != NULL) {
    thread->uncounted = engine->set_perf_level;
    engine->set_perf_level(COUNT_NOTHING);
  }
}

#endif
