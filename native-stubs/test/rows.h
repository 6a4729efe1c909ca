/* Licensed under the Apache License, Version 2.0; see LICENSE. */

#ifndef ROWS_H
#define ROWS_H

#include "rocksdb_ffm.h"

typedef struct scanned_row {
  rocksdb_ffm_slice key;
  rocksdb_ffm_slice value;
} scanned_row;

/* Returns row `index` of the block that was read last, packed or large. */
scanned_row row_at(const rocksdb_ffm_cursor* cursor, size_t index);

/* Checks that the packed rows end where the cursor says. */
void check_packed_size(const rocksdb_ffm_cursor* cursor);

#endif
