/* Licensed under the Apache License, Version 2.0; see LICENSE. */

#include <stdlib.h>
#include <string.h>

#include "engine.h"
#include "rocksdb_ffm_cxx.h"

namespace {

/* Its index in the virtual functions of rocksdb_eventlistener_t, see cxx-symbols.txt. */
constexpr int kErrorRecoveryBegin = 43;
constexpr int kCount = 52;

/* The words before the first function: the offset to the object, and its type. */
constexpr int kBeforeFirst = 2;

}  // namespace

struct rocksdb_ffm_cxx_recovery {
  int owners;
  int wanted;
  void* virtuals[kBeforeFirst + kCount];
};

namespace {

/* rocksdb::EventListener::OnErrorRecoveryBegin. A status that is passed by value is a pointer to a copy. */
void on_error_recovery_begin(void* listener, int, const rocksdb_ffm::Status* error, bool* automatic) {
  char* virtuals = *static_cast<char**>(listener);
  auto recovery = reinterpret_cast<rocksdb_ffm_cxx_recovery*>(
      virtuals - offsetof(rocksdb_ffm_cxx_recovery, virtuals) - kBeforeFirst * sizeof(void*));
  if (error->is_no_space()) {
    *automatic = false;
    __atomic_store_n(&recovery->wanted, 1, __ATOMIC_RELEASE);
  }
}

}  // namespace

rocksdb_ffm_cxx_recovery* rocksdb_ffm_cxx_recovery_create() {
  auto recovery = static_cast<rocksdb_ffm_cxx_recovery*>(calloc(1, sizeof(rocksdb_ffm_cxx_recovery)));
  if (recovery != nullptr) {
    recovery->owners = 2;
  }
  return recovery;
}

void rocksdb_ffm_cxx_recovery_release(void* state) {
  auto recovery = static_cast<rocksdb_ffm_cxx_recovery*>(state);
  if (__atomic_sub_fetch(&recovery->owners, 1, __ATOMIC_ACQ_REL) == 0) {
    free(recovery);
  }
}

void rocksdb_ffm_cxx_recovery_ignore() {}

void rocksdb_ffm_cxx_recovery_watch(rocksdb_ffm_cxx_recovery* recovery, void* listener) {
  void** virtuals = *static_cast<void***>(listener);
  memcpy(recovery->virtuals, virtuals - kBeforeFirst, sizeof(recovery->virtuals));
  recovery->virtuals[kBeforeFirst + kErrorRecoveryBegin] = reinterpret_cast<void*>(on_error_recovery_begin);
  *static_cast<void**>(listener) = recovery->virtuals + kBeforeFirst;
}

int rocksdb_ffm_cxx_recovery_take_wanted(rocksdb_ffm_cxx_recovery* recovery) {
  return __atomic_exchange_n(&recovery->wanted, 0, __ATOMIC_ACQ_REL);
}
