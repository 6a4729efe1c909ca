/* Licensed under the Apache License, Version 2.0; see LICENSE. */

#include <stdlib.h>

#include "rocksdb_ffm.h"

/* malloc(0) may return NULL, which callers would take for a failure. */
void* rocksdb_ffm_allocate(size_t size) { return malloc(size == 0 ? 1 : size); }

void rocksdb_ffm_free(void* memory) { free(memory); }
