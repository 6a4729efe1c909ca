/* Licensed under the Apache License, Version 2.0; see LICENSE. */

/* The C++ stubs, except of encryption, with a real engine: each function, refusals, and exceptions. */

#define _XOPEN_SOURCE 700 /* mkdtemp */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "cxx_engine.h"

#define KEYS 40
#define LARGE 5000

/* The engine's objects, each by a pointer: these tests pass them on only. */
static struct functions {
  void* (*options_create)(void);
  void (*options_destroy)(void*);
  void (*options_set_create_if_missing)(void*, unsigned char);
  void (*options_set_uint64add_merge_operator)(void*);
  void (*options_add_eventlistener)(void*, void*);
  void* (*eventlistener_create)(void*, void (*)(void*), void (*)(void), void (*)(void), void (*)(void), void (*)(void),
                                void (*)(void), void (*)(void), void (*)(void), void (*)(void), void (*)(void),
                                void (*)(void));
  void (*eventlistener_destroy)(void*);
  void* (*transactiondb_options_create)(void);
  void (*transactiondb_options_destroy)(void*);
  void* (*transactiondb_open)(const void*, const void*, const char*, char**);
  void (*transactiondb_close)(void*);
  rocksdb_t* (*transactiondb_get_base_db)(void*);
  void (*transactiondb_close_base_db)(rocksdb_t*);
  void* (*transactiondb_create_column_family)(void*, const void*, const char*, char**);
  void* (*get_default_column_family_handle)(rocksdb_t*);
  void (*column_family_handle_destroy)(void*);
  void* (*transaction_options_create)(void);
  void (*transaction_options_destroy)(void*);
  void* (*transaction_begin)(void*, const void*, const void*, void*);
  void (*transaction_commit)(void*, char**);
  void (*transaction_put)(void*, const char*, size_t, const char*, size_t, char**);
  void (*transaction_destroy)(void*);
  void* (*writebatch_wi_create)(size_t, unsigned char);
  void (*writebatch_wi_put)(void*, const char*, size_t, const char*, size_t);
  void (*writebatch_wi_merge)(void*, const char*, size_t, const char*, size_t);
  void (*writebatch_wi_destroy)(void*);
  void* (*readoptions_create)(void);
  void (*readoptions_destroy)(void*);
  void* (*writeoptions_create)(void);
  void (*writeoptions_destroy)(void*);
  void* (*flushoptions_create)(void);
  void (*flushoptions_destroy)(void*);
  void (*flush)(rocksdb_t*, void*, char**);
  void (*merge)(rocksdb_t*, void*, const char*, size_t, const char*, size_t, char**);
  char* (*get_cf)(rocksdb_t*, void*, void*, const char*, size_t, size_t*, char**);
  void* (*create_iterator)(rocksdb_t*, const void*);
  void (*iter_seek)(void*, const char*, size_t);
  void (*iter_destroy)(void*);
  void (*pinnableslice_destroy)(void*);
  void* (*envoptions_create)(void);
  void (*envoptions_destroy)(void*);
  void* (*sstfilewriter_create)(void*, void*);
  void (*sstfilewriter_open)(void*, const char*, char**);
  void (*sstfilewriter_put)(void*, const char*, size_t, const char*, size_t, char**);
  void (*sstfilewriter_finish)(void*, char**);
  void (*sstfilewriter_destroy)(void*);
  void* (*ingestexternalfileoptions_create)(void);
  void (*ingestexternalfileoptions_destroy)(void*);
  const void* (*livefiles)(rocksdb_t*);
  void (*livefiles_destroy)(const void*);
  void* (*livefiles_create)(void);
  void* (*livefile_create)(void);
  void (*livefiles_add)(void*, void*);
  void (*readoptions_set_iterate_upper_bound)(void*, const char*, size_t);
  void (*destroy_db)(const void*, const char*, char**);
} rocks;

