/* Licensed under the Apache License, Version 2.0; see LICENSE. */

#ifndef ROCKSDB_FFM_STATUS_H
#define ROCKSDB_FFM_STATUS_H

#include <string.h>

#include "engine.h"
#include "rocksdb_ffm_cxx.h"

namespace rocksdb_ffm {

/* Returns the engine's text for a status, for an error cell; NULL for OK. */
char* message(const rocksdb_ffm_cxx_engine* engine, const Status& status);

inline char* thrown() {
  return strdup("Operation aborted: the engine threw a C++ exception, probably because memory is full");
}

/* As report, but NotFound has no message. Returns whether the status is OK. */
template <typename Call>
bool found(const rocksdb_ffm_cxx_engine* engine, char** error, Call call) {
  try {
    const Status& status = call();
    *error = status.is_not_found() ? nullptr : message(engine, status);
    return status.ok();
  } catch (...) {
    *error = thrown();
    return false;
  }
}

/*
 * Calls a function that returns a status, and stores its text in the error cell. An
 * exception of the engine, such as a failed allocation, becomes a message.
 */
template <typename Call>
void report(const rocksdb_ffm_cxx_engine* engine, char** error, Call call) {
  try {
    *error = message(engine, call());
  } catch (...) {
    *error = thrown();
  }
}

}  // namespace rocksdb_ffm

#endif
