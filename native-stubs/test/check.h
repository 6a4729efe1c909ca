/* Licensed under the Apache License, Version 2.0; see LICENSE. */

#ifndef CHECK_H
#define CHECK_H

#include <stddef.h>

/* A failed check prints its location and condition. The test continues, and check_result returns 1. */
#define CHECK(condition) check_true((condition) != 0, #condition, __FILE__, __LINE__)
#define CHECK_EQUAL(expected, actual) \
  check_equal((long long)(expected), (long long)(actual), #actual, __FILE__, __LINE__)
#define CHECK_BYTES(expected, expected_size, actual, actual_size) \
  check_bytes(expected, expected_size, actual, actual_size, #actual, __FILE__, __LINE__)
#define CHECK_TEXT(expected, actual) check_text(expected, actual, #actual, __FILE__, __LINE__)

void check_true(int holds, const char* condition, const char* file, int line);
void check_equal(long long expected, long long actual, const char* what, const char* file, int line);
void check_bytes(const void* expected, size_t expected_size, const void* actual, size_t actual_size,
                 const char* what, const char* file, int line);
void check_text(const char* expected, const char* actual, const char* what, const char* file,
                int line);

/* The argument `kind_and_key_size` of a change. */
#define CHANGE(kind, key_size) ((uint64_t)(kind) << ROCKSDB_FFM_KIND_SHIFT | (key_size))

/* The result of main: 0 if all checks succeeded. */
int check_result(void);

#endif
