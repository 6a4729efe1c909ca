/* Licensed under the Apache License, Version 2.0; see LICENSE. */

#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "rocksdb_ffm_state.h"

enum { ELEMENT = 11, TTL = 1000, NOW = 5000, OLD = NOW - TTL, NEW = OLD + 1 };
enum { WORDS = 80, FILTER = 22, MERGE_OPERAND, BY_TYPE };
enum { VALUE, OPERAND, BLOB, KEEP = 0, REMOVE, CHANGE };

/* The engine's object, with the arguments of its creation after the vtable pointer. */
struct rocksdb_compactionfilter_t {
  const uintptr_t* functions;
  void* state;
  void (*destructor)(void*);
  unsigned char (*filter)(void*, int, const char*, size_t, const char*, size_t, char**, size_t*,
                          unsigned char*);
};

typedef int by_type_function(const void*, int, const rocksdb_ffm_slice*, int,
                             const rocksdb_ffm_slice*, void*, void*);

static uintptr_t functions[WORDS];
static rocksdb_compactionfilter_t filter;
static int64_t asked;
static int64_t lists;
static int64_t answer;
static int64_t destroyed;

static _Bool as_the_engine(const void* its, int level, const rocksdb_ffm_slice* key,
                           const rocksdb_ffm_slice* value, void* new_value, _Bool* is_changed) {
  rocksdb_ffm_slice* changed = new_value;
  unsigned char was_changed = 0;
  char* bytes = NULL;
  size_t size = 0;
  CHECK(its == &filter);
  unsigned char removed = filter.filter(filter.state, level, key->data, key->size, value->data,
                                        value->size, &bytes, &size, &was_changed);
  *is_changed = was_changed != 0;
  *changed = (rocksdb_ffm_slice){bytes, size};
  return removed != 0;
}

static void merge_operand(void) {}

static rocksdb_compactionfilter_t* create(void* state, void (*destructor)(void*),
                                          unsigned char (*its)(void*, int, const char*, size_t,
                                                               const char*, size_t, char**,
                                                               size_t*, unsigned char*),
                                          const char* (*name)(void*)) {
  CHECK_TEXT("FlinkCompactionFilter", name(state));
  functions[FILTER] = (uintptr_t)as_the_engine;
  functions[MERGE_OPERAND] = (uintptr_t)merge_operand;
  filter = (rocksdb_compactionfilter_t){functions + 2, state, destructor, its};
  return &filter;
}

static void its_end(void* state) {
  CHECK(state == &destroyed);
  destroyed++;
}

static int64_t now(void* state) {
  CHECK(state == &destroyed);
  asked++;
  return NOW;
}

static int64_t first_unexpired(void* state, const char* list, size_t size, int64_t moment) {
  CHECK(state == &destroyed && list != NULL && size > 0);
  CHECK_EQUAL(NOW, moment);
  lists++;
  return answer;
}

static rocksdb_ffm_state rules(int64_t kind, size_t offset, size_t element_size) {
  return (rocksdb_ffm_state){.compactionfilter_create = create,
                             .filter_merge_operand = (uintptr_t)merge_operand,
                             .state = &destroyed,
                             .kind = kind,
                             .offset = offset,
                             .ttl = TTL,
                             .entries = 1,
                             .element_size = element_size,
                             .destroyed = its_end,
                             .now = now,
                             .first_unexpired = first_unexpired};
}

static void begin(const rocksdb_ffm_state* given) {
  rocksdb_ffm_state copy = *given;
  asked = 0;
  lists = 0;
  destroyed = 0;
  CHECK(rocksdb_ffm_state_filter(&copy) == &filter);
  memset(&copy, 0, sizeof(copy));
}

static void end(void) {
  filter.destructor(filter.state);
  CHECK_EQUAL(1, destroyed);
}

/* The filter's decision. The value is allocated with its exact size, so that a sanitizer reports overreads. */
static int decision(int type, const char* value, size_t size, size_t* left) {
  char* its = malloc(size == 0 ? 1 : size);
  memcpy(its, value, size);
  rocksdb_ffm_slice key = {"key", 3};
  rocksdb_ffm_slice old = {its, size};
  rocksdb_ffm_slice changed = {NULL, 0};
  by_type_function* by_type = (by_type_function*)filter.functions[BY_TYPE - 2];
  int decided = by_type(&filter, 3, &key, type, &old, &changed, NULL);
  if (decided == CHANGE) {
    CHECK(changed.data + changed.size == its + size);
    *left = changed.size;
  }
  free(its);
  return decided;
}

static int decided(int type, const char* value, size_t size) {
  size_t left = 0;
  return decision(type, value, size, &left);
}

static size_t write_time(char* to, int64_t time) {
  for (size_t i = 0; i < 8; i++) {
    to[i] = (char)((uint64_t)time >> (8 * (7 - i)));
  }
  return 8;
}

/* Writes elements of 10 bytes, separated by delimiters: expired elements, then unexpired ones. */
static size_t write_list(char* list, size_t old, size_t new) {
  size_t size = 0;
  for (size_t i = 0; i < old + new; i++) {
    write_time(list + size, i < old ? OLD : NEW);
    memcpy(list + size + 8, "ab,", 3);
    size += ELEMENT;
  }
  return size - 1;
}

static int of_value(int64_t time) {
  char value[9] = {1};
  write_time(value + 1, time);
  return decided(VALUE, value, sizeof(value));
}

