/* Licensed under the Apache License, Version 2.0; see LICENSE. */

/* State of Flink that expires; rocksdb-ffm-flink alone calls it. */
#ifndef ROCKSDB_FFM_STATE_H
#define ROCKSDB_FFM_STATE_H

#include "rocksdb_ffm.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The kinds of a state of a stream processor; see rocksdb_ffm_state. */
enum rocksdb_ffm_state_kind {
  ROCKSDB_FFM_STATE_IS_KEPT = 0,  /* nothing expires */
  ROCKSDB_FFM_STATE_IS_VALUE = 1, /* a time in each value */
  ROCKSDB_FFM_STATE_IS_LIST = 2,  /* in each element; those that expired first are removed */
};

/*
 * The rows of a column family that hold the state of a stream processor, Flink's, and expire by
 * times in them: 8 bytes, the highest first, in milliseconds. Every member is a word. The last three
 * functions are called on the engine's threads, and must return.
 */
typedef struct rocksdb_ffm_state {
  rocksdb_compactionfilter_t* (*compactionfilter_create)(
      void* state, void (*destructor)(void*),
      unsigned char (*filter)(void*, int level, const char* key, size_t key_size,
                              const char* value, size_t value_size, char** new_value,
                              size_t* new_value_size, unsigned char* value_changed),
      const char* (*name)(void*));
  uintptr_t filter_merge_operand; /* the engine's own, a virtual function of CompactionFilter; 0: operands are kept until
                                     they are merged */
  void* state;          /* which the functions below are called with */
  int64_t kind;         /* of enum rocksdb_ffm_state_kind */
  size_t offset;        /* of the time in a value or an element */
  int64_t ttl;          /* in milliseconds, not negative */
  int64_t entries;      /* the time is asked for once for so many rows */
  size_t element_size;  /* of each in a list, with what follows it; 0: first_unexpired knows */
  void (*destroyed)(void* state);
  int64_t (*now)(void* state);
  /* The offset of the first element that is not expired, maybe behind the list. Another keeps all. */
  int64_t (*first_unexpired)(void* state, const char* list, size_t size, int64_t now);
} rocksdb_ffm_state;

/*
 * A filter for one compaction, which the caller owns until the engine does. The rules are copied.
 * NULL where there is no memory.
 */
ROCKSDB_FFM_API rocksdb_compactionfilter_t* rocksdb_ffm_state_filter(
    const rocksdb_ffm_state* rules);

#ifdef __cplusplus
}
#endif

#endif
