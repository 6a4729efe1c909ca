/* Licensed under the Apache License, Version 2.0; see LICENSE. */

#include <string.h>

#include "thread.h"

static void move_iterator(const rocksdb_ffm_cursor* cursor, int32_t move, const char* target,
                          size_t target_size) {
  const rocksdb_ffm_engine* engine = cursor->engine;
  switch (move) {
    case ROCKSDB_FFM_NEXT:
      /* The engine crashes if an iterator is moved that is not valid. */
      if (engine->iter_valid(cursor->iterator)) {
        engine->iter_next(cursor->iterator);
      }
      break;
    case ROCKSDB_FFM_PREV:
      if (engine->iter_valid(cursor->iterator)) {
        engine->iter_prev(cursor->iterator);
      }
      break;
    case ROCKSDB_FFM_FIRST:
      engine->iter_seek_to_first(cursor->iterator);
      break;
    case ROCKSDB_FFM_LAST:
      engine->iter_seek_to_last(cursor->iterator);
      break;
    case ROCKSDB_FFM_SEEK:
      engine->iter_seek(cursor->iterator, target, target_size);
      break;
    case ROCKSDB_FFM_SEEK_FOR_PREV:
      engine->iter_seek_for_prev(cursor->iterator, target, target_size);
      break;
    default:
      break;
  }
}

/* Most keys have 8 to 16 bytes: two words, which may overlap, are copied faster than by memcpy. */
static void copy(char* to, const char* from, size_t size) {
  if (size >= sizeof(uint64_t) && size <= 2 * sizeof(uint64_t)) {
    uint64_t first;
    uint64_t last;
    memcpy(&first, from, sizeof(first));
    memcpy(&last, from + size - sizeof(last), sizeof(last));
    memcpy(to, &first, sizeof(first));
    memcpy(to + size - sizeof(last), &last, sizeof(last));
  } else if (size != 0) {
    memcpy(to, from, size);
  }
}

/* Appends a row to the packed rows; 0 if it does not fit or is too large to be packed. */
static int pack(rocksdb_ffm_cursor* cursor, rocksdb_ffm_slice key, rocksdb_ffm_slice value) {
  const size_t header_size = 2 * sizeof(uint32_t);
  size_t room = cursor->capacity - cursor->packed_size;
  /* Sizes in the header have 32 bits. */
  size_t limit = cursor->inline_limit < UINT32_MAX ? cursor->inline_limit : UINT32_MAX;
  /* Compared one by one, because the sum of two sizes may overflow. */
  if (key.size > limit || value.size > limit - key.size || room < header_size ||
      key.size > room - header_size || value.size > room - header_size - key.size) {
    return 0;
  }
  char* row = cursor->buffer + cursor->packed_size;
  uint32_t header[2] = {(uint32_t)key.size, (uint32_t)value.size};
  memcpy(row, header, header_size);
  copy(row + header_size, key.data, key.size);
  copy(row + header_size + key.size, value.data, value.size);
  cursor->packed_size += header_size + key.size + value.size;
  return 1;
}

static void start_block(rocksdb_ffm_cursor* cursor) {
  const rocksdb_ffm_slice none = {NULL, 0};
  cursor->row_count = 0;
  cursor->packed_size = 0;
  cursor->large_key = none;
  cursor->large_value = none;
  cursor->ahead = 0;
  cursor->error = NULL;
}

int64_t rocksdb_ffm_scan(rocksdb_ffm_cursor* cursor, int32_t move, const char* target,
                         size_t target_size, size_t row_limit, int32_t backward) {
  const rocksdb_ffm_engine* engine = cursor->engine;
  rocksdb_iterator_t* iterator = cursor->iterator;
  void (*advance)(rocksdb_iterator_t*) = backward ? engine->iter_prev : engine->iter_next;

  stop_counting(engine);
  start_block(cursor);
  move_iterator(cursor, move, target, target_size);
  if (row_limit == 0 && engine->iter_valid(iterator)) {
    cursor->ahead = 1;
    return 0;
  }
  while (engine->iter_valid(iterator)) {
    rocksdb_ffm_slice key;
    rocksdb_ffm_slice value;
    key.data = engine->iter_key(iterator, &key.size);
    value.data = engine->iter_value(iterator, &value.size);
    if (!pack(cursor, key, value)) {
      if (cursor->row_count == 0) {
        cursor->large_key = key;
        cursor->large_value = value;
        cursor->row_count = 1;
      } else {
        cursor->ahead = 1;
      }
      return (int64_t)cursor->row_count;
    }
    cursor->row_count++;
    if (cursor->row_count >= row_limit) {
      return (int64_t)cursor->row_count;
    }
    advance(iterator);
  }

  /* The iterator is at the end of its range, or has failed. After a failure the block is
     empty, so that the caller does not take the failure for the end. */
  engine->iter_get_error(iterator, &cursor->error);
  if (cursor->error != NULL) {
    cursor->row_count = 0;
    cursor->packed_size = 0;
  }
  return (int64_t)cursor->row_count;
}
