/* Licensed under the Apache License, Version 2.0; see LICENSE. */

#include "cxx_engine.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"

/* Stays open: LeakSanitizer finds the engine's memory through the library's globals. */
static void* library;

void stop_on(const char* doing, const char* problem) {
  if (problem != NULL) {
    fprintf(stderr, "%s: %s\n", doing, problem);
    exit(1);
  }
}

static void* found(const char* name) {
  void* symbol = dlsym(library, name);
  stop_on(name, symbol == NULL ? "not in the engine" : NULL);
  return symbol;
}

/* Copies the pointer, because C cannot cast an object pointer to a function pointer. */
void cxx_engine_find(void* function, const char* name) {
  void* symbol = found(name);
  memcpy(function, &symbol, sizeof(symbol));
}

/* The members of rocksdb_ffm_cxx_engine have the order of the rows "function" of cxx-symbols.txt. */
void cxx_engine_open(const char* path, const char* symbols, rocksdb_ffm_cxx_engine* engine) {
  library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  stop_on("opening the engine", library == NULL ? dlerror() : NULL);
  FILE* file = fopen(symbols, "r");
  stop_on(symbols, file == NULL ? "cannot be read" : NULL);
  char row[1000];
  char symbol[1000];
  size_t count = 0;
  void** members = (void**)engine;
  while (fgets(row, sizeof(row), file) != NULL) {
    if (sscanf(row, "function %*s %999s", symbol) == 1) {
      stop_on(symbols, (count + 1) * sizeof(void*) > sizeof(*engine) ? "has too many functions" : NULL);
      members[count++] = found(symbol);
    }
  }
  fclose(file);
  CHECK_EQUAL(sizeof(*engine) / sizeof(void*), count);
}