static const char* const NAMES[] = {
    "options_create", "options_destroy", "options_set_create_if_missing", "options_set_uint64add_merge_operator",
    "options_add_eventlistener", "eventlistener_create", "eventlistener_destroy", "transactiondb_options_create",
    "transactiondb_options_destroy", "transactiondb_open", "transactiondb_close", "transactiondb_get_base_db",
    "transactiondb_close_base_db", "transactiondb_create_column_family", "get_default_column_family_handle",
    "column_family_handle_destroy", "transaction_options_create", "transaction_options_destroy", "transaction_begin",
    "transaction_commit", "transaction_put", "transaction_destroy", "writebatch_wi_create", "writebatch_wi_put",
    "writebatch_wi_merge", "writebatch_wi_destroy", "readoptions_create", "readoptions_destroy", "writeoptions_create",
    "writeoptions_destroy", "flushoptions_create", "flushoptions_destroy", "flush", "merge", "get_cf",
    "create_iterator", "iter_seek", "iter_destroy", "pinnableslice_destroy", "envoptions_create", "envoptions_destroy",
    "sstfilewriter_create", "sstfilewriter_open", "sstfilewriter_put", "sstfilewriter_finish", "sstfilewriter_destroy",
    "ingestexternalfileoptions_create", "ingestexternalfileoptions_destroy", "livefiles", "livefiles_destroy",
    "livefiles_create", "livefile_create", "livefiles_add", "readoptions_set_iterate_upper_bound", "destroy_db"};

static rocksdb_ffm_cxx_engine engine;
static rocksdb_ffm_cxx_engine throwing; /* each function throws std::bad_alloc */
static char path[] = "rocksdb_ffm_test_XXXXXX";
static char table_path[100];
static void* transaction_db;
static rocksdb_t* db;
static void* family;
static void* other;
static void* read_options;
static void* write_options;
static char large[LARGE];

static rocksdb_ffm_cxx_slice slice(const char* text) {
  rocksdb_ffm_cxx_slice result = {text, strlen(text)};
  return result;
}

static void find_functions(void) {
  char name[100];
  void** members = (void**)&rocks;
  CHECK_EQUAL(sizeof(rocks) / sizeof(void*), sizeof(NAMES) / sizeof(*NAMES));
  for (size_t i = 0; i < sizeof(NAMES) / sizeof(*NAMES); i++) {
    snprintf(name, sizeof(name), "rocksdb_%s", NAMES[i]);
    cxx_engine_find(&members[i], name);
  }
  void* throw_bad_alloc;
  cxx_engine_find(&throw_bad_alloc, "_ZSt17__throw_bad_allocv");
  for (size_t i = 0; i < sizeof(throwing) / sizeof(void*); i++) {
    ((void**)&throwing)[i] = throw_bad_alloc;
  }
  throwing.pinnable_wide_columns_destroy = engine.pinnable_wide_columns_destroy;
  throwing.cleanable_destroy = engine.cleanable_destroy;
}

/* Expects a message, and frees it. */
static void refused(char** error, const char* part) {
  CHECK(*error != NULL && strstr(*error, part) != NULL);
  free(*error);
  *error = NULL;
}

static rocksdb_ffm_cxx_reader reader_of(void* source) {
  rocksdb_ffm_cxx_reader reader = {NULL, source, read_options, family};
  return reader;
}

static void put_entity(void* source, int64_t kind, const char* key, const char* value) {
  rocksdb_ffm_cxx_column columns[] = {{slice(""), slice(value)}, {slice("a"), slice("column a")}};
  rocksdb_ffm_cxx_columns all = {columns, columns + 2};
  rocksdb_ffm_cxx_slice name = slice(key);
  rocksdb_ffm_cxx_reader reader = reader_of(source);
  char* error = NULL;
  rocksdb_ffm_cxx_put_entity(&engine, &reader, kind, &name, &all, &error);
  stop_on("putting an entity", error);
}

static void check_entity(const rocksdb_ffm_cxx_columns* columns, const char* value) {
  CHECK(columns != NULL);
  CHECK_EQUAL(2, columns->end - columns->begin);
  CHECK_BYTES("", 0, columns->begin[0].name.data, columns->begin[0].name.size);
  CHECK_BYTES(value, strlen(value), columns->begin[0].value.data, columns->begin[0].value.size);
  CHECK_BYTES("a", 1, columns->begin[1].name.data, columns->begin[1].name.size);
  CHECK_BYTES("column a", 8, columns->begin[1].value.data, columns->begin[1].value.size);
}

