/* Licensed under the Apache License, Version 2.0; see LICENSE. */

#include <string.h>

#include "thread.h"

static rocksdb_pinnableslice_t* lock(const rocksdb_ffm_reader* reader,
                                     rocksdb_column_family_handle_t* column_family, const char* key,
                                     size_t key_size, int exclusive, char** error) {
  return reader->engine->transaction_get_pinned_for_update_cf((rocksdb_transaction_t*)reader->db,
                                                              reader->options, column_family, key,
                                                              key_size, exclusive != 0, error);
}

/* Copies the pinned value and destroys the pin, or keeps the pin if the value does not fit. */
static int32_t take(const rocksdb_ffm_engine* engine, rocksdb_pinnableslice_t* pin, char* buffer,
                    size_t capacity, rocksdb_ffm_value* value) {
  if (pin == NULL) {
    return value->error == NULL ? ROCKSDB_FFM_NOT_FOUND : ROCKSDB_FFM_FAILED;
  }
  value->data = engine->pinnableslice_value(pin, &value->size);
  if (value->size > capacity) {
    value->pin = pin;
    return ROCKSDB_FFM_PINNED;
  }
  if (value->size != 0) {
    memcpy(buffer, value->data, value->size);
  }
  value->data = buffer;
  value->pin = NULL;
  engine->pinnableslice_destroy(pin);
  return ROCKSDB_FFM_COPIED;
}

int32_t rocksdb_ffm_get(const rocksdb_ffm_reader* reader, const char* key, size_t key_size,
                        char* buffer, size_t capacity, rocksdb_ffm_value* value) {
  const rocksdb_ffm_engine* engine = reader->engine;
  value->error = NULL;
  stop_counting(engine);
  rocksdb_pinnableslice_t* pin = engine->get_pinned_cf(
      reader->db, reader->options, reader->column_family, key, key_size, &value->error);
  return take(engine, pin, buffer, capacity, value);
}

static int32_t get_locked(const rocksdb_ffm_reader* reader, const char* key, size_t key_size,
                          int exclusive, char* buffer, size_t capacity, rocksdb_ffm_value* value) {
  value->error = NULL;
  stop_counting(reader->engine);
  rocksdb_pinnableslice_t* pin =
      lock(reader, reader->column_family, key, key_size, exclusive, &value->error);
  return take(reader->engine, pin, buffer, capacity, value);
}

int32_t rocksdb_ffm_get_for_update(const rocksdb_ffm_reader* reader, const char* key,
                                   size_t key_size, char* buffer, size_t capacity,
                                   rocksdb_ffm_value* value) {
  return get_locked(reader, key, key_size, 1, buffer, capacity, value);
}

int32_t rocksdb_ffm_get_to_share(const rocksdb_ffm_reader* reader, const char* key, size_t key_size,
                                 char* buffer, size_t capacity, rocksdb_ffm_value* value) {
  return get_locked(reader, key, key_size, 0, buffer, capacity, value);
}

int32_t rocksdb_ffm_get_into(const rocksdb_ffm_reader* reader, const char* key, size_t key_size,
                             char* buffer, size_t capacity, rocksdb_ffm_value* value) {
  unsigned char found = 0;
  stop_counting(reader->engine);
  value->error = NULL;
  reader->engine->get_into_buffer_cf(reader->db, reader->options, reader->column_family, key,
                                     key_size, buffer, capacity, &value->size, &found,
                                     &value->error);
  if (found) {
    return ROCKSDB_FFM_COPIED;
  }
  return value->error == NULL ? ROCKSDB_FFM_NOT_FOUND : ROCKSDB_FFM_FAILED;
}

static void pin_one_by_one(const rocksdb_ffm_reader* reader, const rocksdb_ffm_group* group,
                           const rocksdb_ffm_slice* keys, rocksdb_pinnableslice_t** pins,
                           char** errors, int32_t order) {
  for (size_t i = 0; i < group->key_count; i++) {
    errors[i] = NULL;
    if (order & (ROCKSDB_FFM_TO_SHARE | ROCKSDB_FFM_FOR_UPDATE)) {
      pins[i] = lock(reader, group->column_family, keys[i].data, keys[i].size,
                     order & ROCKSDB_FFM_FOR_UPDATE, &errors[i]);
      continue;
    }
    pins[i] = reader->engine->get_pinned_cf(reader->db, reader->options, group->column_family,
                                            keys[i].data, keys[i].size, &errors[i]);
  }
}

size_t rocksdb_ffm_multi_get(const rocksdb_ffm_reader* reader, const rocksdb_ffm_group* groups,
                             size_t group_count, const rocksdb_ffm_slice* keys,
                             rocksdb_pinnableslice_t** pins, char** errors,
                             rocksdb_ffm_value* values, int32_t order) {
  const rocksdb_ffm_engine* engine = reader->engine;
  size_t first = 0;
  size_t failures = 0;
  stop_counting(engine);
  for (size_t g = 0; g < group_count; g++) {
    size_t count = groups[g].key_count;
    if (order & (ROCKSDB_FFM_ONE_BY_ONE | ROCKSDB_FFM_TO_SHARE | ROCKSDB_FFM_FOR_UPDATE)) {
      pin_one_by_one(reader, &groups[g], keys + first, pins + first, errors + first, order);
    } else {
      engine->batched_multi_get_cf_slice(reader->db, reader->options, groups[g].column_family,
                                         count, keys + first, pins + first, errors + first,
                                         order & ROCKSDB_FFM_SORTED);
    }
    for (size_t i = first; i < first + count; i++) {
      values[i].pin = pins[i];
      values[i].error = errors[i];
      values[i].data = NULL;
      values[i].size = 0;
      if (pins[i] != NULL) {
        values[i].data = engine->pinnableslice_value(pins[i], &values[i].size);
      }
      failures += errors[i] != NULL;
    }
    first += count;
  }
  return failures;
}

void rocksdb_ffm_release(const rocksdb_ffm_engine* engine, rocksdb_pinnableslice_t** pins,
                         size_t count) {
  for (size_t i = 0; i < count; i++) {
    if (pins[i] != NULL) {
      engine->pinnableslice_destroy(pins[i]);
    }
  }
}
