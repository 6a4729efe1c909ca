/* Licensed under the Apache License, Version 2.0; see LICENSE. */

/* An encrypted database with a real engine, and a call that resumes writes. */

#define _XOPEN_SOURCE 700 /* mkdtemp */

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "cxx_engine.h"

#define ROWS 2000
#define SECRET "a secret of four words"

typedef struct rocksdb_options_t rocksdb_options_t;
typedef struct rocksdb_readoptions_t rocksdb_readoptions_t;
typedef struct rocksdb_writeoptions_t rocksdb_writeoptions_t;
typedef struct rocksdb_flushoptions_t rocksdb_flushoptions_t;

static rocksdb_ffm_cxx_engine engine;
static char path[] = "rocksdb_ffm_test_XXXXXX";

static rocksdb_options_t* (*options_create)(void);
static void (*options_destroy)(rocksdb_options_t*);
static void (*options_set_create_if_missing)(rocksdb_options_t*, unsigned char);
static void (*options_set_env)(rocksdb_options_t*, rocksdb_env_t*);
static rocksdb_t* (*open_db)(const rocksdb_options_t*, const char*, char**);
static void (*close_db)(rocksdb_t*);
static void (*destroy_db)(const rocksdb_options_t*, const char*, char**);
static rocksdb_readoptions_t* (*readoptions_create)(void);
static void (*readoptions_destroy)(rocksdb_readoptions_t*);
static rocksdb_writeoptions_t* (*writeoptions_create)(void);
static void (*writeoptions_destroy)(rocksdb_writeoptions_t*);
static void (*put)(rocksdb_t*, const rocksdb_writeoptions_t*, const char*, size_t, const char*, size_t, char**);
static char* (*get)(rocksdb_t*, const rocksdb_readoptions_t*, const char*, size_t, size_t*, char**);
static rocksdb_flushoptions_t* (*flushoptions_create)(void);
static void (*flushoptions_destroy)(rocksdb_flushoptions_t*);
static void (*flush)(rocksdb_t*, const rocksdb_flushoptions_t*, char**);
static void (*free_memory)(void*);

static void find_functions(void) {
  cxx_engine_find(&options_create, "rocksdb_options_create");
  cxx_engine_find(&options_destroy, "rocksdb_options_destroy");
  cxx_engine_find(&options_set_create_if_missing, "rocksdb_options_set_create_if_missing");
  cxx_engine_find(&options_set_env, "rocksdb_options_set_env");
  cxx_engine_find(&open_db, "rocksdb_open");
  cxx_engine_find(&close_db, "rocksdb_close");
  cxx_engine_find(&destroy_db, "rocksdb_destroy_db");
  cxx_engine_find(&readoptions_create, "rocksdb_readoptions_create");
  cxx_engine_find(&readoptions_destroy, "rocksdb_readoptions_destroy");
  cxx_engine_find(&writeoptions_create, "rocksdb_writeoptions_create");
  cxx_engine_find(&writeoptions_destroy, "rocksdb_writeoptions_destroy");
  cxx_engine_find(&put, "rocksdb_put");
  cxx_engine_find(&get, "rocksdb_get");
  cxx_engine_find(&flushoptions_create, "rocksdb_flushoptions_create");
  cxx_engine_find(&flushoptions_destroy, "rocksdb_flushoptions_destroy");
  cxx_engine_find(&flush, "rocksdb_flush");
  cxx_engine_find(&free_memory, "rocksdb_free");
}

static rocksdb_ffm_cxx_encryption* with_key(unsigned char byte) {
  rocksdb_ffm_cxx_key key = {"k1", {0}};
  memset(key.bytes, byte, sizeof(key.bytes));
  char* error = NULL;
  rocksdb_ffm_cxx_encryption* encryption = rocksdb_ffm_cxx_encryption_create(&engine, &key, 1, &error);
  stop_on("creating an encryption", error);
  return encryption;
}

static rocksdb_t* opened(rocksdb_ffm_cxx_encryption* encryption, char** error) {
  rocksdb_options_t* options = options_create();
  options_set_create_if_missing(options, 1);
  options_set_env(options, rocksdb_ffm_cxx_encryption_env(encryption));
  rocksdb_t* db = open_db(options, path, error);
  options_destroy(options);
  return db;
}

static void row(int i, char* key, size_t size) { snprintf(key, size, SECRET " %d", i); }

static void write_rows(rocksdb_t* db, int from, int to) {
  rocksdb_writeoptions_t* options = writeoptions_create();
  char key[60];
  char* error = NULL;
  for (int i = from; i < to; i++) {
    row(i, key, sizeof(key));
    put(db, options, key, strlen(key), key, strlen(key), &error);
    stop_on("putting a row", error);
  }
  writeoptions_destroy(options);
}

static void flush_rows(rocksdb_t* db) {
  rocksdb_flushoptions_t* options = flushoptions_create();
  char* error = NULL;
  flush(db, options, &error);
  stop_on("flushing", error);
  flushoptions_destroy(options);
}

