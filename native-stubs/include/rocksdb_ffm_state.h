/* Licensed under the Apache License, Version 2.0; see LICENSE. */

/* A compaction filter for Flink state with a TTL; called by rocksdb-ffm-flink only. */
#ifndef ROCKSDB_FFM_STATE_H
#define ROCKSDB_FFM_STATE_H

#include "rocksdb_ffm.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The kinds of state; see rocksdb_ffm_state. */
enum rocksdb_ffm_state_kind {
  ROCKSDB_FFM_STATE_IS_KEPT = 0,  /* nothing expires */
  ROCKSDB_FFM_STATE_IS_VALUE = 1, /* each value contains a time */
  ROCKSDB_FFM_STATE_IS_LIST = 2,  /* each element contains a time; expired elements at the start are removed */
};

/*
 * The rules by which Flink state in a column family expires. Its times are 8 bytes, big endian, in
 * milliseconds. Every member is a word. The engine's threads call the last three functions, which
 * must return normally.
 */
typedef struct rocksdb_ffm_state {
  rocksdb_compactionfilter_t* (*compactionfilter_create)(
      void* state, void (*destructor)(void*),
      unsigned char (*filter)(void*, int level, const char* key, size_t key_size,
                              const char* value, size_t value_size, char** new_value,
                              size_t* new_value_size, unsigned char* value_changed),
      const char* (*name)(void*));
  uintptr_t filter_merge_operand; /* the address of CompactionFilter::FilterMergeOperand in the engine; 0: merge
                                     operands do not expire until they are merged */
  void* state;          /* the first argument of the functions below */
  int64_t kind;         /* of enum rocksdb_ffm_state_kind */
  size_t offset;        /* the time's offset in a value or an element */
  int64_t ttl;          /* the lifetime in milliseconds, not negative */
  int64_t entries;      /* now() is called again after this number of rows */
  size_t element_size;  /* the size of a list's elements, with the delimiter; 0: use first_unexpired */
  void (*destroyed)(void* state);
  int64_t (*now)(void* state);
  /* Returns the offset of the first unexpired element; the list's size if all are expired. Invalid: keep all. */
  int64_t (*first_unexpired)(void* state, const char* list, size_t size, int64_t now);
} rocksdb_ffm_state;

/*
 * Creates the filter of one compaction, to be returned to the engine, which then owns it. The rules
 * are copied. NULL if memory cannot be allocated.
 */
ROCKSDB_FFM_API rocksdb_compactionfilter_t* rocksdb_ffm_state_filter(
    const rocksdb_ffm_state* rules);

#ifdef __cplusplus
}
#endif

#endif
