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
  String() : data_(local_), size_(0) { local_[0] = 0; }
  String(const String&) = delete;
  String& operator=(const String&) = delete;

  ~String() {
    if (data_ != local_) {
      ::operator delete(data_);
    }
  }

  const char* data() const { return data_; }
  size_t size() const { return size_; }

  /* Copies a text to this empty string; throws if memory is full. */
  void fill(const char* text, size_t size) {
    if (size >= sizeof(local_)) {
      char* copy = static_cast<char*>(::operator new(size + 1));
      capacity_ = size;
      data_ = copy;
    }
    for (size_t i = 0; i < size; i++) {
      data_[i] = text[i];
    }
    data_[size] = 0;
    size_ = size;
  }

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
  enum Code : unsigned char { kOk = 0, kNotFound = 1, kCorruption = 2, kNotSupported = 3, kInvalidArgument = 4, kIoError = 5, kIncomplete = 7 };
  enum SubCode : unsigned char { kNoSpace = 4 };

  Status() : Status(kOk, nullptr) {}

  /* Takes ownership of the text, which was allocated with new[]. */
  Status(Code code, const char* text)
      : code_(code),
        subcode_(0),
        severity_(0),
        retryable_(false),
        data_loss_(false),
        scope_(0),
        state_(text) {}

  Status(const Status&) = delete;
  Status& operator=(const Status&) = delete;

  ~Status() {
    if (state_ != nullptr) {
      ::operator delete[](const_cast<char*>(state_));
    }
  }

  bool ok() const { return code_ == kOk; }
  bool is_not_found() const { return code_ == kNotFound; }
  bool is_incomplete() const { return code_ == kIncomplete; }
  bool is_no_space() const { return subcode_ == kNoSpace; }
  int severity() const { return severity_; }

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

/* rocksdb::BlockAccessCipherStream */
class CipherStream {
 public:
  virtual ~CipherStream() = default;
  virtual size_t BlockSize() = 0;
  virtual Status Encrypt(uint64_t offset, char* data, size_t size) = 0;
  virtual Status Decrypt(uint64_t offset, char* data, size_t size) = 0;

 protected:
  virtual void AllocateScratch(String& scratch) = 0;
  virtual Status EncryptBlock(uint64_t index, char* data, char* scratch) = 0;
  virtual Status DecryptBlock(uint64_t index, char* data, char* scratch) = 0;
};

/* rocksdb::Iterator, up to the last virtual function that is called. */
class TableIterator {
 public:
  virtual ~TableIterator() = default;
  virtual bool Valid() const = 0;
  virtual void SeekToFirst() = 0;
  virtual void SeekToLast() = 0;
  virtual void Seek(const Slice&) = 0;
  virtual void SeekForPrev(const Slice&) = 0;
  virtual void Next() = 0;
  virtual void Prev() = 0;
  virtual Status Refresh() = 0;
  virtual Status Refresh(const void*) = 0;
  virtual bool PrepareValue() = 0;
  virtual Slice key() const = 0;
  virtual Status status() const = 0;
  virtual Slice value() const = 0;
};

/* std::unique_ptr as the result of a function; the object belongs to the caller. */
template <typename Object>
struct Result {
  Result(const Result&) = delete;
  ~Result() {}

  Object* object;
};

/* The parameters of rocksdb::Configurable, which the stubs pass on or ignore. */
struct Opaque;