static void rows_are_there(rocksdb_t* db) {
  rocksdb_readoptions_t* options = readoptions_create();
  char key[60];
  char* error = NULL;
  for (int i = 0; i < ROWS; i++) {
    row(i, key, sizeof(key));
    size_t size = 0;
    char* value = get(db, options, key, strlen(key), &size, &error);
    stop_on("getting a row", error);
    CHECK_BYTES(key, strlen(key), value, size);
    free_memory(value);
  }
  readoptions_destroy(options);
}

static int contains(const char* bytes, size_t size, const char* text) {
  size_t length = strlen(text);
  for (size_t i = 0; i + length <= size; i++) {
    if (memcmp(bytes + i, text, length) == 0) {
      return 1;
    }
  }
  return 0;
}

/* Each file is empty, or has a prefix and no plain row; only the right key can read the prefix. */
static void each_file_is_encrypted(const rocksdb_ffm_cxx_encryption* right, const rocksdb_ffm_cxx_encryption* wrong) {
  DIR* folder = opendir(path);
  stop_on(path, folder == NULL ? "cannot be listed" : NULL);
  int count = 0;
  for (struct dirent* entry = readdir(folder); entry != NULL; entry = readdir(folder)) {
    char name[600];
    snprintf(name, sizeof(name), "%s/%s", path, entry->d_name);
    FILE* file = entry->d_name[0] == '.' ? NULL : fopen(name, "rb");
    if (file == NULL) {
      continue;
    }
    char* bytes = malloc(1 << 20);
    size_t size = fread(bytes, 1, 1 << 20, file);
    fclose(file);
    if (size > 0) {
      count++;
      CHECK(size >= ROCKSDB_FFM_CXX_PREFIX);
      CHECK_EQUAL(ROCKSDB_FFM_CXX_READABLE, rocksdb_ffm_cxx_check(right, (unsigned char*)bytes, size));
      CHECK_EQUAL(ROCKSDB_FFM_CXX_WRONG_KEY, rocksdb_ffm_cxx_check(wrong, (unsigned char*)bytes, size));
      CHECK(!contains(bytes, size, "secret"));
    }
    free(bytes);
  }
  closedir(folder);
  CHECK(count >= 5); /* CURRENT, IDENTITY, MANIFEST, OPTIONS, LOG, and tables */
}

static void a_prefix_of_the_caller_is_readable_and_differs(const rocksdb_ffm_cxx_encryption* encryption) {
  unsigned char first[ROCKSDB_FFM_CXX_PREFIX];
  unsigned char second[ROCKSDB_FFM_CXX_PREFIX];
  CHECK_EQUAL(1, rocksdb_ffm_cxx_new_prefix(encryption, first));
  CHECK_EQUAL(1, rocksdb_ffm_cxx_new_prefix(encryption, second));
  CHECK_EQUAL(ROCKSDB_FFM_CXX_READABLE, rocksdb_ffm_cxx_check(encryption, first, sizeof(first)));
  CHECK(memcmp(first, second, sizeof(first)) != 0);
  unsigned char text[] = SECRET;
  rocksdb_ffm_cxx_decrypt(encryption, first, ROCKSDB_FFM_CXX_PREFIX, text, sizeof(text));
  CHECK(memcmp(text, SECRET, sizeof(text)) != 0);
  rocksdb_ffm_cxx_decrypt(encryption, first, ROCKSDB_FFM_CXX_PREFIX, text, sizeof(text));
  CHECK_TEXT(SECRET, (char*)text);
}

static void destroy_files(rocksdb_ffm_cxx_encryption* encryption) {
  rocksdb_options_t* options = options_create();
  options_set_env(options, rocksdb_ffm_cxx_encryption_env(encryption));
  char* error = NULL;
  destroy_db(options, path, &error);
  stop_on("removing the database", error);
  options_destroy(options);
}

int main(int count, char** arguments) {
  stop_on("arguments", count == 3 ? NULL : "a shared librocksdb, and cxx-symbols.txt");
  cxx_engine_open(arguments[1], arguments[2], &engine);
  find_functions();
  stop_on("making a folder", mkdtemp(path) == NULL ? path : NULL);

  rocksdb_ffm_cxx_encryption* right = with_key(1);
  rocksdb_ffm_cxx_encryption* wrong = with_key(2);
  char* error = NULL;
  rocksdb_t* db = opened(right, &error);
  stop_on("opening a database", error);
  write_rows(db, 0, ROWS / 2);
  flush_rows(db);
  write_rows(db, ROWS / 2, ROWS);
  rows_are_there(db);
  rocksdb_ffm_cxx_resume(&engine, db, &error); /* writes are accepted, so there is nothing to do */
  CHECK(error == NULL);
  close_db(db);
  each_file_is_encrypted(right, wrong);

  CHECK(opened(wrong, &error) == NULL);
  CHECK(error != NULL);
  free_memory(error);
  error = NULL;

  db = opened(right, &error);
  stop_on("opening the database again", error);
  rows_are_there(db);
  close_db(db);
  a_prefix_of_the_caller_is_readable_and_differs(right);
  destroy_files(right);
  rocksdb_ffm_cxx_encryption_destroy(right);
  rocksdb_ffm_cxx_encryption_destroy(wrong);
  return check_result();
}
