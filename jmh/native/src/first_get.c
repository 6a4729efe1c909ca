/* Licensed under the Apache License, Version 2.0; see LICENSE. */

/*
 * Measures the time of a process without a JVM until the first value is read:
 *
 *   first_get ENGINE DATABASE OPTIONS CACHE_SIZE KEY
 *
 * The key has hexadecimal digits. Prints the nanoseconds for loading the engine, opening
 * the database, the first get and the second get, and the value's checksum.
 */

#define _XOPEN_SOURCE 700 /* clock_gettime */

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "bench.h"

enum { MOST_KEY_BYTES = 256 };

static int64_t now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

/* The table contains only function pointers. */
static int load(const char* path, bench_engine* engine) {
  void* library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  if (library == NULL) {
    fprintf(stderr, "%s\n", dlerror());
    return 0;
  }
  for (size_t i = 0; bench_function(i) != NULL; i++) {
    void* function = dlsym(library, bench_function(i));
    if (function == NULL) {
      fprintf(stderr, "%s has no %s\n", path, bench_function(i));
      return 0;
    }
    memcpy((char*)engine + i * sizeof(function), &function, sizeof(function));
  }
  return 1;
}

static size_t parse_key(const char* digits, char* key) {
  size_t size = strlen(digits) / 2;
  for (size_t i = 0; i < size && i < MOST_KEY_BYTES; i++) {
    const char pair[] = {digits[2 * i], digits[2 * i + 1], '\0'};
    key[i] = (char)strtol(pair, NULL, 16);
  }
  return size < MOST_KEY_BYTES ? size : MOST_KEY_BYTES;
}

int main(int count, char** arguments) {
  int64_t started = now();
  if (count != 6) {
    fprintf(stderr, "usage: first_get ENGINE DATABASE OPTIONS CACHE_SIZE KEY\n");
    return 2;
  }
  bench_engine engine;
  if (!load(arguments[1], &engine)) {
    return 1;
  }
  int64_t loaded = now();
  bench_database* database =
      bench_open(&engine, arguments[2], arguments[3], strtoull(arguments[4], NULL, 10), 0, 0,
                 BENCH_NO_TRANSACTIONS, 0);
  if (database == NULL) {
    return 1;
  }
  int64_t opened = now();
  char key[MOST_KEY_BYTES];
  bench_work work = {.database = database, .keys = key, .key_count = 1, .count = 1};
  work.key_size = parse_key(arguments[5], key);
  int64_t sum = bench_get_copied(&work);
  int64_t got = now();
  int64_t sum_again = bench_get_copied(&work);
  int64_t got_again = now();
  printf("%lld %lld %lld %lld %lld\n", (long long)(loaded - started), (long long)(opened - loaded),
         (long long)(got - opened), (long long)(got_again - got), (long long)sum);
  fflush(stdout);
  bench_close(database);
  return sum == BENCH_FAILED || sum != sum_again;
}