/* rocksdb::EncryptionProvider with its bases Customizable and Configurable, and a vector of the latter. */
class CipherProvider {
 public:
  virtual ~CipherProvider() = default;
  virtual Status GetOption(const Opaque&, const String&, String*) const = 0;
  virtual bool AreEquivalent(const Opaque&, const CipherProvider*, String*) const = 0;
  virtual String GetPrintableOptions() const = 0;
  virtual Status PrepareOptions(const Opaque&) = 0;
  virtual Status ValidateOptions(const Opaque&, const Opaque&) const = 0;
  virtual const void* GetOptionsPtr(const String&) const = 0;
  virtual Status ParseStringOptions(const Opaque&, const String&) = 0;
  virtual Status ConfigureOptions(const Opaque&, const Opaque&, Opaque*) = 0;
  virtual Status ParseOption(const Opaque&, const Opaque&, const String&, const String&, void*) = 0;
  virtual bool OptionsAreEqual(const Opaque&, const Opaque&, const String&, const void*, const void*,
                               String*) const = 0;
  virtual String SerializeOptions(const Opaque&, const String&) const = 0;
  virtual String GetOptionName(const String&) const = 0;
  virtual const char* Name() const = 0;
  virtual String GetId() const = 0;
  virtual bool IsInstanceOf(const String&) const = 0;
  virtual const void* Inner() const = 0;
  virtual const char* NickName() const = 0;
  virtual size_t GetPrefixLength() const = 0;
  virtual Status CreateNewPrefix(const String& file, char* prefix, size_t size) const = 0;
  virtual Status AddCipher(const String&, const char*, size_t, bool) = 0;
  virtual Status CreateCipherStream(const String& file, const Opaque& options, Slice& prefix,
                                    CipherStream** stream) = 0;
  virtual String GetMarker() const = 0;

 private:
  friend struct Layout;

  void* options_[3] = {nullptr, nullptr, nullptr};
};

/* std::shared_ptr; without a control block it owns nothing. */
struct SharedPointer {
  void* object;
  void* control;
};

/* rocksdb::Env: its virtual destructor. */
class Environment {
 public:
  virtual ~Environment() = default;
};

/* The engine's rocksdb_env_t, see c.cc. */
struct EnvironmentHandle {
  Environment* rep;
  bool is_default;
};

/* Indexes in the vtable of the engine's EncryptedFileSystemImpl: the slots of FileSystemWrapper, and one more. */
enum FileSystemSlot {
  kReopenWritableFile = 26,
  kReuseWritableFile = 27,
  kNewRandomRWFile = 28,
  kNewLogger = 49,
  kFileSystemSlots = 66
};

/* The engine's rocksdb_t, see c.cc. */
struct DatabaseHandle {
  Database* rep;
};

/* rocksdb::WideColumn */
struct Column {
  Slice name;
  Slice value;
};

/* std::vector, for any type of element. */
template <typename Element>
struct Vector {
  Element* begin;
  Element* end;
  Element* capacity;
};

/* rocksdb::PinnableWideColumns; empty if all its bytes are 0, and may be moved by copying its bytes. */
struct PinnedColumns {
  void* backing;
  Vector<Column> columns;
  Vector<size_t> unresolved;
};

/* rocksdb::Cleanable; empty if all its bytes are 0. */
struct Cleanable {
  void* cleanup[4];
};

/* rocksdb::PinnableSlice; made and ended only by functions of this class. */
class PinnedSlice {
 public:
  PinnedSlice(const PinnedSlice&) = delete;
  PinnedSlice& operator=(const PinnedSlice&) = delete;

  /* Makes the object from bytes of any value. */
  void make() {
    for (void*& each : cleanable_.cleanup) {
      each = nullptr;
    }
    slice_ = {nullptr, 0};
    self_ = local_;
    self_size_ = 0;
    local_[0] = 0;
    buffer_ = &self_;
    is_pinned_ = false;
  }

  /* Moves a value to an object that was made; afterwards this object is as if it were made. */
  void move_to(PinnedSlice* other) {
    *other->cleanable() = cleanable_;
    for (size_t i = 0; i < sizeof(local_); i++) {
      other->local_[i] = local_[i];
    }
    other->self_ = self_ == local_ ? other->local_ : self_;
    other->self_size_ = self_size_;
    other->slice_ = slice_;
    other->is_pinned_ = is_pinned_;
    if (!is_pinned_) {
      other->slice_.data = other->self_;
    }
    make();
  }

  Cleanable* cleanable() { return &cleanable_; }
  const Slice& slice() const { return slice_; }

  /* Frees the object's text, after the cleanable was ended. */
  void end() {
    if (self_ != local_) {
      ::operator delete(self_);
    }
  }

