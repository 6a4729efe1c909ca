/* Licensed under the Apache License, Version 2.0; see LICENSE. */

#include <time.h>

#include "status.h"

namespace rocksdb_ffm {
namespace {

Database* database(rocksdb_t* handle) { return reinterpret_cast<DatabaseHandle*>(handle)->rep; }

/* The shortest wait for compactions: it ends immediately if there is a background error, which it returns. */
constexpr WaitOptions kNoWait = {false, false, false, false, 1};

/* The resume that runs on this thread, before its first flush; a null handle if there is none. */
struct Resuming {
  const rocksdb_ffm_cxx_engine* engine;
  rocksdb_t* handle;
};

thread_local Resuming resuming = {nullptr, nullptr};

constexpr timespec kPoll = {0, 10000000};

/* A thread of the engine that was started needs some time until its flush counts as running. */
constexpr int kIdlePolls = 10;

bool is_flush_running(const Resuming& database) {
  using Property = int (*)(rocksdb_t*, const char*, uint64_t*);
  uint64_t running = 0;
  reinterpret_cast<Property>(database.engine->property_int)(database.handle, "rocksdb.num-running-flushes", &running);
  return running != 0;
}

}  // namespace
}  // namespace rocksdb_ffm

void rocksdb_ffm_cxx_resume(const rocksdb_ffm_cxx_engine* engine, rocksdb_t* handle, char** error) {
  rocksdb_ffm::resuming = {engine, handle};
  rocksdb_ffm::report(engine, error, [=] { return rocksdb_ffm::database(handle)->Resume(); });
  rocksdb_ffm::resuming = {nullptr, nullptr};
}

void rocksdb_ffm_cxx_recovery_sealed(void*, const void*) {
  const rocksdb_ffm::Resuming first = rocksdb_ffm::resuming;
  rocksdb_ffm::resuming = {nullptr, nullptr};
  for (int idle = 0; first.handle != nullptr && idle < rocksdb_ffm::kIdlePolls;) {
    nanosleep(&rocksdb_ffm::kPoll, nullptr);
    idle = rocksdb_ffm::is_flush_running(first) ? 0 : idle + 1;
  }
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
