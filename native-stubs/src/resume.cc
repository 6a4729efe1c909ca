/* Licensed under the Apache License, Version 2.0; see LICENSE. */

#include "status.h"

namespace rocksdb_ffm {
namespace {

Database* database(rocksdb_t* handle) { return reinterpret_cast<DatabaseHandle*>(handle)->rep; }

/* The shortest wait for compactions: it ends immediately if there is a background error, which it returns. */
constexpr WaitOptions kNoWait = {true, false, false, false, 1};

}  // namespace
}  // namespace rocksdb_ffm

void rocksdb_ffm_cxx_resume(const rocksdb_ffm_cxx_engine* engine, rocksdb_t* handle, char** error) {
  rocksdb_ffm::report(engine, error, [=] { return rocksdb_ffm::database(handle)->Resume(); });
}

int64_t rocksdb_ffm_cxx_background_error(const rocksdb_ffm_cxx_engine* engine, rocksdb_t* handle, char** error) {
  using Wait = rocksdb_ffm::Status (*)(void*, const rocksdb_ffm::WaitOptions&);
  try {
    void* database = rocksdb_ffm::database(handle);
    auto wait = rocksdb_ffm::virtual_function<Wait>(database, rocksdb_ffm::kWaitForCompact);
    const rocksdb_ffm::Status& status = wait(database, rocksdb_ffm::kNoWait);
    *error = rocksdb_ffm::message(engine, status);
    return status.severity();
  } catch (...) {
    *error = rocksdb_ffm::thrown();
    return 0;
  }
}
