/* Licensed under the Apache License, Version 2.0; see LICENSE. */

/* A disk that fails on request, preloaded before the C library. The letters in the file that FAILING_DISK names select
 * the calls on files below the folder "failing" that fail with an I/O error: 'w' writes, 's' syncs, 'r' reads; 'm' only
 * syncs of MANIFEST files, after one successful sync for each 'n'; 'c' only syncs of the folder "copies" itself. */

#define _GNU_SOURCE

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

static int times_requested(char what) {
  const char* control = getenv("FAILING_DISK");
  char requests[16];
  int file = control == NULL ? -1 : (int)syscall(SYS_openat, AT_FDCWD, control, O_RDONLY | O_CLOEXEC);
  if (file < 0) {
    return 0;
  }
  long size = syscall(SYS_read, file, requests, sizeof requests);
  syscall(SYS_close, file);
  int times = 0;
  for (long i = 0; i < size; i++) {
    times += requests[i] == what;
  }
  return times;
}

/* Whether the path of an open file contains a part, or, with `at_end`, ends with it. */
static int is_at(int file, const char* part, int at_end) {
  char link[64];
  char path[4096];
  snprintf(link, sizeof link, "/proc/self/fd/%d", file);
  ssize_t size = readlink(link, path, sizeof path - 1);
  if (size < 0) {
    return 0;
  }
  path[size] = 0;
  const char* found = strstr(path, part);
  return found != NULL && (!at_end || found[strlen(part)] == 0);
}

static int manifest_syncs;

static int fails(int file, char what) {
  int before = errno;
  int result = times_requested(what) && is_at(file, "/failing/", 0);
  if (!times_requested('m')) {
    manifest_syncs = 0;
  } else if (what == 's' && is_at(file, "/failing/db/MANIFEST", 0)) {
    result = manifest_syncs++ >= times_requested('n');
  }
  if (what == 's' && times_requested('c')) {
    result = is_at(file, "/failing/copies", 1);
  }
  errno = result ? EIO : before;
  return result;
}

ssize_t write(int file, const void* data, size_t size) {
  return fails(file, 'w') ? -1 : syscall(SYS_write, file, data, size);
}

ssize_t pwrite(int file, const void* data, size_t size, off_t offset) {
  return fails(file, 'w') ? -1 : syscall(SYS_pwrite64, file, data, size, offset);
}

ssize_t pwrite64(int file, const void* data, size_t size, off64_t offset) {
  return fails(file, 'w') ? -1 : syscall(SYS_pwrite64, file, data, size, offset);
}

ssize_t pread(int file, void* data, size_t size, off_t offset) {
  return fails(file, 'r') ? -1 : syscall(SYS_pread64, file, data, size, offset);
}

ssize_t pread64(int file, void* data, size_t size, off64_t offset) {
  return fails(file, 'r') ? -1 : syscall(SYS_pread64, file, data, size, offset);
}

int fsync(int file) { return fails(file, 's') ? -1 : (int)syscall(SYS_fsync, file); }

int fdatasync(int file) { return fails(file, 's') ? -1 : (int)syscall(SYS_fdatasync, file); }
