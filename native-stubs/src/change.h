/* Licensed under the Apache License, Version 2.0; see LICENSE. */

#ifndef ROCKSDB_FFM_CHANGE_H
#define ROCKSDB_FFM_CHANGE_H

#include "rocksdb_ffm.h"

/* The two parts of a change's `kind_and_key_size`. */
static inline int32_t kind_of(uint64_t kind_and_key_size) {
  return (int32_t)(kind_and_key_size >> ROCKSDB_FFM_KIND_SHIFT);
}

static inline size_t key_size_of(uint64_t kind_and_key_size) {
  return (size_t)(kind_and_key_size & ((UINT64_C(1) << ROCKSDB_FFM_KIND_SHIFT) - 1));
}

#endif
