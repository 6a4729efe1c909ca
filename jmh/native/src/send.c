/* Licensed under the Apache License, Version 2.0; see LICENSE. */

#define _XOPEN_SOURCE 700 /* sockets */

#include <errno.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "bench.h"

int32_t bench_connect(const char* path) {
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  if (strlen(path) >= sizeof(address.sun_path)) {
    return -1;
  }
  memcpy(address.sun_path, path, strlen(path) + 1);
  int stream = socket(AF_UNIX, SOCK_STREAM, 0);
  if (stream >= 0 && connect(stream, (const struct sockaddr*)&address, sizeof(address)) != 0) {
    close(stream);
    return -1;
  }
  return stream;
}

void bench_disconnect(int32_t stream) { close(stream); }

static int send_all(int stream, const char* bytes, size_t size) {
  while (size > 0) {
    ssize_t sent = send(stream, bytes, size, 0);
    if (sent < 0 && errno != EINTR) {
      return 0;
    }
    if (sent > 0) {
      bytes += sent;
      size -= (size_t)sent;
    }
  }
  return 1;
}

int64_t bench_send(bench_work* work) {
  const bench_database* database = work->database;
  const bench_engine* engine = database->engine;
  int64_t sum = 0;
  for (size_t i = 0; i < work->count; i++) {
    char* error = NULL;
    rocksdb_pinnableslice_t* pin =
        engine->get_pinned_cf(database->db, database->read_options, database->family,
                              bench_next(work), work->key_size, &error);
    if (bench_failed(engine, "get", error) || pin == NULL) {
      return BENCH_FAILED;
    }
    size_t size;
    const char* value = engine->pinnableslice_value(pin, &size);
    int sent = send_all((int)work->stream, value, size);
    engine->pinnableslice_destroy(pin);
    if (!sent) {
      return BENCH_FAILED;
    }
    sum += (int64_t)size;
  }
  return sum;
}
