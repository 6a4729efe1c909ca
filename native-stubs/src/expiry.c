/* Licensed under the Apache License, Version 2.0; see LICENSE. */

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "rocksdb_ffm.h"

/* Rows with an earlier time do not expire: such a number is not a time, or is in seconds instead of milliseconds. */
#define EARLIEST_SECOND INT64_C(631152000)
#define MILLISECONDS INT64_C(1000)
#define NANOS_PER_MILLI 1000000

/* The state of a filter factory, with a copy of the prefix, or of a filter, which borrows the
   factory's prefix: the engine destroys a filter before its factory. */
typedef struct expiry_t {
  rocksdb_ffm_expiry rules;
  int64_t earliest;
  int64_t expired_before;
  char prefix[];
} expiry_t;

static const char* name(void* state) {
  (void)state;
  return "rocksdb_ffm.Expiry";
}

/* Reads byte by byte, because the value may be unaligned and in another byte order. */
static int64_t time_of(const rocksdb_ffm_expiry* rules, const char* value) {
  const unsigned char* bytes = (const unsigned char*)value + rules->offset;
  uint64_t moment = 0;
  for (size_t i = 0; i < rules->width; i++) {
    moment = moment << 8 | bytes[rules->big_endian ? i : rules->width - 1 - i];
  }
  return (int64_t)moment; /* four bytes are unsigned */
}

static int has_prefix(const rocksdb_ffm_expiry* rules, const char* key, size_t key_size) {
  return key_size >= rules->prefix_size &&
         (rules->prefix_size == 0 || memcmp(key, rules->prefix, rules->prefix_size) == 0);
}

static unsigned char is_expired(void* state, int level, const char* key, size_t key_size,
                                const char* value, size_t value_size, char** new_value,
                                size_t* new_value_size, unsigned char* value_changed) {
  const expiry_t* expiry = state;
  const rocksdb_ffm_expiry* rules = &expiry->rules;
  (void)level;
  (void)new_value;
  (void)new_value_size;
  (void)value_changed;
  if (value_size < rules->width || rules->offset > value_size - rules->width ||
      !has_prefix(rules, key, key_size)) {
    return 0;
  }
  int64_t moment = time_of(rules, value);
  return moment >= expiry->earliest && moment < expiry->expired_before;
}

/* Reads the clock once for a compaction. NULL, which keeps all rows, if that fails. */
static rocksdb_compactionfilter_t* create_filter(void* state,
                                                 rocksdb_compactionfiltercontext_t* compaction) {
  const expiry_t* family = state;
  (void)compaction;
  struct timespec now;
  expiry_t* expiry = malloc(sizeof(*expiry));
  if (expiry == NULL || timespec_get(&now, TIME_UTC) == 0 || now.tv_sec < EARLIEST_SECOND) {
    free(expiry);
    return NULL;
  }
  int64_t unit = family->rules.milliseconds ? MILLISECONDS : 1;
  expiry->rules = family->rules;
  expiry->earliest = EARLIEST_SECOND * unit;
  int64_t moment = (int64_t)now.tv_sec * unit + (unit == 1 ? 0 : now.tv_nsec / NANOS_PER_MILLI);
  expiry->expired_before = moment - family->rules.age;
  return family->rules.compactionfilter_create(expiry, free, is_expired, name);
}

int32_t rocksdb_ffm_set_expiry(rocksdb_options_t* options, const rocksdb_ffm_expiry* rules) {
  expiry_t* family = malloc(sizeof(*family) + rules->prefix_size);
  if (family == NULL) {
    return 0;
  }
  family->rules = *rules;
  if (rules->prefix_size != 0) {
    memcpy(family->prefix, rules->prefix, rules->prefix_size);
  }
  family->rules.prefix = family->prefix;
  rules->options_set_compaction_filter_factory(
      options, rules->compactionfilterfactory_create(family, free, create_filter, name));
  return 1;
}
