/* Licensed under the Apache License, Version 2.0; see LICENSE. */

#define _XOPEN_SOURCE 700 /* mkdtemp */

#include "real_engine.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine_functions.h"

typedef struct rocksdb_flushoptions_t rocksdb_flushoptions_t;

static void* library;
static char path[] = "rocksdb_ffm_test_XXXXXX";

/* Functions of the engine that only the tests call. */
static rocksdb_options_t* (*options_create)(void);
static void (*options_destroy)(rocksdb_options_t*);
static void (*close_db)(rocksdb_t*);
static void (*destroy_db)(const rocksdb_options_t*, const char*, char**);
static rocksdb_readoptions_t* (*readoptions_create)(void);
static void (*readoptions_destroy)(rocksdb_readoptions_t*);
static rocksdb_writeoptions_t* (*writeoptions_create)(void);
static void (*writeoptions_destroy)(rocksdb_writeoptions_t*);
static rocksdb_column_family_handle_t* (*create_column_family)(rocksdb_t*, const rocksdb_options_t*,
                                                               const char*, char**);
static void (*column_family_handle_destroy)(rocksdb_column_family_handle_t*);
static rocksdb_iterator_t* (*create_iterator)(rocksdb_t*, const rocksdb_readoptions_t*);
static void (*iter_destroy)(rocksdb_iterator_t*);
static void (*put_cf)(rocksdb_t*, const rocksdb_writeoptions_t*, rocksdb_column_family_handle_t*,
                      const char*, size_t, const char*, size_t, char**);
static rocksdb_flushoptions_t* (*flushoptions_create)(void);
static void (*flushoptions_destroy)(rocksdb_flushoptions_t*);
static void (*flush)(rocksdb_t*, const rocksdb_flushoptions_t*, char**);
static void (*free_memory)(void*);

static void stop_on(const char* doing, const char* problem) {
  if (problem != NULL) {
    fprintf(stderr, "%s: %s\n", doing, problem);
    exit(1);
  }
}

/* Copies the pointer, because C cannot cast an object pointer to a function pointer. */
static void find(void* function, const char* name) {
  void* symbol = dlsym(library, name);
  stop_on(name, symbol == NULL ? "not in the engine" : NULL);
  memcpy(function, &symbol, sizeof(symbol));
}

static void find_test_functions(void) {
  find(&options_create, "rocksdb_options_create");
  find(&options_destroy, "rocksdb_options_destroy");
  find(&close_db, "rocksdb_close");
  find(&destroy_db, "rocksdb_destroy_db");
  find(&readoptions_create, "rocksdb_readoptions_create");
  find(&readoptions_destroy, "rocksdb_readoptions_destroy");
  find(&writeoptions_create, "rocksdb_writeoptions_create");
  find(&writeoptions_destroy, "rocksdb_writeoptions_destroy");
  find(&create_column_family, "rocksdb_create_column_family");
  find(&column_family_handle_destroy, "rocksdb_column_family_handle_destroy");
  find(&create_iterator, "rocksdb_create_iterator");
  find(&iter_destroy, "rocksdb_iter_destroy");
  find(&put_cf, "rocksdb_put_cf");
  find(&flushoptions_create, "rocksdb_flushoptions_create");
  find(&flushoptions_destroy, "rocksdb_flushoptions_destroy");
  find(&flush, "rocksdb_flush");
  find(&free_memory, "rocksdb_free");
}

static void find_engine(rocksdb_ffm_engine* engine) {
#define FIND(name) find(&engine->name, "rocksdb_" #name);
  ENGINE_FUNCTIONS(FIND)
#undef FIND
}

/* The library stays open: LeakSanitizer finds the engine's memory through the library's globals. */
void real_db_open(real_db* db, const char* engine_path) {
  char* error = NULL;
  library = dlopen(engine_path, RTLD_NOW | RTLD_LOCAL);
  stop_on("opening the engine", library == NULL ? dlerror() : NULL);
  find_test_functions();
  find_engine(&db->engine);
  stop_on("making a folder", mkdtemp(path) == NULL ? path : NULL);

  rocksdb_options_t* options = options_create();
  rocksdb_ffm_settings settings = {
      .engine = &db->engine, .options = options, .text = "create_if_missing=true"};
  rocksdb_ffm_set_options(&settings);
  stop_on("setting options", settings.error);
  const char* name = "default";
  rocksdb_ffm_opening opening = {.engine = &db->engine,
                                 .options = options,
                                 .path = path,
                                 .family_count = 1,
                                 .names = &name,
                                 .family_options = (const rocksdb_options_t* const*)&options,
                                 .families = &db->first};
  rocksdb_ffm_open(&opening);
  stop_on("opening a database", opening.error);
  db->db = opening.db;
  db->read_options = readoptions_create();
  db->write_options = writeoptions_create();
  db->second = create_column_family(db->db, options, "second", &error);
  stop_on("creating a column family", error);
  options_destroy(options);
}

rocksdb_iterator_t* real_db_iterator(const real_db* db) {
  return create_iterator(db->db, db->read_options);
}

void real_db_destroy_iterator(rocksdb_iterator_t* iterator) { iter_destroy(iterator); }

void real_db_put(const real_db* db, rocksdb_column_family_handle_t* column_family,
                 rocksdb_ffm_slice key, rocksdb_ffm_slice value) {
  char* error = NULL;
  put_cf(db->db, db->write_options, column_family, key.data, key.size, value.data, value.size,
         &error);
  stop_on("putting a row", error);
}

void real_db_flush(const real_db* db) {
  char* error = NULL;
  rocksdb_flushoptions_t* options = flushoptions_create();
  flush(db->db, options, &error);
  stop_on("flushing", error);
  flushoptions_destroy(options);
}

void real_db_free(void* memory) { free_memory(memory); }

void real_db_close(real_db* db) {
  char* error = NULL;
  column_family_handle_destroy(db->first);
  column_family_handle_destroy(db->second);
  readoptions_destroy(db->read_options);
  writeoptions_destroy(db->write_options);
  close_db(db->db);
  rocksdb_options_t* options = options_create();
  destroy_db(options, path, &error);
  stop_on("removing the database", error);
  options_destroy(options);
}