static void reads_entity(void* source, int64_t kind, const char* key, const char* value) {
  rocksdb_ffm_cxx_reader reader = reader_of(source);
  char* error = NULL;
  rocksdb_ffm_cxx_columns* columns = rocksdb_ffm_cxx_entity(&engine, &reader, kind, key, strlen(key), &error);
  stop_on("reading an entity", error);
  check_entity(columns, value);
  rocksdb_ffm_cxx_entity_destroy(&engine, columns);
  CHECK(rocksdb_ffm_cxx_entity(&engine, &reader, kind, "none", 4, &error) == NULL);
  CHECK(error == NULL);
}

static void reads_entities(void* source, int64_t kind, const char* key, const char* value) {
  rocksdb_ffm_cxx_slice names[] = {slice("none"), slice(key), slice(key)};
  rocksdb_ffm_cxx_keys keys = {family, names, 3, 0, NULL, NULL, NULL};
  rocksdb_ffm_cxx_columns* found[3];
  rocksdb_ffm_cxx_reader reader = reader_of(source);
  char* error = NULL;
  rocksdb_ffm_cxx_entities(&engine, &reader, kind, &keys, found, &error);
  stop_on("reading entities", error);
  CHECK(found[0] == NULL);
  check_entity(found[1], value);
  check_entity(found[2], value);
  rocksdb_ffm_cxx_entity_destroy(&engine, found[1]);
  rocksdb_ffm_cxx_entity_destroy(&engine, found[2]);
  keys.count = 0;
  rocksdb_ffm_cxx_entities(&engine, &reader, kind, &keys, found, &error);
  CHECK(error == NULL);
}

/* Reads keys of a memtable, a table and of the writes, more of them than the engine reads in one batch. */
static void reads_many(void* source, int64_t kind, const char* own) {
  char texts[KEYS][16];
  rocksdb_ffm_cxx_slice names[KEYS];
  void* pins[KEYS];
  char* errors[KEYS];
  rocksdb_ffm_cxx_value values[KEYS];
  for (int i = 0; i < KEYS; i++) {
    snprintf(texts[i], sizeof(texts[i]), "row%02d", i);
    names[i] = slice(texts[i]);
  }
  names[1] = slice("large");
  names[2] = slice(own);
  names[3] = slice("none");
  rocksdb_ffm_cxx_keys keys = {family, names, KEYS, 0, pins, errors, values};
  rocksdb_ffm_cxx_reader reader = reader_of(source);
  CHECK_EQUAL(0, rocksdb_ffm_cxx_multi_get(&engine, &reader, kind, &keys));
  CHECK_BYTES(large, LARGE, values[1].data, values[1].size);
  CHECK_BYTES("own", 3, values[2].data, values[2].size);
  CHECK(values[3].pin == NULL && pins[3] == NULL && errors[3] == NULL);
  for (int i = 4; i < KEYS; i++) {
    CHECK_BYTES(texts[i], strlen(texts[i]), values[i].data, values[i].size);
    CHECK(pins[i] == values[i].pin);
  }
  for (int i = 0; i < KEYS; i++) {
    if (pins[i] != NULL) {
      rocks.pinnableslice_destroy(pins[i]);
    }
  }
  keys.count = 0;
  CHECK_EQUAL(0, rocksdb_ffm_cxx_multi_get(&engine, &reader, kind, &keys));
}

