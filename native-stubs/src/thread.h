/* Licensed under the Apache License, Version 2.0; see LICENSE. */

#ifndef THREAD_H
#define THREAD_H

#include "rocksdb_ffm.h"

/* The lowest of the engine's perf levels. */
enum { COUNT_NOTHING = 1 };

/* The notes of the stubs about the calling thread: one object, for each look for another takes a
   call where the stubs were loaded by a program that runs. */
typedef struct rocksdb_ffm_thread {
  uintptr_t lowest; /* address of its stack; 0 until somebody asks */

  /* The function by which it has stopped counting last: an engine has one, and tables of different
   * kinds. */
  void (*uncounted)(int level);
} rocksdb_ffm_thread;

__attribute__((
    visibility("hidden"))) extern _Thread_local rocksdb_ffm_thread rocksdb_ffm_this_thread;

__attribute__((visibility("hidden"))) uintptr_t rocksdb_ffm_lowest_address(void);

/* The bytes that are left of the calling thread's stack. */
static inline int64_t stack_left(void) {
  rocksdb_ffm_thread* thread = &rocksdb_ffm_this_thread;
  if (thread->lowest == 0) {
    thread->lowest = rocksdb_ffm_lowest_address();
  }
  char here = 0;
  return (int64_t)((uintptr_t)&here - thread->lowest);
}

/* Has the calling thread count nothing any more of what it does in the engine, unless the table
   leaves it counting. Once for a thread: whoever sets another level afterwards keeps it. */
static inline void stop_counting(const rocksdb_ffm_engine* engine) {
  rocksdb_ffm_thread* thread = &rocksdb_ffm_this_thread;
  if (thread->uncounted != engine->set_perf_level && engine->set_perf_level != NULL) {
    thread->uncounted = engine->set_perf_level;
    engine->set_perf_level(COUNT_NOTHING);
  }
}

#endif
