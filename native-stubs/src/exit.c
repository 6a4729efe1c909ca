/* Licensed under the Apache License, Version 2.0; see LICENSE. */

#ifdef __linux__
#define _DEFAULT_SOURCE /* on_exit, where there is one */
#endif
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "rocksdb_ffm.h"

static void end(int status) {
  fflush(NULL);
  _exit(status);
}

#ifdef __GLIBC__
static void end_with(int status, void* unused) {
  (void)unused;
  end(status);
}

void rocksdb_ffm_end_at_exit(void) { on_exit(end_with, NULL); }
#else
static void end_without_status(void) { end(EXIT_FAILURE); }

void rocksdb_ffm_end_at_exit(void) { atexit(end_without_status); }
#endif