static void entities_and_keys(void) {
  char* error = NULL;
  void* options = rocks.transaction_options_create();
  void* transaction = rocks.transaction_begin(transaction_db, write_options, options, NULL);
  for (int i = 0; i < KEYS; i++) {
    char text[16];
    snprintf(text, sizeof(text), "row%02d", i);
    rocks.transaction_put(transaction, text, strlen(text), text, strlen(text), &error);
  }
  rocks.transaction_put(transaction, "large", 5, large, LARGE, &error);
  put_entity(transaction, ROCKSDB_FFM_CXX_OF_TRANSACTION, "entity", "committed");
  rocks.transaction_commit(transaction, &error);
  stop_on("committing", error);
  rocks.transaction_destroy(transaction);
  void* flush_options = rocks.flushoptions_create();
  rocks.flush(db, flush_options, &error);
  stop_on("flushing", error);
  rocks.flushoptions_destroy(flush_options);

  reads_entity(db, ROCKSDB_FFM_CXX_OF_DATABASE, "entity", "committed");
  reads_entities(db, ROCKSDB_FFM_CXX_OF_DATABASE, "entity", "committed");
  transaction = rocks.transaction_begin(transaction_db, write_options, options, NULL);
  rocks.transaction_put(transaction, "tx", 2, "own", 3, &error);
  put_entity(transaction, ROCKSDB_FFM_CXX_OF_TRANSACTION, "uncommitted", "of the transaction");
  reads_entity(transaction, ROCKSDB_FFM_CXX_OF_TRANSACTION, "uncommitted", "of the transaction");
  reads_entity(transaction, ROCKSDB_FFM_CXX_TO_SHARE, "entity", "committed");
  reads_entity(transaction, ROCKSDB_FFM_CXX_FOR_UPDATE, "entity", "committed");
  reads_entities(transaction, ROCKSDB_FFM_CXX_OF_TRANSACTION, "uncommitted", "of the transaction");
  reads_many(transaction, ROCKSDB_FFM_CXX_OF_TRANSACTION, "tx");
  rocks.transaction_destroy(transaction);
  rocks.transaction_options_destroy(options);
}

static void batches(void) {
  rocksdb_ffm_cxx_batch over = {NULL, rocks.writebatch_wi_create(0, 1), db};
  rocks.writebatch_wi_put(over.batch, "wb", 2, "own", 3);
  put_entity(&over, ROCKSDB_FFM_CXX_OF_BATCH, "added", "of the batch");
  reads_entity(&over, ROCKSDB_FFM_CXX_OF_BATCH, "added", "of the batch");
  reads_entity(&over, ROCKSDB_FFM_CXX_OF_BATCH, "entity", "committed");
  reads_entities(&over, ROCKSDB_FFM_CXX_OF_BATCH, "added", "of the batch");
  reads_many(&over, ROCKSDB_FFM_CXX_OF_BATCH, "wb");

  /* An exception of the engine becomes a message, and leaves no pin. */
  rocksdb_ffm_cxx_reader reader = reader_of(&over);
  rocksdb_ffm_cxx_slice names[] = {slice("large"), slice("row04")};
  void* pins[2];
  char* errors[2];
  rocksdb_ffm_cxx_value values[2];
  rocksdb_ffm_cxx_keys keys = {family, names, 2, 1, pins, errors, values};
  rocksdb_ffm_cxx_columns* found[2];
  char* error = NULL;
  CHECK_EQUAL(1, rocksdb_ffm_cxx_multi_get(&throwing, &reader, ROCKSDB_FFM_CXX_OF_BATCH, &keys));
  refused(&errors[0], "Operation aborted");
  CHECK(errors[1] == NULL && pins[0] == NULL && pins[1] == NULL);
  rocksdb_ffm_cxx_entities(&throwing, &reader, ROCKSDB_FFM_CXX_OF_BATCH, &keys, found, &error);
  refused(&error, "Operation aborted");
  CHECK(found[0] == NULL && found[1] == NULL);
  CHECK(rocksdb_ffm_cxx_entity(&throwing, &reader, ROCKSDB_FFM_CXX_OF_BATCH, "large", 5, &error) == NULL);
  refused(&error, "Operation aborted");
  rocks.writebatch_wi_destroy(over.batch);
}

static void operands(void) {
  char* error = NULL;
  for (int i = 0; i < 20; i++) {
    char number[8] = {(char)i, 0};
    rocks.merge(db, write_options, "sum", 3, number, sizeof(number), &error);
    stop_on("merging", error);
  }
  rocksdb_ffm_cxx_reader reader = reader_of(db);
  rocksdb_ffm_cxx_columns* found = rocksdb_ffm_cxx_operands(&engine, &reader, "sum", 3, &error);
  stop_on("reading operands", error);
  CHECK_EQUAL(20, found->end - found->begin);
  CHECK_EQUAL(19, found->end[-1].value.data[0]);
  rocksdb_ffm_cxx_entity_destroy(&engine, found);
  CHECK(rocksdb_ffm_cxx_operands(&engine, &reader, "none", 4, &error) == NULL);
  CHECK(error == NULL);
}

