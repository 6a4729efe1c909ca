/* Licensed under the Apache License, Version 2.0; see LICENSE. */

#include "counting.h"

_Thread_local const rocksdb_ffm_engine* rocksdb_ffm_uncounted;
