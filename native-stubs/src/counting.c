/* Licensed under the Apache License, Version 2.0; see LICENSE. */

#include "counting.h"

_Thread_local void (*rocksdb_ffm_uncounted)(int level);

void rocksdb_ffm_stop_counting(const rocksdb_ffm_engine* engine) { stop_counting(engine); }
