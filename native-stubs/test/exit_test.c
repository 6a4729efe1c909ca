/* Licensed under the Apache License, Version 2.0; see LICENSE. */

#include <stdlib.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"
#include "rocksdb_ffm.h"

#ifdef __GLIBC__
#define TOLD 7
#else
#define TOLD EXIT_FAILURE
#endif

/* Simulates the engine's handler, waiting for threads that never end. */
static void run_earlier_handler(void) {
  for (;;) pause();
}

int main(void) {
  pid_t child = fork();
  if (child == 0) {
    atexit(run_earlier_handler);
    rocksdb_ffm_end_at_exit(NULL);
    exit(7);
  }
  int status = 0;
  CHECK(waitpid(child, &status, 0) == child);
  CHECK(WIFEXITED(status));
  CHECK(WEXITSTATUS(status) == TOLD);
  return check_result();
}
