/* Licensed under the Apache License, Version 2.0; see LICENSE. */

#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "fake_engine.h"
#include "rows.h"

#define HEADER (2 * sizeof(uint32_t))
#define ALL SIZE_MAX

static const fake_row rows[] = {
    FAKE_ROW("", "nil"), FAKE_ROW("b", "two"), FAKE_ROW("d", ""), FAKE_ROW("f", "four")};
static rocksdb_iterator_t iterator;

/* The buffer is allocated with its exact size, so that a sanitizer reports overflows. */
static rocksdb_ffm_cursor open_over(const fake_row* of, size_t count, size_t capacity,
                                    size_t inline_limit) {
  rocksdb_ffm_cursor cursor;
  memset(&cursor, 0x5a, sizeof(cursor));
  iterator = (rocksdb_iterator_t){of, count, count, 0};
  cursor.engine = &fake_engine;
  cursor.iterator = &iterator;
  cursor.buffer = capacity == 0 ? NULL : malloc(capacity);
  cursor.capacity = capacity;
  cursor.inline_limit = inline_limit;
  return cursor;
}

static rocksdb_ffm_cursor open_cursor(size_t capacity, size_t inline_limit) {
  return open_over(rows, sizeof(rows) / sizeof(rows[0]), capacity, inline_limit);
}

static void check_row(const rocksdb_ffm_cursor* cursor, size_t index, const fake_row* expected) {
  const scanned_row row = row_at(cursor, index);
  CHECK_BYTES(expected->key.data, expected->key.size, row.key.data, row.key.size);
  CHECK_BYTES(expected->value.data, expected->value.size, row.value.data, row.value.size);
}

static void check_block(const rocksdb_ffm_cursor* cursor, int64_t result, size_t count,
                        int64_t ahead) {
  CHECK_EQUAL(count, result);
  CHECK_EQUAL(count, cursor->row_count);
  CHECK_EQUAL(ahead, cursor->ahead);
  CHECK(cursor->error == NULL);
  CHECK(cursor->large_key.data == NULL);
  CHECK(cursor->large_value.data == NULL);
  check_packed_size(cursor);
}

static void check_pointed_at(const rocksdb_ffm_cursor* cursor, int64_t result,
                             const fake_row* expected) {
  CHECK_EQUAL(1, result);
  CHECK_EQUAL(1, cursor->row_count);
  CHECK_EQUAL(0, cursor->packed_size);
  CHECK_EQUAL(0, cursor->ahead);
  CHECK(cursor->large_key.data == expected->key.data);
  CHECK(cursor->large_key.size == expected->key.size);
  CHECK(cursor->large_value.data == expected->value.data);
  CHECK(cursor->large_value.size == expected->value.size);
}

static int64_t scan(rocksdb_ffm_cursor* cursor, int32_t move, size_t row_limit) {
  return rocksdb_ffm_scan(cursor, move, NULL, 0, row_limit, 0);
}

static int64_t scan_backward(rocksdb_ffm_cursor* cursor, int32_t move, size_t row_limit) {
  return rocksdb_ffm_scan(cursor, move, NULL, 0, row_limit, 1);
}

static void reads_all_forward(void) {
  rocksdb_ffm_cursor cursor = open_cursor(1000, 1000);
  check_block(&cursor, scan(&cursor, ROCKSDB_FFM_FIRST, ALL), 4, 0);
  for (size_t i = 0; i < 4; i++) {
    check_row(&cursor, i, &rows[i]);
  }
  check_block(&cursor, scan(&cursor, ROCKSDB_FFM_STAY, ALL), 0, 0);
  free(cursor.buffer);
}

static void reads_all_backward(void) {
  rocksdb_ffm_cursor cursor = open_cursor(1000, 1000);
  check_block(&cursor, scan_backward(&cursor, ROCKSDB_FFM_LAST, ALL), 4, 0);
  for (size_t i = 0; i < 4; i++) {
    check_row(&cursor, i, &rows[3 - i]);
  }
  free(cursor.buffer);
}

