/* Licensed under the Apache License, Version 2.0; see LICENSE. */

#include "check.h"

#include <stdio.h>
#include <string.h>

static int failures;

static void fail(const char* file, int line) {
  failures++;
  fprintf(stderr, "%s:%d: ", file, line);
}

void check_true(int holds, const char* condition, const char* file, int line) {
  if (!holds) {
    fail(file, line);
    fprintf(stderr, "does not hold: %s\n", condition);
  }
}

void check_equal(long long expected, long long actual, const char* what, const char* file,
                 int line) {
  if (expected != actual) {
    fail(file, line);
    fprintf(stderr, "%s is %lld, expected %lld\n", what, actual, expected);
  }
}

void check_bytes(const void* expected, size_t expected_size, const void* actual, size_t actual_size,
                 const char* what, const char* file, int line) {
  if (expected_size != actual_size) {
    fail(file, line);
    fprintf(stderr, "%s has %zu bytes, expected %zu\n", what, actual_size, expected_size);
  } else if (expected_size != 0 && (actual == NULL || memcmp(expected, actual, expected_size) != 0)) {
    fail(file, line);
    fprintf(stderr, "%s has other bytes than expected\n", what);
  }
}

void check_text(const char* expected, const char* actual, const char* what, const char* file,
                int line) {
  int same = expected == NULL || actual == NULL ? expected == actual : strcmp(expected, actual) == 0;
  if (!same) {
    fail(file, line);
    fprintf(stderr, "%s is \"%s\", expected \"%s\"\n", what, actual == NULL ? "NULL" : actual,
            expected == NULL ? "NULL" : expected);
  }
}

int check_result(void) {
  if (failures != 0) {
    fprintf(stderr, "%d checks failed\n", failures);
  }
  return failures != 0;
}
