/* Licensed under the Apache License, Version 2.0; see LICENSE. */

#include <string.h>

#include "check.h"
#include "rocksdb_ffm.h"

int main(void) {
  char* memory = rocksdb_ffm_allocate(4096);
  CHECK(memory != NULL);
  memset(memory, 0x5a, 4096);
  rocksdb_ffm_free(memory);

  void* one = rocksdb_ffm_allocate(0);
  void* other = rocksdb_ffm_allocate(0);
  CHECK(one != NULL);
  CHECK(other != NULL);
  CHECK(one != other);
  rocksdb_ffm_free(one);
  rocksdb_ffm_free(other);

  rocksdb_ffm_free(NULL);
  CHECK(rocksdb_ffm_allocate(SIZE_MAX) == NULL);
  return check_result();
}