static void reads_nothing_of_nothing(void) {
  rocksdb_ffm_cursor cursor = open_over(rows, 0, 100, 100);
  check_block(&cursor, scan(&cursor, ROCKSDB_FFM_FIRST, ALL), 0, 0);
  check_block(&cursor, scan_backward(&cursor, ROCKSDB_FFM_LAST, ALL), 0, 0);
  check_block(&cursor, scan(&cursor, ROCKSDB_FFM_STAY, 0), 0, 0);
  free(cursor.buffer);
}

/* Like a plain iterator: one row for each call, and the iterator stays at the row that was read. */
static void moves_row_by_row(void) {
  rocksdb_ffm_cursor cursor = open_cursor(1000, 1000);
  check_block(&cursor, scan(&cursor, ROCKSDB_FFM_FIRST, 1), 1, 0);
  check_row(&cursor, 0, &rows[0]);
  CHECK_EQUAL(0, iterator.position);
  check_block(&cursor, scan(&cursor, ROCKSDB_FFM_NEXT, 1), 1, 0);
  check_row(&cursor, 0, &rows[1]);
  check_block(&cursor, scan(&cursor, ROCKSDB_FFM_STAY, 1), 1, 0);
  check_row(&cursor, 0, &rows[1]);
  check_block(&cursor, scan(&cursor, ROCKSDB_FFM_LAST, 1), 1, 0);
  check_row(&cursor, 0, &rows[3]);
  check_block(&cursor, scan_backward(&cursor, ROCKSDB_FFM_PREV, 1), 1, 0);
  check_row(&cursor, 0, &rows[2]);
  CHECK_EQUAL(2, iterator.position);
  CHECK_EQUAL(2, iterator.steps);
  check_block(&cursor, scan(&cursor, 99, 1), 1, 0);
  check_row(&cursor, 0, &rows[2]);
  free(cursor.buffer);
}

static void check_seek(rocksdb_ffm_cursor* cursor, int32_t move, const char* target,
                       const fake_row* expected) {
  int64_t result = rocksdb_ffm_scan(cursor, move, target, strlen(target), 1, 0);
  check_block(cursor, result, expected != NULL, 0);
  if (expected != NULL) {
    check_row(cursor, 0, expected);
  }
}

static void seeks(void) {
  rocksdb_ffm_cursor cursor = open_cursor(1000, 1000);
  check_seek(&cursor, ROCKSDB_FFM_SEEK, "b", &rows[1]);
  check_seek(&cursor, ROCKSDB_FFM_SEEK, "c", &rows[2]);
  check_seek(&cursor, ROCKSDB_FFM_SEEK, "", &rows[0]);
  check_seek(&cursor, ROCKSDB_FFM_SEEK, "g", NULL);
  check_seek(&cursor, ROCKSDB_FFM_SEEK_FOR_PREV, "b", &rows[1]);
  check_seek(&cursor, ROCKSDB_FFM_SEEK_FOR_PREV, "c", &rows[1]);
  check_seek(&cursor, ROCKSDB_FFM_SEEK_FOR_PREV, "", &rows[0]);
  check_seek(&cursor, ROCKSDB_FFM_SEEK_FOR_PREV, "g", &rows[3]);
  iterator.rows = rows + 1;
  iterator.row_count = 3;
  check_seek(&cursor, ROCKSDB_FFM_SEEK_FOR_PREV, "a", NULL);
  free(cursor.buffer);
}

static void stops_at_the_row_limit(void) {
  rocksdb_ffm_cursor cursor = open_cursor(1000, 1000);
  check_block(&cursor, scan(&cursor, ROCKSDB_FFM_FIRST, 3), 3, 0);
  CHECK_EQUAL(2, iterator.position);
  check_block(&cursor, scan(&cursor, ROCKSDB_FFM_NEXT, 3), 1, 0);
  check_row(&cursor, 0, &rows[3]);
  check_block(&cursor, scan(&cursor, ROCKSDB_FFM_FIRST, 4), 4, 0);
  CHECK_EQUAL(3, iterator.position);
  free(cursor.buffer);
}

