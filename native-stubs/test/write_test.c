/* Licensed under the Apache License, Version 2.0; see LICENSE. */

#include <stdlib.h>

#include "check.h"
#include "fake_engine.h"

static char db_place;
static char options_place;

static char* write_bytes(const char* bytes, size_t size, char* error) {
  rocksdb_ffm_write(&fake_engine, (rocksdb_t*)(void*)&db_place,
                    (const rocksdb_writeoptions_t*)(void*)&options_place, bytes, size, &error);
  CHECK(calls.db == &db_place);
  CHECK(calls.options == &options_place);
  CHECK_BYTES(bytes, size, calls.batch, calls.batch_size);
  CHECK_EQUAL(0, calls.live_batches);
  return error;
}

int main(void) {
  const char bytes[] = "\0\0\0\0\0\0\0\0\1\0\0\0 with\0zeros";
  CHECK(write_bytes(bytes, sizeof(bytes), NULL) == NULL);
  CHECK(write_bytes(bytes, 12, NULL) == NULL);
  CHECK(write_bytes(NULL, 0, NULL) == NULL);

  write_error = "IO error: no space";
  char* error = write_bytes(bytes, sizeof(bytes), NULL);
  CHECK_TEXT("IO error: no space", error);
  error = write_bytes(bytes, sizeof(bytes), error); /* the engine frees the first message */
  CHECK_TEXT("IO error: no space", error);
  free(error);
  return check_result();
}
