/* Licensed under the Apache License, Version 2.0; see LICENSE. */

#include <stdlib.h>
#include <string.h>

#include "status.h"

namespace rocksdb_ffm {
namespace {

using Engine = rocksdb_ffm_cxx_engine;
using Reader = rocksdb_ffm_cxx_reader;
using Keys = rocksdb_ffm_cxx_keys;

char* text_of(const Engine* engine, const Status& status) {
  try {
    return message(engine, status);
  } catch (...) {
    return thrown();
  }
}

/* The memory of a read, and the pins that receive the values. */
class Values {
 public:
  Values(const Engine* engine, const Keys& keys) : engine_(engine), keys_(keys), values_(nullptr), statuses_(nullptr) {}

  Values(const Values&) = delete;
  Values& operator=(const Values&) = delete;

  ~Values() {
    for (size_t i = 0; values_ != nullptr && i < keys_.count; i++) {
      end(&values_[i]);
    }
    for (size_t i = 0; statuses_ != nullptr && i < keys_.count; i++) {
      statuses_[i].~Status();
    }
    ::operator delete(values_);
    ::operator delete(statuses_);
  }

  /* Allocates everything, so that no allocation of the stubs fails after the read. */
  void reserve() {
    for (size_t i = 0; i < keys_.count; i++) {
      PinnedSlice* pin = allocate<PinnedSlice>(1);
      pin->make();
      keys_.pins[i] = pin;
    }
    Status* statuses = allocate<Status>(keys_.count);
    memset(static_cast<void*>(statuses), 0, keys_.count * sizeof(Status)); /* OK has only bytes of 0 */
    statuses_ = statuses;
    values_ = allocate<PinnedSlice>(keys_.count);
    for (size_t i = 0; i < keys_.count; i++) {
      values_[i].make();
    }
  }

  void read(const Reader* reader, int64_t source) {
    using GetAll = void (*)(void*, const void*, void*, size_t, const Slice*, PinnedSlice*, Status*, bool);
    using GetOverBatch =
        void (*)(void*, void*, const void*, void*, size_t, const Slice*, PinnedSlice*, Status*, bool);
    auto keys = reinterpret_cast<const Slice*>(keys_.keys);
    void* family = object_of(keys_.column_family);
    if (source == ROCKSDB_FFM_CXX_OF_BATCH) {
      auto over = static_cast<const rocksdb_ffm_cxx_batch*>(reader->source);
      reinterpret_cast<GetOverBatch>(engine_->multi_get_from_batch_and_db)(
          object_of(over->batch), object_of(over->db), reader->options, family, keys_.count, keys, values_, statuses_,
          keys_.sorted != 0);
    } else {
      void* transaction = object_of(reader->source);
      virtual_function<GetAll>(transaction, kTransactionMultiGet)(transaction, reader->options, family, keys_.count,
                                                                  keys, values_, statuses_, keys_.sorted != 0);
    }
  }

  /* Moves the values to the pins, and returns how many keys failed. */
  int64_t take() {
    int64_t failures = 0;
    for (size_t i = 0; i < keys_.count; i++) {
      rocksdb_ffm_cxx_value& value = keys_.values[i];
      if (statuses_[i].ok()) {
        auto pin = static_cast<PinnedSlice*>(keys_.pins[i]);
        values_[i].move_to(pin);
        value = {pin->slice().data, pin->slice().size, pin, nullptr};
      } else {
        release(i);
        keys_.errors[i] = statuses_[i].is_not_found() ? nullptr : text_of(engine_, statuses_[i]);
        value = {nullptr, 0, nullptr, keys_.errors[i]};
        failures += keys_.errors[i] != nullptr;
      }
    }
    return failures;
  }

  /* Releases all pins after a failure. */
  void release_all() {
    for (size_t i = 0; i < keys_.count; i++) {
      release(i);
    }
  }

 private:
  void release(size_t key) {
    auto pin = static_cast<PinnedSlice*>(keys_.pins[key]);
    if (pin != nullptr) {
      end(pin);
      ::operator delete(pin);
      keys_.pins[key] = nullptr;
    }
  }

  void end(PinnedSlice* slice) {
    reinterpret_cast<void (*)(Cleanable*)>(engine_->cleanable_destroy)(slice->cleanable());
    slice->end();
  }

  const Engine* engine_;
  const Keys& keys_;
  PinnedSlice* values_;
  Status* statuses_;
};

}  // namespace
}  // namespace rocksdb_ffm

int64_t rocksdb_ffm_cxx_multi_get(const rocksdb_ffm_cxx_engine* engine, const rocksdb_ffm_cxx_reader* reader,
                                  int64_t source, const rocksdb_ffm_cxx_keys* keys) {
  if (keys->count == 0) {
    return 0;
  }
  memset(keys->pins, 0, keys->count * sizeof *keys->pins);
  memset(keys->errors, 0, keys->count * sizeof *keys->errors);
  memset(keys->values, 0, keys->count * sizeof *keys->values);
  rocksdb_ffm::Values values(engine, *keys);
  try {
    values.reserve();
    values.read(reader, source);
  } catch (...) {
    values.release_all();
    keys->errors[0] = rocksdb_ffm::thrown();
    return 1;
  }
  return values.take();
}
