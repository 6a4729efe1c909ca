/* Licensed under the Apache License, Version 2.0; see LICENSE. */

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "rocksdb_ffm.h"

enum { HEAD = 2 * sizeof(uint32_t) };

struct rocksdb_ffm_log {
  pthread_mutex_t lock; /* held briefly: a thread that adds a message may hold a lock of the engine */
  pthread_cond_t changed;
  char* filling;
  char* reading; /* the messages that were taken last; read without the lock */
  size_t capacity;
  size_t filled;
  int64_t dropped;
  int ended;
};

rocksdb_ffm_log* rocksdb_ffm_log_create(size_t capacity) {
  rocksdb_ffm_log* log = calloc(1, sizeof *log);
  if (log == NULL) return NULL;
  log->capacity = capacity;
  log->filling = malloc(capacity);
  log->reading = malloc(capacity);
  if (log->filling == NULL || log->reading == NULL || pthread_mutex_init(&log->lock, NULL) != 0) {
    free(log->filling);
    free(log->reading);
    free(log);
    return NULL;
  }
  pthread_cond_init(&log->changed, NULL);
  return log;
}

static void append(rocksdb_ffm_log* log, uint32_t level, const char* text, size_t size) {
  char* end = log->filling + log->filled;
  uint32_t text_size = (uint32_t)size;
  memcpy(end, &level, sizeof level);
  memcpy(end + sizeof level, &text_size, sizeof text_size);
  memcpy(end + HEAD, text, size);
  log->filled += HEAD + size;
}

void rocksdb_ffm_log_add(void* its, unsigned level, char* text, size_t size) {
  rocksdb_ffm_log* log = its;
  pthread_mutex_lock(&log->lock);
  /* After a dropped message, all are dropped until the reader takes the queue, so that the gap is
   * at the end of its messages. */
  if (log->dropped != 0 || size > log->capacity || log->capacity - log->filled < HEAD + size) {
    log->dropped++;
  } else {
    append(log, level, text, size);
  }
  pthread_cond_signal(&log->changed);
  pthread_mutex_unlock(&log->lock);
}

void rocksdb_ffm_log_take(rocksdb_ffm_log* log, rocksdb_ffm_messages* taken) {
  pthread_mutex_lock(&log->lock);
  while (log->filled == 0 && log->dropped == 0 && !log->ended) {
    pthread_cond_wait(&log->changed, &log->lock);
  }
  char* filled = log->filling;
  log->filling = log->reading;
  log->reading = filled;
  taken->bytes = filled;
  taken->size = log->filled;
  taken->dropped = log->dropped;
  taken->ended = log->filled == 0 && log->dropped == 0;
  log->filled = 0;
  log->dropped = 0;
  pthread_mutex_unlock(&log->lock);
}

void rocksdb_ffm_log_end(rocksdb_ffm_log* log) {
  pthread_mutex_lock(&log->lock);
  log->ended = 1;
  pthread_cond_signal(&log->changed);
  pthread_mutex_unlock(&log->lock);
}

void rocksdb_ffm_log_destroy(rocksdb_ffm_log* log) {
  pthread_cond_destroy(&log->changed);
  pthread_mutex_destroy(&log->lock);
  free(log->filling);
  free(log->reading);
  free(log);
}
