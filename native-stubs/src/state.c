/* Licensed under the Apache License, Version 2.0; see LICENSE. */

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "rocksdb_ffm_state.h"

/*
 * The C API passes values to a filter, but no merge operands, and most elements of Flink's lists are
 * merge operands. C++ passes them to the virtual function FilterV2. Therefore the filter's vtable
 * is replaced by a copy with another FilterV2, which is found as the entry after FilterMergeOperand.
 */
enum {
  HEADER = 2, /* words of a vtable before the address to which an object points */
  FUNCTIONS_BEFORE = 40, /* the limit of the search for FilterMergeOperand, which is entry 20 */
  FUNCTIONS = 64,        /* entries to copy; the vtable has 29, and is followed by others */
  OPERAND = 1,           /* OPERAND and VALUE: kinds of entries; the following: decisions */
  VALUE = 0,
  KEEP = 0,
  REMOVE = 1,
  CHANGE = 2
};

#define TIME_SIZE sizeof(int64_t)

/* The filter of one compaction, which runs on one thread. */
typedef struct filter_t {
  rocksdb_ffm_state rules;
  int64_t now;
  int64_t left;       /* rows until now() is called again */
  size_t for_operands; /* the index of FilterMergeOperand, after Filter and before FilterV2 */
  uintptr_t functions[HEADER + FUNCTIONS];
} filter_t;

typedef _Bool filter_function(const void* engines, int level, const rocksdb_ffm_slice* key,
                              const rocksdb_ffm_slice* value, void* new_value, _Bool* is_changed);

static const char* name(void* state) {
  (void)state;
  return "FlinkCompactionFilter";
}

static void destroy(void* state) {
  filter_t* filter = state;
  filter->rules.destroyed(filter->rules.state);
  free(filter);
}

/* Reads a big-endian time. A value that is too short for a time does not expire. */
static int is_expired(const filter_t* filter, const char* value, size_t size, size_t offset) {
  if (size < TIME_SIZE || offset > size - TIME_SIZE) {
    return 0;
  }
  uint64_t moment = 0;
  for (size_t i = 0; i < TIME_SIZE; i++) {
    moment = moment << 8 | (unsigned char)value[offset + i];
  }
  int64_t time = (int64_t)moment;
  int64_t left = time > 0 ? INT64_MAX - time : INT64_MAX;
  return time + (filter->rules.ttl < left ? filter->rules.ttl : left) <= filter->now;
}

/* Returns the offset of the first unexpired element; the list's size, or more, if all are expired. */
static size_t first_kept(const filter_t* filter, const char* list, size_t size) {
  const rocksdb_ffm_state* rules = &filter->rules;
  if (rules->element_size == 0) {
    int64_t offset = rules->first_unexpired(rules->state, list, size, filter->now);
    return offset >= 0 && offset < INT32_MAX ? (size_t)offset : 0;
  }
  size_t offset = 0;
  while (offset < size && is_expired(filter, list + offset, size - offset, rules->offset)) {
    offset += rules->element_size < size - offset ? rules->element_size : size - offset;
  }
  return offset;
}

static void ask_for_the_time(filter_t* filter) {
  if (filter->left <= 0) {
    filter->left = filter->rules.entries;
    filter->now = filter->rules.now(filter->rules.state);
  }
  filter->left--;
}

static unsigned char decide(void* state, int level, const char* key, size_t key_size,
                            const char* value, size_t value_size, char** new_value,
                            size_t* new_value_size, unsigned char* value_changed) {
  filter_t* filter = state;
  (void)level;
  (void)key;
  (void)key_size;
  if (filter->rules.kind == ROCKSDB_FFM_STATE_IS_KEPT) {
    return KEEP;
  }
  ask_for_the_time(filter);
  if (!is_expired(filter, value, value_size, filter->rules.offset)) {
    return KEEP;
  }
  if (filter->rules.kind == ROCKSDB_FFM_STATE_IS_VALUE) {
    return REMOVE;
  }
  size_t offset = first_kept(filter, value, value_size);
  if (offset >= value_size) {
    return REMOVE;
  }
  if (offset > 0) {
    *new_value = (char*)(uintptr_t)(value + offset); /* the engine copies it */
    *new_value_size = value_size - offset;
    *value_changed = 1;
  }
  return KEEP;
}

/* Replaces FilterV2. Calls the engine's Filter, which calls the function above. */
static int decide_by_type(const void* engines, int level, const rocksdb_ffm_slice* key, int type,
                          const rocksdb_ffm_slice* value, void* new_value, void* skip_until) {
  const uintptr_t* functions = *(const uintptr_t* const*)engines;
  const filter_t* filter = (const filter_t*)(const void*)((const char*)(functions - HEADER) -
                                                          offsetof(filter_t, functions));
  (void)skip_until;
  if (type != VALUE && (type != OPERAND || filter->rules.kind != ROCKSDB_FFM_STATE_IS_LIST)) {
    return KEEP;
  }
  _Bool is_changed = 0;
  filter_function* decided = (filter_function*)functions[filter->for_operands - 1];
  _Bool is_removed = decided(engines, level, key, value, new_value, &is_changed);
  return is_removed ? REMOVE : is_changed ? CHANGE : KEEP;
}

/* Replaces the vtable. If FilterMergeOperand is not found, elements do not expire until they are merged. */
static void show_operands(filter_t* filter, rocksdb_compactionfilter_t* engines) {
  uintptr_t** pointer = (uintptr_t**)(void*)engines;
  size_t place = 1;
  while (place < FUNCTIONS_BEFORE && (*pointer)[place] != filter->rules.filter_merge_operand) {
    place++;
  }
  if (filter->rules.filter_merge_operand != 0 && place < FUNCTIONS_BEFORE) {
    memcpy(filter->functions, *pointer - HEADER, sizeof(filter->functions));
    filter->for_operands = place;
    filter->functions[HEADER + place + 1] = (uintptr_t)decide_by_type;
    *pointer = filter->functions + HEADER;
  }
}

rocksdb_compactionfilter_t* rocksdb_ffm_state_filter(const rocksdb_ffm_state* rules) {
  filter_t* filter = calloc(1, sizeof(*filter));
  if (filter == NULL) {
    return NULL;
  }
  filter->rules = *rules;
  rocksdb_compactionfilter_t* engines =
      rules->compactionfilter_create(filter, destroy, decide, name);
  show_operands(filter, engines);
  return engines;
}
