/* Licensed under the Apache License, Version 2.0; see LICENSE. */

/* An allocator to preload, with which each use of freed memory, and each write past the end of a block, ends the
   process where it happens. Each block ends at a page that nothing may touch, and its pages are never used again. */

#define _GNU_SOURCE

#include <errno.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>

enum { PAGE = 4096, LEAST_ALIGNMENT = 16, FRESH = 0xa5, MOST_FILLED = 64 * 1024 };

static const uint64_t IN_USE = 0x6775617264656421;

/* At the start of the page before the block's first page. */
typedef struct {
  uint64_t state;
  size_t size;
  char* mapping;
  size_t mapping_size;
} header;

static size_t round_up(size_t size, size_t unit) { return (size + unit - 1) & ~(unit - 1); }

static header* header_of(void* block) { return (header*)(((uintptr_t)block & ~(uintptr_t)(PAGE - 1)) - PAGE); }

static void* allocate(size_t size, size_t alignment) {
  alignment = alignment < LEAST_ALIGNMENT ? LEAST_ALIGNMENT : alignment;
  size_t body = round_up(size == 0 ? 1 : size, alignment);
  size_t pages = round_up(body, PAGE);
  size_t slack = alignment > PAGE ? alignment : 0;
  size_t mapping_size = PAGE + slack + pages + PAGE;
  if (mapping_size < size) {
    errno = ENOMEM;
    return NULL;
  }
  char* mapping =
      mmap(NULL, mapping_size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (mapping == MAP_FAILED) {
    errno = ENOMEM;
    return NULL;
  }
  char* start = mapping + PAGE;
  char* block = slack > 0 ? (char*)round_up((uintptr_t)start, alignment) : start + pages - body;
  if (slack == 0) {
    mprotect(start + pages, PAGE, PROT_NONE);
  }
  *header_of(block) = (header){IN_USE, size, mapping, mapping_size};
  if (size <= MOST_FILLED) {
    memset(block, FRESH, size);
  }
  return block;
}

void* malloc(size_t size) { return allocate(size, LEAST_ALIGNMENT); }

void free(void* block) {
  if (block == NULL) {
    return;
  }
  header* freed = header_of(block);
  if (freed->state != IN_USE) {
    __builtin_trap();
  }
  int saved = errno;
  char* mapping = freed->mapping;
  size_t mapping_size = freed->mapping_size;
  madvise(mapping, mapping_size, MADV_DONTNEED);
  mprotect(mapping, mapping_size, PROT_NONE);
  errno = saved;
}

void* calloc(size_t count, size_t size) {
  size_t all;
  if (__builtin_mul_overflow(count, size, &all)) {
    errno = ENOMEM;
    return NULL;
  }
  void* block = allocate(all, LEAST_ALIGNMENT); /* not malloc: compilers turn malloc and memset into calloc */
  if (block != NULL && all <= MOST_FILLED) { /* the system fills larger blocks with zeros */
    memset(block, 0, all);
  }
  return block;
}

void* realloc(void* block, size_t size) {
  if (block == NULL) {
    return malloc(size);
  }
  void* moved = malloc(size);
  if (moved != NULL) {
    size_t before = header_of(block)->size;
    memcpy(moved, block, before < size ? before : size);
    free(block);
  }
  return moved;
}

int posix_memalign(void** result, size_t alignment, size_t size) {
  void* block = allocate(size, alignment);
  if (block == NULL) {
    return ENOMEM;
  }
  *result = block;
  return 0;
}

void* aligned_alloc(size_t alignment, size_t size) { return allocate(size, alignment); }

void* memalign(size_t alignment, size_t size) { return allocate(size, alignment); }

void* valloc(size_t size) { return allocate(size, PAGE); }

void* pvalloc(size_t size) { return allocate(round_up(size, PAGE), PAGE); }

size_t malloc_usable_size(void* block) { return block == NULL ? 0 : header_of(block)->size; }