 private:
  friend struct Layout;

  Slice slice_;
  Cleanable cleanable_;
  char* self_; /* a std::string */
  size_t self_size_;
  char local_[16];
  void* buffer_;
  bool is_pinned_;
};

/* rocksdb::GetMergeOperandsOptions with an empty callback. */
struct MergeOperandsOptions {
  int most;
  void* callback[4];
};

/* rocksdb::WaitForCompactOptions */
struct WaitOptions {
  bool abort_on_pause;
  bool flush;
  bool wait_for_purge;
  bool close_db;
  int64_t timeout_micros;
};

/* Indexes in the vtable of rocksdb::DB. */
enum DatabaseSlot { kGetEntity = 40, kGetMergeOperands = 42, kMultiGetEntity = 51, kWaitForCompact = 105, kIngestExternalFiles = 144 };

/* Indexes in the vtable of rocksdb::Transaction. */
enum TransactionSlot {
  kTransactionGetEntity = 17,
  kTransactionMultiGet = 20,
  kTransactionMultiGetEntity = 21,
  kGetEntityForUpdate = 27,
  kTransactionPutEntity = 38
};

/* An index in the vtable of rocksdb::WriteBatchWithIndex. */
enum BatchSlot { kBatchPutEntity = 8 };

/* An index in the vtable of rocksdb::Iterator. */
enum IteratorSlot { kColumns = 15, kPrepare = 18 };

/* An index in the vtable of rocksdb::ColumnFamilyHandle. */
enum FamilySlot { kGetComparator = 5 };

/* The engine's handles of C++ objects: the pointer to the object comes first, see c.cc. */
struct ObjectHandle {
  void* rep;
};

/* Returns the C++ object of a handle. */
inline void* object_of(const void* handle) { return static_cast<const ObjectHandle*>(handle)->rep; }

/* Returns memory that is not initialized; throws if no memory is left. */
template <typename Element>
Element* allocate(size_t count) {
  return static_cast<Element*>(::operator new(count * sizeof(Element)));
}

/* A std::string that the engine only reads: its text belongs to the caller. */
struct Text {
  const char* data;
  size_t size;
  char local[16];
};

/* rocksdb::ScanOptions; without properties if the rest is 0. */
struct ScanRange {
  Slice start;
  Slice limit;
  uint64_t properties[8];
};

/* rocksdb::MultiScanArgs */
struct ScanArguments {
  uint64_t coalesced_gap;
  uint64_t most_bytes;
  bool asynchronous;
  bool reverse;
  SharedPointer dispatcher;
  const void* comparator;
  Vector<ScanRange> ranges;
};

/* rocksdb::LiveFileMetaData, also behind a rocksdb_livefile_t. */
struct LiveFile {
  String relative_filename;
  String directory;
  uint64_t file_number;
  uint64_t file_type;
  uint64_t size;
  uint64_t temperature_and_checksum[9];
  uint64_t smallest_seqno;
  uint64_t largest_seqno;
  String smallestkey;
  String largestkey;
  uint64_t num_reads_sampled;
  uint64_t being_compacted;
  uint64_t num_entries;
  uint64_t num_deletions;
  uint64_t oldest_blob_and_times[3];
  uint64_t epoch_number;
  String smallest;
  String largest;
  String name;
  String db_path;
  String column_family_name;
  int level;
};

/* rocksdb::IngestExternalFileOptions, also behind a rocksdb_ingestexternalfileoptions_t. */
struct IngestOptions {
  uint64_t words[5];
};

/* rocksdb::IngestExternalFileArg; the rest has its defaults if all its bytes are 0. */
struct Ingestion {
  void* column_family;
  Vector<Text> files;
  IngestOptions options;
  uint64_t rest[15];
};

/* Returns a virtual function of an object. Its first parameter is the object. */
template <typename Function>
Function virtual_function(const void* object, int slot) {
  return reinterpret_cast<Function>((*static_cast<void* const* const*>(object))[slot]);
}

}  // namespace rocksdb_ffm

#endif
