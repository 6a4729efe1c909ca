/* Licensed under the Apache License, Version 2.0; see LICENSE. */

/*
 * The engine's C++ classes as far as the C++ stubs use them: sizes, offsets and the order
 * of virtual functions are those of the packed release, built with GNU libstdc++. They are
 * declared here because no header of the engine or of a C++ library is needed then, so every
 * compiler builds the same code.
 *
 * Everything is in another namespace than the engine's classes, so no symbol can be
 * mistaken for one of the engine's.
 */

#ifndef ROCKSDB_FFM_ENGINE_H
#define ROCKSDB_FFM_ENGINE_H

#include <stddef.h>
#include <stdint.h>

namespace rocksdb_ffm {

/* rocksdb::Slice */
struct Slice {
  const char* data;
  size_t size;
};

/* std::string; only the destructor of libstdc++ is repeated here. */
class String {
 public:
  String(const String&) = delete;
  String& operator=(const String&) = delete;

  ~String() {
    if (data_ != local_) {
      ::operator delete(data_);
    }
  }

  const char* data() const { return data_; }
  size_t size() const { return size_; }

 private:
  friend struct Layout;

  char* data_;
  size_t size_;
  union {
    char local_[16];
    size_t capacity_;
  };
};

/* rocksdb::Status and rocksdb::IOStatus */
class Status {
 public:
  enum Code : unsigned char { kOk = 0 };

  Status(const Status&) = delete;
  Status& operator=(const Status&) = delete;

  ~Status() {
    if (state_ != nullptr) {
      ::operator delete[](const_cast<char*>(state_));
    }
  }

  bool ok() const { return code_ == kOk; }

 private:
  friend struct Layout;

  Code code_;
  unsigned char subcode_;
  unsigned char severity_;
  bool retryable_;
  bool data_loss_;
  unsigned char scope_;
  const char* state_;
};

/* rocksdb::DB; its virtual functions up to the last one that is called. */
class Database {
 public:
  virtual Status Resume() = 0;

 protected:
  ~Database() = default;
};

/* The engine's rocksdb_t, see c.cc. */
struct DatabaseHandle {
  Database* rep;
};

}  // namespace rocksdb_ffm

#endif