static void rows_and_ranges(void) {
  void* iterator = rocks.create_iterator(db, read_options);
  rocks.iter_seek(iterator, "entity", 6);
  check_entity(rocksdb_ffm_cxx_row(iterator), "committed");
  rocks.iter_destroy(iterator);

  rocksdb_ffm_cxx_range all[] = {{slice("a"), slice("f")}, {slice("row05"), slice("row20")}};
  rocksdb_ffm_cxx_ranges ranges = {all, 2, 1 << 20};
  const rocksdb_ffm_cxx_engine* engines[] = {&engine, &throwing};
  for (int i = 0; i < 2; i++) {
    void* options = rocks.readoptions_create();
    rocks.readoptions_set_iterate_upper_bound(options, "f", 1);
    iterator = rocks.create_iterator(db, options);
    rocksdb_ffm_cxx_prefetch(engines[i], iterator, options, family, &ranges);
    rocks.iter_destroy(iterator);
    rocks.readoptions_destroy(options);
  }
}

static void write_table(void* options) {
  char* error = NULL;
  void* environment = rocks.envoptions_create();
  void* writer = rocks.sstfilewriter_create(environment, options);
  rocks.sstfilewriter_open(writer, table_path, &error);
  rocks.sstfilewriter_put(writer, "t1", 2, "one", 3, &error);
  rocks.sstfilewriter_put(writer, "t2", 2, "two", 3, &error);
  rocks.sstfilewriter_finish(writer, &error);
  stop_on("writing a table", error);
  rocks.sstfilewriter_destroy(writer);
  rocks.envoptions_destroy(environment);
}

static void tables(void* options) {
  char* error = NULL;
  write_table(options);
  rocksdb_ffm_cxx_slice file = slice(table_path);
  rocksdb_ffm_cxx_slice none = slice("no such table");
  rocksdb_ffm_cxx_column entry;
  rocksdb_ffm_cxx_table* table = rocksdb_ffm_cxx_table_open(&engine, options, &file, &error);
  stop_on("opening a table", error);
  CHECK_EQUAL(1, rocksdb_ffm_cxx_table_next(&engine, table, &entry, &error));
  CHECK_BYTES("t1", 2, entry.name.data, entry.name.size - 8);
  CHECK_BYTES("one", 3, entry.value.data, entry.value.size);
  CHECK_EQUAL(1, rocksdb_ffm_cxx_table_next(&engine, table, &entry, &error));
  CHECK_EQUAL(0, rocksdb_ffm_cxx_table_next(&engine, table, &entry, &error));
  CHECK(error == NULL);
  rocksdb_ffm_cxx_table_close(&engine, table);
  CHECK(rocksdb_ffm_cxx_table_open(&engine, options, &none, &error) == NULL);
  refused(&error, "No such file");
  CHECK(rocksdb_ffm_cxx_table_open(&throwing, options, &file, &error) == NULL);
  refused(&error, "Operation aborted");

  void* how = rocks.ingestexternalfileoptions_create();
  rocksdb_ffm_cxx_ingestion families[] = {{family, &file, 1, how}, {other, &none, 1, how}};
  rocksdb_ffm_cxx_ingest(&engine, db, families, 2, &error);
  refused(&error, "No such file");
  size_t size;
  char* value = rocks.get_cf(db, read_options, family, "t1", 2, &size, &error);
  CHECK(value == NULL && error == NULL);
  rocksdb_ffm_cxx_ingest(&throwing, db, families, 2, &error); /* the text of its failure throws */
  refused(&error, "Operation aborted");
  families[1].files = &file;
  rocksdb_ffm_cxx_ingest(&engine, db, families, 2, &error);
  stop_on("ingesting", error);
  for (int i = 0; i < 2; i++) {
    value = rocks.get_cf(db, read_options, i == 0 ? family : other, "t2", 2, &size, &error);
    CHECK_BYTES("two", 3, value, size);
    free(value);
  }
  rocks.ingestexternalfileoptions_destroy(how);
}

