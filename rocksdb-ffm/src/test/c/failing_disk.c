/* Licensed under the Apache License, Version 2.0; see LICENSE. */

/* A disk that fails when it is told to: loaded before the C library, it answers a process's writes, syncs and reads
   of the files below a folder with an I/O error while the file that FAILING_DISK names holds a 'w', an 's' or an 'r'. */

#define _GNU_SOURCE

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

static int is_told(char what) {
  const char* control = getenv("FAILING_DISK");
  char told[16];
  int file = control == NULL ? -1 : (int)syscall(SYS_openat, AT_FDCWD, control, O_RDONLY | O_CLOEXEC);
  if (file < 0) {
    return 0;
  }
  long size = syscall(SYS_read, file, told, sizeof told);
  syscall(SYS_close, file);
  return size > 0 && memchr(told, what, (size_t)size) != NULL;
}

static int is_on_disk(int file) {
  char link[64];
  char path[4096];
  snprintf(link, sizeof link, "/proc/self/fd/%d", file);
  ssize_t size = readlink(link, path, sizeof path - 1);
  if (size < 0) {
    return 0;
  }
  path[size] = 0;
  return strstr(path, "/failing/") != NULL;
}

static int fails(int file, char what) {
  int before = errno;
  int result = is_told(what) && is_on_disk(file);
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
