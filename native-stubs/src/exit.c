/* Licensed under the Apache License, Version 2.0; see LICENSE. */

#ifdef __linux__
#define _DEFAULT_SOURCE /* on_exit, if the C library has it */
#endif
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "rocksdb_ffm.h"

/* Limit for the remaining exit handlers and the flush of streams. */
enum { MOST_SECONDS = 2 };

static volatile sig_atomic_t status_at_exit = EXIT_FAILURE;

static void end_late(int unused) {
  (void)unused;
  _exit(status_at_exit);
}

/* Uses a signal, because the creation of a thread may fail; any thread may handle it. */
static void limit_the_end(int status) {
  struct sigaction action = {0};
  sigset_t alarms;
  status_at_exit = status;
  action.sa_handler = end_late;
  sigemptyset(&action.sa_mask);
  sigaction(SIGALRM, &action, NULL);
  sigemptyset(&alarms);
  sigaddset(&alarms, SIGALRM);
  pthread_sigmask(SIG_UNBLOCK, &alarms, NULL);
  alarm(MOST_SECONDS);
}

#ifdef __GLIBC__
static void end_with(int status, void* unused) {
  (void)unused;
  limit_the_end(status);
  fflush(NULL); /* blocks while a thread reads from a stream, or writes to a full pipe */
  _exit(status);
}

void rocksdb_ffm_end_at_exit(const rocksdb_options_t* made) {
  (void)made;
  on_exit(end_with, NULL);
}
#else
/* Does not end the process itself, because it does not know the status: the engine's handler may return in time. */
static void end_without_status(void) { limit_the_end(EXIT_FAILURE); }

void rocksdb_ffm_end_at_exit(const rocksdb_options_t* made) {
  (void)made;
  atexit(end_without_status);
}
#endif
