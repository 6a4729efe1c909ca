/* Licensed under the Apache License, Version 2.0; see LICENSE. */

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "check.h"
#include "rocksdb_ffm.h"

enum { NARROW = 4, WIDE = 8, OFFSET = 3, ROOM = 32 };

/* The engine's object, with the arguments of its creation. */
struct rocksdb_compactionfilter_t {
  void* state;
  void (*destructor)(void*);
  unsigned char (*filter)(void*, int, const char*, size_t, const char*, size_t, char**, size_t*,
                          unsigned char*);
};

struct rocksdb_compactionfilterfactory_t {
  void* state;
  void (*destructor)(void*);
  rocksdb_compactionfilter_t* (*create)(void*, rocksdb_compactionfiltercontext_t*);
};

static rocksdb_compactionfilter_t filter;
static rocksdb_compactionfilterfactory_t factory;
static char options_place;
static rocksdb_options_t* const options = (rocksdb_options_t*)(void*)&options_place;
static const rocksdb_compactionfilterfactory_t* set_in_options;

static rocksdb_compactionfilter_t* filter_create(void* state, void (*destructor)(void*),
                                                 unsigned char (*its)(void*, int, const char*,
                                                                      size_t, const char*, size_t,
                                                                      char**, size_t*,
                                                                      unsigned char*),
                                                 const char* (*name)(void*)) {
  CHECK_TEXT("rocksdb_ffm.Expiry", name(state));
  filter = (rocksdb_compactionfilter_t){state, destructor, its};
  return &filter;
}

static rocksdb_compactionfilterfactory_t* factory_create(
    void* state, void (*destructor)(void*),
    rocksdb_compactionfilter_t* (*create)(void*, rocksdb_compactionfiltercontext_t*),
    const char* (*name)(void*)) {
  CHECK_TEXT("rocksdb_ffm.Expiry", name(state));
  factory = (rocksdb_compactionfilterfactory_t){state, destructor, create};
  return &factory;
}

static void set_factory(rocksdb_options_t* of, rocksdb_compactionfilterfactory_t* its) {
  CHECK(of == options);
  set_in_options = its;
}

static rocksdb_ffm_expiry rules(size_t width, int big_endian, int milliseconds, int64_t age) {
  return (rocksdb_ffm_expiry){.compactionfilter_create = filter_create,
                              .compactionfilterfactory_create = factory_create,
                              .options_set_compaction_filter_factory = set_factory,
                              .prefix = "log",
                              .prefix_size = 3,
                              .offset = OFFSET,
                              .width = width,
                              .big_endian = big_endian,
                              .milliseconds = milliseconds,
                              .age = age};
}

/* Starts a compaction under a copy of the rules, after the originals are freed. */
static void begin(const rocksdb_ffm_expiry* given) {
  rocksdb_ffm_expiry* copy = malloc(sizeof(*copy));
  char* prefix = malloc(given->prefix_size + 1);
  memcpy(prefix, given->prefix, given->prefix_size);
  *copy = *given;
  copy->prefix = prefix;
  set_in_options = NULL;
  CHECK_EQUAL(1, rocksdb_ffm_set_expiry(options, copy));
  CHECK(set_in_options == &factory);
  free(prefix);
  free(copy);
  CHECK(factory.create(factory.state, NULL) == &filter);
}

static void end(void) {
  filter.destructor(filter.state);
  factory.destructor(factory.state);
}

/* The filter's decision. The value is allocated with its exact size, so that a sanitizer reports overreads. */
static int removes(const char* key, const char* value, size_t value_size) {
  char* its = malloc(value_size == 0 ? 1 : value_size);
  unsigned char changed = 0;
  memcpy(its, value, value_size);
  int answer =
      filter.filter(filter.state, 1, key, strlen(key), its, value_size, NULL, NULL, &changed);
  CHECK_EQUAL(0, changed);
  free(its);
  return answer;
}

static size_t write_value(char* value, const rocksdb_ffm_expiry* its, int64_t moment) {
  memset(value, 'x', ROOM);
  for (size_t i = 0; i < its->width; i++) {
    size_t shift = 8 * (its->big_endian ? its->width - 1 - i : i);
    value[OFFSET + i] = (char)((uint64_t)moment >> shift);
  }
  return OFFSET + its->width;
}

