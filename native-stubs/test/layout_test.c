/* Licensed under the Apache License, Version 2.0; see LICENSE. */

#include <string.h>

#include "check.h"
#include "rocksdb_ffm.h"

static const rocksdb_ffm_layout* layouts;
static size_t layout_count;

static const rocksdb_ffm_layout* find(const char* struct_name, const char* member) {
  for (size_t i = 0; i < layout_count; i++) {
    const rocksdb_ffm_layout* layout = &layouts[i];
    if (strcmp(layout->struct_name, struct_name) == 0 &&
        (member == NULL ? layout->member == NULL
                        : layout->member != NULL && strcmp(layout->member, member) == 0)) {
      return layout;
    }
  }
  return NULL;
}

/* The members follow their struct, in order and without gaps, because no struct here has padding.
   So a missing or duplicate member is found. */
static void members_fill_their_structs(void) {
  const rocksdb_ffm_layout* whole = NULL;
  size_t end = 0;
  for (size_t i = 0; i < layout_count; i++) {
    const rocksdb_ffm_layout* layout = &layouts[i];
    if (layout->member == NULL) {
      CHECK(whole == NULL || end == whole->size);
      CHECK_EQUAL(0, layout->offset);
      CHECK(find(layout->struct_name, NULL) == layout);
      whole = layout;
      end = 0;
    } else {
      CHECK(whole != NULL && strcmp(whole->struct_name, layout->struct_name) == 0);
      CHECK_EQUAL(end, layout->offset);
      CHECK(find(layout->struct_name, layout->member) == layout);
      end = layout->offset + layout->size;
    }
  }
  CHECK(whole != NULL && end == whole->size);
}

#define CHECK_STRUCT(type)                              \
  do {                                                  \
    const rocksdb_ffm_layout* layout = find(#type, NULL); \
    CHECK(layout != NULL);                              \
    CHECK(layout != NULL && layout->size == sizeof(type)); \
  } while (0)

static void every_struct_is_there(void) {
  CHECK_STRUCT(rocksdb_ffm_slice);
  CHECK_STRUCT(rocksdb_ffm_engine);
  CHECK_STRUCT(rocksdb_ffm_settings);
  CHECK_STRUCT(rocksdb_ffm_expiry);
  CHECK_STRUCT(rocksdb_ffm_opening);
  CHECK_STRUCT(rocksdb_ffm_reader);
  CHECK_STRUCT(rocksdb_ffm_value);
  CHECK_STRUCT(rocksdb_ffm_group);
  CHECK_STRUCT(rocksdb_ffm_cursor);
  CHECK_STRUCT(rocksdb_ffm_writer);
  CHECK_STRUCT(rocksdb_ffm_messages);
  CHECK_STRUCT(rocksdb_ffm_layout);
}

static void members_are_where_the_compiler_has_them(void) {
  const rocksdb_ffm_layout* ahead = find("rocksdb_ffm_cursor", "ahead");
  CHECK(ahead != NULL && ahead->offset == offsetof(rocksdb_ffm_cursor, ahead));
  CHECK(ahead != NULL && ahead->size == sizeof(int64_t));
  const rocksdb_ffm_layout* write = find("rocksdb_ffm_engine", "write");
  CHECK(write != NULL && write->offset == offsetof(rocksdb_ffm_engine, write));
}

int main(void) {
  layouts = rocksdb_ffm_layouts(&layout_count);
  CHECK_EQUAL(ROCKSDB_FFM_ABI, rocksdb_ffm_abi());
  CHECK_EQUAL(ROCKSDB_FFM_ABI, ROCKSDB_FFM_NAMED(ROCKSDB_FFM_ABI));
  members_fill_their_structs();
  every_struct_is_there();
  members_are_where_the_compiler_has_them();
  return check_result();
}