/* The description of a live file is the same after it was copied. */
static void exported_files(void) {
  const void* files = rocks.livefiles(db);
  rocksdb_ffm_cxx_exported_file first;
  rocksdb_ffm_cxx_exported_file second;
  rocksdb_ffm_cxx_exported_file_of(files, 0, &first);
  CHECK(first.size > 0 && first.entries > 0 && first.name.size > 0);
  void* copies = rocks.livefiles_create();
  void* copy = rocks.livefile_create();
  char* error = NULL;
  rocksdb_ffm_cxx_exported_file_fill(&engine, copy, &first, &error);
  stop_on("describing a file", error);
  rocks.livefiles_add(copies, copy);
  rocksdb_ffm_cxx_exported_file_of(copies, 0, &second);
  CHECK_BYTES(first.name.data, first.name.size, second.name.data, second.name.size);
  CHECK_BYTES(first.smallest.data, first.smallest.size, second.smallest.data, second.smallest.size);
  CHECK_BYTES(first.largest_key.data, first.largest_key.size, second.largest_key.data, second.largest_key.size);
  CHECK_EQUAL(first.size, second.size);
  CHECK_EQUAL(first.epoch, second.epoch);
  rocks.livefiles_destroy(copies);
  rocks.livefiles_destroy(files);
}

static void* watched_options(rocksdb_ffm_cxx_recovery* recovery) {
  void* options = rocks.options_create();
  rocks.options_set_create_if_missing(options, 1);
  rocks.options_set_uint64add_merge_operator(options);
  void (*ignore)(void) = rocksdb_ffm_cxx_recovery_ignore;
  void* listener = rocks.eventlistener_create(recovery, rocksdb_ffm_cxx_recovery_release, ignore, ignore, ignore,
                                              ignore, ignore, ignore, ignore, ignore, ignore, ignore);
  rocksdb_ffm_cxx_recovery_watch(recovery, listener);
  rocks.options_add_eventlistener(options, listener); /* which the options own from now on */
  return options;
}

static void background_errors(rocksdb_ffm_cxx_recovery* recovery) {
  char* error = NULL;
  CHECK_EQUAL(0, rocksdb_ffm_cxx_background_error(&engine, db, &error));
  free(error); /* work may be in progress */
  error = NULL;
  rocksdb_ffm_cxx_resume(&engine, db, &error);
  CHECK(error == NULL);
  rocksdb_ffm_cxx_recovery_sealed(recovery, NULL); /* nothing is resumed on this thread */
  CHECK_EQUAL(0, rocksdb_ffm_cxx_recovery_take_wanted(recovery));
  rocksdb_ffm_cxx_key key = {"k", {0}};
  CHECK(rocksdb_ffm_cxx_encryption_create(&throwing, &key, 1, &error) == NULL);
  refused(&error, "");
}

int main(int count, char** arguments) {
  stop_on("arguments", count == 3 ? NULL : "a shared librocksdb, and cxx-symbols.txt");
  cxx_engine_open(arguments[1], arguments[2], &engine);
  find_functions();
  stop_on("making a folder", mkdtemp(path) == NULL ? path : NULL);
  snprintf(table_path, sizeof(table_path), "%s.sst", path);
  memset(large, 'l', LARGE);

  char* error = NULL;
  rocksdb_ffm_cxx_recovery* recovery = rocksdb_ffm_cxx_recovery_create();
  void* options = watched_options(recovery);
  void* transaction_options = rocks.transactiondb_options_create();
  transaction_db = rocks.transactiondb_open(options, transaction_options, path, &error);
  stop_on("opening a database", error);
  db = rocks.transactiondb_get_base_db(transaction_db);
  family = rocks.get_default_column_family_handle(db);
  other = rocks.transactiondb_create_column_family(transaction_db, options, "other", &error);
  stop_on("creating a column family", error);
  read_options = rocks.readoptions_create();
  write_options = rocks.writeoptions_create();

  entities_and_keys();
  batches();
  operands();
  rows_and_ranges();
  exported_files();
  tables(options);
  background_errors(recovery);

  rocks.readoptions_destroy(read_options);
  rocks.writeoptions_destroy(write_options);
  rocks.column_family_handle_destroy(family);
  rocks.column_family_handle_destroy(other);
  rocks.transactiondb_close_base_db(db);
  rocks.transactiondb_close(transaction_db);
  rocks.transactiondb_options_destroy(transaction_options);
  rocks.options_destroy(options);
  rocksdb_ffm_cxx_recovery_release(recovery);
  options = rocks.options_create();
  rocks.destroy_db(options, path, &error);
  stop_on("removing the database", error);
  rocks.options_destroy(options);
  remove(table_path);
  return check_result();
}