static int removes_at(const rocksdb_ffm_expiry* its, const char* key, int64_t moment) {
  char value[ROOM];
  size_t size = write_value(value, its, moment);
  int answer = removes(key, value, size);
  CHECK_EQUAL(answer, removes(key, value, size + 1));
  return answer;
}

static void rows_go_by_their_age(size_t width, int big_endian, int milliseconds) {
  int64_t unit = milliseconds ? 1000 : 1;
  rocksdb_ffm_expiry its = rules(width, big_endian, milliseconds, 3600 * unit);
  begin(&its);
  int64_t now = (int64_t)time(NULL) * unit;
  CHECK_EQUAL(1, removes_at(&its, "log1", now - 7200 * unit));
  CHECK_EQUAL(1, removes_at(&its, "log", now - 3700 * unit));
  CHECK_EQUAL(0, removes_at(&its, "log1", now - 3500 * unit));
  CHECK_EQUAL(0, removes_at(&its, "log1", now + 3600 * unit));
  CHECK_EQUAL(0, removes_at(&its, "lo", now - 7200 * unit));
  CHECK_EQUAL(0, removes_at(&its, "", now - 7200 * unit));
  CHECK_EQUAL(0, removes_at(&its, "mog1", now - 7200 * unit));
  end();
}

static void what_is_no_time_is_kept(void) {
  rocksdb_ffm_expiry its = rules(WIDE, 1, 1, 0);
  begin(&its);
  const int64_t earliest = INT64_C(631152000000);
  CHECK_EQUAL(1, removes_at(&its, "log", earliest));
  CHECK_EQUAL(0, removes_at(&its, "log", earliest - 1));
  CHECK_EQUAL(0, removes_at(&its, "log", 0));
  CHECK_EQUAL(0, removes_at(&its, "log", INT64_MIN));
  CHECK_EQUAL(0, removes_at(&its, "log", INT64_MAX));
  CHECK_EQUAL(0, removes_at(&its, "log", (int64_t)time(NULL) - 7200)); /* seconds */
  end();
}

static void values_that_are_too_short_are_kept(void) {
  rocksdb_ffm_expiry its = rules(WIDE, 1, 1, 0);
  begin(&its);
  char value[ROOM];
  size_t size = write_value(value, &its, (int64_t)time(NULL) * 1000 - 7200000);
  CHECK_EQUAL(1, removes("log", value, size));
  for (size_t shorter = 0; shorter < size; shorter++) {
    CHECK_EQUAL(0, removes("log", value, shorter));
  }
  end();
  its.offset = SIZE_MAX;
  begin(&its);
  CHECK_EQUAL(0, removes("log", value, size));
  end();
}

static void the_longest_age_keeps_all(void) {
  rocksdb_ffm_expiry its = rules(WIDE, 0, 0, INT64_MAX);
  begin(&its);
  CHECK_EQUAL(0, removes_at(&its, "log", INT64_C(631152000)));
  end();
}

static void without_a_prefix_all_keys_can_expire(void) {
  rocksdb_ffm_expiry its = rules(NARROW, 1, 0, 0);
  its.prefix_size = 0;
  begin(&its);
  CHECK_EQUAL(1, removes_at(&its, "", (int64_t)time(NULL) - 7200));
  CHECK_EQUAL(1, removes_at(&its, "any", (int64_t)time(NULL) - 7200));
  CHECK_EQUAL(0, removes_at(&its, "any", UINT32_MAX));
  end();
}

int main(void) {
  for (int big_endian = 0; big_endian <= 1; big_endian++) {
    rows_go_by_their_age(NARROW, big_endian, 0);
    rows_go_by_their_age(WIDE, big_endian, 0);
    rows_go_by_their_age(WIDE, big_endian, 1);
  }
  what_is_no_time_is_kept();
  values_that_are_too_short_are_kept();
  the_longest_age_keeps_all();
  without_a_prefix_all_keys_can_expire();
  return check_result();
}
