/* Licensed under the Apache License, Version 2.0; see LICENSE. */

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "rocksdb_ffm.h"

typedef struct text_t {
  struct text_t* next;
  char bytes[];
} text_t;

/* Texts are added at the head only, so a thread need not search a part of the list twice. */
static _Atomic(text_t*) kept;

static const char* find(const text_t* from, const text_t* end, const char* text) {
  for (const text_t* known = from; known != end; known = known->next) {
    if (strcmp(known->bytes, text) == 0) return known->bytes;
  }
  return NULL;
}

const char* rocksdb_ffm_intern(const char* text) {
  text_t* first = atomic_load(&kept);
  const char* known = find(first, NULL, text);
  if (known != NULL) return known;
  size_t size = strlen(text) + 1;
  text_t* made = malloc(sizeof(text_t) + size);
  if (made == NULL) return NULL;
  memcpy(made->bytes, text, size);
  made->next = first;
  while (!atomic_compare_exchange_weak(&kept, &first, made)) {
    known = find(first, made->next, text);
    if (known != NULL) {
      free(made);
      return known;
    }
    made->next = first;
  }
  return made->bytes;
}
