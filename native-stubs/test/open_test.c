/* Licensed under the Apache License, Version 2.0; see LICENSE. */

#include <stdio.h>
#include <string.h>

#include "check.h"
#include "rocksdb_ffm.h"

/* The names of the engine's functions that were called, in order. */
static char asked[256];
static const char* failing; /* setting options with this text fails, unless NULL */
static char problem[] = "a problem";
static char unset[] = "not a message";

static char options_place;
static char table_place;
static char cache_place;
static char db_place;
static char family_place;
static rocksdb_options_t* const options = (rocksdb_options_t*)(void*)&options_place;
static rocksdb_block_based_table_options_t* const table =
    (rocksdb_block_based_table_options_t*)(void*)&table_place;
static rocksdb_cache_t* const cache = (rocksdb_cache_t*)(void*)&cache_place;
static rocksdb_t* const db = (rocksdb_t*)(void*)&db_place;
static rocksdb_column_family_handle_t* const family =
    (rocksdb_column_family_handle_t*)(void*)&family_place;

static void ask(const char* what) {
  strncat(asked, what, sizeof(asked) - strlen(asked) - 1);
  strncat(asked, ";", sizeof(asked) - strlen(asked) - 1);
}

static void get_options_from_string(const rocksdb_options_t* base, const char* text,
                                    rocksdb_options_t* changed, char** error) {
  CHECK(base == options && changed == options && *error == NULL);
  ask(text);
  if (failing != NULL && strcmp(failing, text) == 0) {
    *error = problem;
  }
}

static rocksdb_block_based_table_options_t* table_create(void) {
  ask("create");
  return table;
}

static void table_set_cache(rocksdb_block_based_table_options_t* of, rocksdb_cache_t* set) {
  CHECK(of == table && set == cache);
  ask("cache");
}

static void table_set_no_cache(rocksdb_block_based_table_options_t* of, unsigned char none) {
  CHECK(of == table && none == 1);
  ask("no cache");
}

static void table_destroy(rocksdb_block_based_table_options_t* of) {
  CHECK(of == table);
  ask("destroy");
}

static void set_table(rocksdb_options_t* of, rocksdb_block_based_table_options_t* set) {
  CHECK(of == options && set == table);
  ask("table");
}

static rocksdb_t* open_families(const rocksdb_options_t* with, const char* path, int count,
                                const char* const* names,
                                const rocksdb_options_t* const* family_options,
                                rocksdb_column_family_handle_t** families, char** error) {
  CHECK(with == options && *error == NULL);
  ask(path);
  for (int i = 0; i < count; i++) {
    CHECK(family_options[i] == options);
    ask(names[i]);
    if (failing == NULL) {
      families[i] = family;
    }
  }
  *error = failing == NULL ? NULL : problem;
  return failing == NULL ? db : NULL;
}

static const rocksdb_ffm_engine engine = {
    .get_options_from_string = get_options_from_string,
    .block_based_options_create = table_create,
    .block_based_options_set_block_cache = table_set_cache,
    .block_based_options_set_no_block_cache = table_set_no_cache,
    .block_based_options_destroy = table_destroy,
    .options_set_block_based_table_factory = set_table,
    .open_column_families = open_families,
};

static void set(rocksdb_cache_t* with_cache, int64_t no_cache, const char* text, const char* fails,
                const char* expected) {
  rocksdb_ffm_settings settings = {&engine, options, text, with_cache, unset, no_cache};
  asked[0] = '\0';
  failing = fails;
  rocksdb_ffm_set_options(&settings);
  CHECK_TEXT(expected, asked);
  CHECK_TEXT(fails == NULL ? NULL : problem, settings.error);
}

static void a_table_without_a_cache_is_made_so(void) {
  set(NULL, 1, "text", NULL, "create;no cache;table;destroy;text;");
  set(cache, 1, "text", NULL, "create;no cache;table;destroy;text;");
}

static void the_table_is_set_before_the_text_and_only_if_asked_for(void) {
  set(NULL, 0, "text", NULL, "text;");
  set(cache, 0, "text", NULL, "create;cache;table;destroy;text;");
}

static void an_empty_text_is_not_read(void) {
  set(NULL, 0, "", NULL, "");
  set(cache, 0, "", NULL, "create;cache;table;destroy;");
}

static void a_failure_is_told(void) {
  set(cache, 0, "text", "text", "create;cache;table;destroy;text;");
}

static void opens(const char* fails) {
  const char* const names[] = {"default", "other"};
  const rocksdb_options_t* const family_options[] = {options, options};
  rocksdb_column_family_handle_t* families[] = {NULL, NULL};
  rocksdb_ffm_opening opening = {&engine,        options,  "path", 2, names,
                                 family_options, families, NULL,   unset};
  asked[0] = '\0';
  failing = fails;
  rocksdb_ffm_open(&opening);
  CHECK_TEXT("path;default;other;", asked);
  CHECK(opening.db == (fails == NULL ? db : NULL));
  CHECK_TEXT(fails == NULL ? NULL : problem, opening.error);
  for (int i = 0; i < 2; i++) {
    CHECK(families[i] == (fails == NULL ? family : NULL));
  }
}

int main(void) {
  a_table_without_a_cache_is_made_so();
  the_table_is_set_before_the_text_and_only_if_asked_for();
  an_empty_text_is_not_read();
  a_failure_is_told();
  opens(NULL);
  opens("path");
  return check_result();
}
