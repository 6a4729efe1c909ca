/* Licensed under the Apache License, Version 2.0; see LICENSE. */

#ifndef COUNTING_H
#define COUNTING_H

#include "rocksdb_ffm.h"

/* The lowest of the engine's perf levels. */
enum { COUNT_NOTHING = 1 };

/* The function by which the calling thread has stopped counting last: an engine has one, and tables
 * of different kinds. */
extern _Thread_local void (*rocksdb_ffm_uncounted)(int level);

/* Has the calling thread count nothing any more of what it does in the engine, unless the table
   leaves it counting. Once for a thread: whoever sets another level afterwards keeps it. */
static inline void stop_counting(const rocksdb_ffm_engine* engine) {
  if (rocksdb_ffm_uncounted != engine->set_perf_level && engine->set_perf_level != NULL) {
    rocksdb_ffm_uncounted = engine->set_perf_level;
    engine->set_perf_level(COUNT_NOTHING);
  }
}

#endif
