/* Licensed under the Apache License, Version 2.0; see LICENSE. */

#include "status.h"

namespace rocksdb_ffm {
namespace {

Database* database(rocksdb_t* handle) { return reinterpret_cast<DatabaseHandle*>(handle)->rep; }

}  // namespace
}  // namespace rocksdb_ffm

void rocksdb_ffm_cxx_resume(const rocksdb_ffm_cxx_engine* engine, rocksdb_t* handle, char** error) {
  rocksdb_ffm::report(engine, error, [=] { return rocksdb_ffm::database(handle)->Resume(); });
}
