/* Licensed under the Apache License, Version 2.0; see LICENSE. */

#include "status.h"

const int ROCKSDB_FFM_CXX_NAMED(ROCKSDB_FFM_CXX_ABI) = ROCKSDB_FFM_CXX_ABI;

namespace rocksdb_ffm {

char* message(const rocksdb_ffm_cxx_engine* engine, const Status& status) {
  if (status.ok()) {
    return nullptr;
  }
  /* A member function without parameters has the calling convention of a function with `this`. */
  auto to_string = reinterpret_cast<String (*)(const Status*)>(engine->status_to_string);
  return strdup(to_string(&status).data());
}

}  // namespace rocksdb_ffm