static void a_limit_of_zero_only_moves(void) {
  rocksdb_ffm_cursor cursor = open_cursor(1000, 1000);
  check_block(&cursor, scan(&cursor, ROCKSDB_FFM_FIRST, 0), 0, 1);
  check_block(&cursor, scan(&cursor, ROCKSDB_FFM_NEXT, 0), 0, 1);
  CHECK_EQUAL(1, iterator.position);
  check_block(&cursor, scan(&cursor, ROCKSDB_FFM_STAY, 1), 1, 0);
  check_row(&cursor, 0, &rows[1]);
  free(cursor.buffer);
}

/* The first two rows need this many bytes. */
#define TWO_ROWS (2 * HEADER + 3 + 4)

static void packs_to_the_last_byte(void) {
  rocksdb_ffm_cursor cursor = open_cursor(TWO_ROWS, 1000);
  check_block(&cursor, scan(&cursor, ROCKSDB_FFM_FIRST, ALL), 2, 1);
  CHECK_EQUAL(TWO_ROWS, cursor.packed_size);
  check_row(&cursor, 1, &rows[1]);
  CHECK_EQUAL(2, iterator.position);
  check_block(&cursor, scan(&cursor, ROCKSDB_FFM_STAY, ALL), 2, 0);
  check_row(&cursor, 0, &rows[2]);
  check_row(&cursor, 1, &rows[3]);
  free(cursor.buffer);
}

static void stops_one_byte_short(void) {
  rocksdb_ffm_cursor cursor = open_cursor(TWO_ROWS - 1, 1000);
  check_block(&cursor, scan(&cursor, ROCKSDB_FFM_FIRST, ALL), 1, 1);
  check_row(&cursor, 0, &rows[0]);
  check_block(&cursor, scan(&cursor, ROCKSDB_FFM_STAY, ALL), 2, 1);
  check_row(&cursor, 0, &rows[1]);
  free(cursor.buffer);
}

static void is_ahead_backward_too(void) {
  rocksdb_ffm_cursor cursor = open_cursor(TWO_ROWS - 1, 1000);
  check_block(&cursor, scan_backward(&cursor, ROCKSDB_FFM_LAST, ALL), 2, 1);
  check_row(&cursor, 0, &rows[3]);
  check_row(&cursor, 1, &rows[2]);
  CHECK_EQUAL(1, iterator.position);
  check_block(&cursor, scan_backward(&cursor, ROCKSDB_FFM_STAY, ALL), 1, 1);
  check_row(&cursor, 0, &rows[1]);
  free(cursor.buffer);
}

/* With each capacity, rows that do not fit are pointed at or are in the next block. */
static void loses_no_row_at_any_capacity(void) {
  for (size_t capacity = 0; capacity < 64; capacity++) {
    for (size_t inline_limit = 0; inline_limit < 8; inline_limit++) {
      rocksdb_ffm_cursor cursor = open_cursor(capacity, inline_limit);
      size_t read = 0;
      int32_t move = ROCKSDB_FFM_FIRST;
      while (scan(&cursor, move, ALL) != 0) {
        check_packed_size(&cursor);
        for (size_t i = 0; i < cursor.row_count && read < 4; i++) {
          check_row(&cursor, i, &rows[read++]);
        }
        if (!cursor.ahead && iterator.position >= iterator.row_count) {
          break;
        }
        move = cursor.ahead ? ROCKSDB_FFM_STAY : ROCKSDB_FFM_NEXT;
      }
      CHECK_EQUAL(4, read);
      free(cursor.buffer);
    }
  }
}

