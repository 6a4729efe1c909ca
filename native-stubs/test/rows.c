/* Licensed under the Apache License, Version 2.0; see LICENSE. */

#include "rows.h"

#include <string.h>

#include "check.h"

static scanned_row unpack(const char* packed) {
  uint32_t sizes[2];
  memcpy(sizes, packed, sizeof(sizes));
  const char* key = packed + sizeof(sizes);
  const scanned_row row = {{key, sizes[0]}, {key + sizes[0], sizes[1]}};
  return row;
}

scanned_row row_at(const rocksdb_ffm_cursor* cursor, size_t index) {
  if (cursor->large_key.data != NULL) {
    const scanned_row row = {cursor->large_key, cursor->large_value};
    return row;
  }
  scanned_row row = unpack(cursor->buffer);
  for (size_t i = 0; i < index; i++) {
    row = unpack(row.value.data + row.value.size);
  }
  return row;
}

void check_packed_size(const rocksdb_ffm_cursor* cursor) {
  if (cursor->row_count == 0 || cursor->large_key.data != NULL) {
    CHECK_EQUAL(0, cursor->packed_size);
    return;
  }
  const scanned_row last = row_at(cursor, cursor->row_count - 1);
  CHECK_EQUAL(last.value.data + last.value.size - cursor->buffer, cursor->packed_size);
  CHECK(cursor->packed_size <= cursor->capacity);
}