static void a_value_is_removed_once_its_time_is_over(void) {
  rocksdb_ffm_state its = rules(ROCKSDB_FFM_STATE_IS_VALUE, 1, 0);
  begin(&its);
  CHECK_EQUAL(REMOVE, of_value(OLD));
  CHECK_EQUAL(KEEP, of_value(NEW));
  CHECK_EQUAL(REMOVE, of_value(0));
  CHECK_EQUAL(REMOVE, of_value(INT64_MIN));
  CHECK_EQUAL(KEEP, of_value(INT64_MAX));
  end();
  its.ttl = INT64_MAX;
  begin(&its);
  CHECK_EQUAL(KEEP, of_value(1));
  CHECK_EQUAL(REMOVE, of_value(INT64_MIN));
  end();
}

static void of_a_value_state_no_operand_and_nothing_short_is_removed(void) {
  rocksdb_ffm_state its = rules(ROCKSDB_FFM_STATE_IS_VALUE, 1, 0);
  char value[9] = {0};
  begin(&its);
  CHECK_EQUAL(REMOVE, decided(VALUE, value, 9));
  for (size_t size = 0; size < 9; size++) {
    CHECK_EQUAL(KEEP, decided(VALUE, value, size));
  }
  CHECK_EQUAL(KEEP, decided(OPERAND, value, 9));
  CHECK_EQUAL(KEEP, decided(BLOB, value, 9));
  end();
  its.offset = SIZE_MAX;
  begin(&its);
  CHECK_EQUAL(KEEP, decided(VALUE, value, 9));
  end();
}

static void the_time_is_asked_for_once_in_so_many_rows(void) {
  for (int64_t entries = 0; entries <= 3; entries++) {
    rocksdb_ffm_state its = rules(ROCKSDB_FFM_STATE_IS_VALUE, 1, 0);
    its.entries = entries;
    begin(&its);
    for (int i = 0; i < 12; i++) {
      CHECK_EQUAL(REMOVE, of_value(OLD));
    }
    CHECK_EQUAL(entries == 0 ? 12 : 12 / entries, asked);
    end();
  }
  rocksdb_ffm_state its = rules(ROCKSDB_FFM_STATE_IS_KEPT, 0, 0);
  begin(&its);
  CHECK_EQUAL(KEEP, of_value(0));
  CHECK_EQUAL(0, asked);
  end();
}

static void a_list_loses_its_first_elements(void) {
  rocksdb_ffm_state its = rules(ROCKSDB_FFM_STATE_IS_LIST, 0, ELEMENT);
  begin(&its);
  for (int type = VALUE; type <= OPERAND; type++) {
    for (size_t old = 0; old <= 3; old++) {
      for (size_t new = old == 0 ? 1 : 0; new <= 3; new++) {
        char list[6 * ELEMENT];
        size_t left = 0;
        int expected = old == 0 ? KEEP : new == 0 ? REMOVE : CHANGE;
        CHECK_EQUAL(expected, decision(type, list, write_list(list, old, new), &left));
        CHECK_EQUAL(expected == CHANGE ? (int64_t)(new * ELEMENT - 1) : 0, (int64_t)left);
      }
    }
  }
  CHECK_EQUAL(0, lists);
  end();
}

static void a_cut_list_is_not_read_beyond_its_end(void) {
  rocksdb_ffm_state its = rules(ROCKSDB_FFM_STATE_IS_LIST, 0, ELEMENT);
  char list[2 * ELEMENT];
  begin(&its);
  size_t size = write_list(list, 2, 0);
  for (size_t cut = ELEMENT + 1; cut < ELEMENT + 8; cut++) {
    CHECK_EQUAL(CHANGE, decided(VALUE, list, cut));
  }
  CHECK_EQUAL(REMOVE, decided(VALUE, list, size - 2));
  end();
  its.element_size = SIZE_MAX; /* all elements expire together */
  begin(&its);
  CHECK_EQUAL(REMOVE, decided(OPERAND, list, size));
  end();
}

static void elements_of_unknown_size_are_counted_by_the_caller(void) {
  rocksdb_ffm_state its = rules(ROCKSDB_FFM_STATE_IS_LIST, 0, 0);
  char list[3 * ELEMENT];
  size_t left = 0;
  begin(&its);
  size_t size = write_list(list, 2, 1);
  answer = 2 * ELEMENT;
  CHECK_EQUAL(CHANGE, decision(OPERAND, list, size, &left));
  CHECK_EQUAL(ELEMENT - 1, (int64_t)left);
  answer = (int64_t)size + 1;
  CHECK_EQUAL(REMOVE, decided(VALUE, list, size));
  for (answer = -1; answer <= 0; answer++) {
    CHECK_EQUAL(KEEP, decided(VALUE, list, size));
  }
  answer = INT32_MAX;
  CHECK_EQUAL(KEEP, decided(VALUE, list, size));
  CHECK_EQUAL(5, lists);
  CHECK_EQUAL(KEEP, decided(VALUE, list, write_list(list, 0, 3))); /* the stub reads the first element's time */
  CHECK_EQUAL(5, lists);
  end();
}

static void an_engine_with_other_functions_is_left_as_it_is(void) {
  rocksdb_ffm_state its = rules(ROCKSDB_FFM_STATE_IS_LIST, 0, ELEMENT);
  its.filter_merge_operand = 0;
  begin(&its);
  CHECK(filter.functions == functions + 2);
  end();
  its.filter_merge_operand = 1;
  begin(&its);
  CHECK(filter.functions == functions + 2);
  end();
}

int main(void) {
  a_value_is_removed_once_its_time_is_over();
  of_a_value_state_no_operand_and_nothing_short_is_removed();
  the_time_is_asked_for_once_in_so_many_rows();
  a_list_loses_its_first_elements();
  a_cut_list_is_not_read_beyond_its_end();
  elements_of_unknown_size_are_counted_by_the_caller();
  an_engine_with_other_functions_is_left_as_it_is();
  return check_result();
}