/* Includes the sizes that copy() handles separately. The buffer ends with the row. */
static void packs_keys_and_values_of_any_size(void) {
  char bytes[64];
  for (size_t i = 0; i < sizeof(bytes); i++) {
    bytes[i] = (char)(i * 7 + 1);
  }
  for (size_t key_size = 0; key_size < 24; key_size++) {
    for (size_t value_size = 0; value_size < 24; value_size++) {
      char* key = malloc(key_size + 1);
      char* value = malloc(value_size + 1);
      memcpy(key + 1, bytes, key_size); /* unaligned, and at the end of the memory */
      memcpy(value + 1, bytes + 32, value_size);
      const fake_row row = {{key + 1, key_size}, {value + 1, value_size}, NULL};
      rocksdb_ffm_cursor cursor = open_over(&row, 1, HEADER + key_size + value_size, 1000);
      check_block(&cursor, scan(&cursor, ROCKSDB_FFM_FIRST, 1), 1, 0);
      check_row(&cursor, 0, &row);
      free(cursor.buffer);
      free(value);
      free(key);
    }
  }
}

static void points_at_a_row_without_room(void) {
  rocksdb_ffm_cursor cursor = open_cursor(HEADER + 2, 1000);
  check_pointed_at(&cursor, scan(&cursor, ROCKSDB_FFM_FIRST, ALL), &rows[0]);
  CHECK_EQUAL(0, iterator.position);
  check_pointed_at(&cursor, scan(&cursor, ROCKSDB_FFM_NEXT, ALL), &rows[1]);
  check_block(&cursor, scan(&cursor, ROCKSDB_FFM_NEXT, ALL), 1, 1);
  check_pointed_at(&cursor, scan(&cursor, ROCKSDB_FFM_STAY, ALL), &rows[3]);
  check_block(&cursor, scan(&cursor, ROCKSDB_FFM_NEXT, ALL), 0, 0);
  free(cursor.buffer);
}

static void points_above_the_inline_limit(void) {
  rocksdb_ffm_cursor cursor = open_cursor(1000, 4);
  check_block(&cursor, scan(&cursor, ROCKSDB_FFM_FIRST, ALL), 3, 1);
  check_pointed_at(&cursor, scan(&cursor, ROCKSDB_FFM_STAY, ALL), &rows[3]);
  cursor.inline_limit = 5;
  check_block(&cursor, scan(&cursor, ROCKSDB_FFM_FIRST, ALL), 4, 0);
  cursor.inline_limit = 0;
  check_pointed_at(&cursor, scan(&cursor, ROCKSDB_FFM_FIRST, ALL), &rows[0]);
  free(cursor.buffer);
}

static void counts_the_key_for_the_inline_limit(void) {
  const fake_row long_key = FAKE_ROW("12345", "");
  rocksdb_ffm_cursor cursor = open_over(&long_key, 1, 1000, 4);
  check_pointed_at(&cursor, scan(&cursor, ROCKSDB_FFM_FIRST, ALL), &long_key);
  cursor.inline_limit = 5;
  check_block(&cursor, scan(&cursor, ROCKSDB_FFM_FIRST, ALL), 1, 0);
  free(cursor.buffer);
}

static void needs_no_buffer(void) {
  rocksdb_ffm_cursor cursor = open_cursor(0, 1000);
  check_pointed_at(&cursor, scan(&cursor, ROCKSDB_FFM_FIRST, ALL), &rows[0]);
  check_pointed_at(&cursor, scan(&cursor, ROCKSDB_FFM_NEXT, ALL), &rows[1]);
}

/* The sizes are larger than the memory: copying a row, because a sum overflows or a size is truncated
   to 32 bits, would crash. */
static void points_at_the_largest_sizes(void) {
  const size_t sizes[] = {SIZE_MAX,          SIZE_MAX - 1,      SIZE_MAX - HEADER,
                          SIZE_MAX - 2 * HEADER, SIZE_MAX / 2 + 1, (size_t)UINT32_MAX + 1,
                          (size_t)UINT32_MAX + 2};
  const size_t limits[] = {100, UINT32_MAX, SIZE_MAX};
  const size_t count = sizeof(sizes) / sizeof(sizes[0]);
  for (size_t i = 0; i < count * count * 3; i++) {
    const size_t key_size = sizes[i % count];
    const size_t value_size = sizes[i / count % count];
    const fake_row huge[] = {{{"k", key_size}, {"v", 1}, NULL},
                             {{"k", 1}, {"v", value_size}, NULL},
                             {{"k", key_size}, {"v", value_size}, NULL}};
    rocksdb_ffm_cursor cursor = open_over(huge, 3, 100, limits[i / (count * count)]);
    check_pointed_at(&cursor, scan(&cursor, ROCKSDB_FFM_FIRST, ALL), &huge[0]);
    check_pointed_at(&cursor, scan(&cursor, ROCKSDB_FFM_NEXT, ALL), &huge[1]);
    check_pointed_at(&cursor, scan(&cursor, ROCKSDB_FFM_NEXT, ALL), &huge[2]);
    free(cursor.buffer);
  }
}

/* The capacity is sufficient, but the value's size does not fit into the header's 32 bits. */
static void points_at_what_the_header_cannot_say(void) {
  const fake_row huge = {{"k", 1}, {"v", (size_t)UINT32_MAX + 1}, NULL};
  rocksdb_ffm_cursor cursor = open_over(&huge, 1, 0, SIZE_MAX);
  cursor.capacity = SIZE_MAX;
  check_pointed_at(&cursor, scan(&cursor, ROCKSDB_FFM_FIRST, ALL), &huge);
}

static void gives_up_the_block_for_an_error(void) {
  const fake_row torn[] = {FAKE_ROW("a", "1"), FAKE_ROW("b", "2"),
                           FAKE_FAILURE("c", "Corruption: torn block"), FAKE_ROW("d", "4")};
  rocksdb_ffm_cursor cursor = open_over(torn, 4, 1000, 1000);
  CHECK_EQUAL(0, scan(&cursor, ROCKSDB_FFM_FIRST, ALL));
  CHECK_EQUAL(0, cursor.row_count);
  CHECK_EQUAL(0, cursor.packed_size);
  CHECK_EQUAL(0, cursor.ahead);
  CHECK_TEXT("Corruption: torn block", cursor.error);
  free(cursor.error);

  CHECK_EQUAL(0, scan_backward(&cursor, ROCKSDB_FFM_LAST, ALL));
  CHECK_TEXT("Corruption: torn block", cursor.error);
  free(cursor.error);

  check_block(&cursor, scan(&cursor, ROCKSDB_FFM_FIRST, 2), 2, 0);
  CHECK_EQUAL(0, scan(&cursor, ROCKSDB_FFM_NEXT, 0));
  CHECK_TEXT("Corruption: torn block", cursor.error);
  free(cursor.error);
  check_block(&cursor, scan(&cursor, ROCKSDB_FFM_LAST, 1), 1, 0);
  free(cursor.buffer);
}

int main(void) {
  reads_all_forward();
  reads_all_backward();
  reads_nothing_of_nothing();
  moves_row_by_row();
  seeks();
  stops_at_the_row_limit();
  a_limit_of_zero_only_moves();
  packs_to_the_last_byte();
  stops_one_byte_short();
  is_ahead_backward_too();
  loses_no_row_at_any_capacity();
  packs_keys_and_values_of_any_size();
  points_at_a_row_without_room();
  points_above_the_inline_limit();
  counts_the_key_for_the_inline_limit();
  needs_no_buffer();
  points_at_the_largest_sizes();
  points_at_what_the_header_cannot_say();
  gives_up_the_block_for_an_error();
  return check_result();
}
