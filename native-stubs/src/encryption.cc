/* Licensed under the Apache License, Version 2.0; see LICENSE. */

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "aes.h"
#include "status.h"

namespace rocksdb_ffm {
namespace {

constexpr char kMagic[] = "ffm-aes\n";
constexpr char kRight[] = "key is right\n\n\n\n";
constexpr unsigned char kVersion[8] = {1, 0, 0, 0, 0, 0, 0, 0};
constexpr size_t kVersionAt = 8;
constexpr size_t kNonceAt = 16;
constexpr size_t kKeyIdAt = 32;
constexpr size_t kRightAt = 64;
constexpr size_t kUsed = 80;

struct Key {
  char id[ROCKSDB_FFM_CXX_KEY_ID];
  AesKey aes;
};

/* Returns a status whose text says which file it is about. */
Status failure(Status::Code code, const char* text, const String& file) {
  size_t length = strlen(text);
  char* joined = new char[length + file.size() + 3];
  memcpy(joined, text, length);
  memcpy(joined + length, ": ", 2);
  memcpy(joined + length + 2, file.data(), file.size());
  joined[length + 2 + file.size()] = 0;
  return Status(code, joined);
}

/*
 * The nonce of the prefix that this thread has just made. The engine makes a prefix and
 * then its stream on one thread; only that stream may encrypt. So a position of a file
 * is never encrypted with a nonce that was read from a file.
 */
thread_local unsigned char fresh_nonce[kAesBlock];
thread_local bool has_fresh_nonce = false;

bool take_fresh_nonce(const unsigned char* nonce) {
  bool fresh = has_fresh_nonce && memcmp(fresh_nonce, nonce, kAesBlock) == 0;
  has_fresh_nonce = false;
  return fresh;
}

/*
 * Whether a WAL file lost its prefix in a power failure. Such a file was never synced, so no synced row is lost;
 * recovery must read the file as zeros.
 */
bool is_lost_log(const String& file, const unsigned char* prefix, size_t size) {
  if (file.size() < 4 || memcmp(file.data() + file.size() - 4, ".log", 4) != 0) {
    return false;
  }
  for (size_t i = 0; i < size; i++) {
    if (prefix[i] != 0) {
      return size < ROCKSDB_FFM_CXX_PREFIX;
    }
  }
  return true;
}

/* Reads a device, because the oldest supported C library has no getrandom. */
bool fill_randomly(unsigned char* bytes, size_t size) {
  int device = open("/dev/urandom", O_RDONLY | O_CLOEXEC);
  if (device < 0) {
    return false;
  }
  while (size > 0) {
    ssize_t count = read(device, bytes, size);
    if (count <= 0 && errno != EINTR) {
      break;
    }
    if (count > 0) {
      bytes += count;
      size -= static_cast<size_t>(count);
    }
  }
  close(device);
  return size == 0;
}

class Stream final : public CipherStream {
 public:
  Stream(const AesKey* key, const unsigned char* nonce, bool writes) : key_(key), next_(0), writes_(writes) {
    if (key != nullptr) {
      memcpy(nonce_, nonce, kAesBlock);
    }
  }

  size_t BlockSize() override { return kAesBlock; }

  /* Refuses to encrypt a position again, because two texts under one key stream reveal both. */
  Status Encrypt(uint64_t offset, char* data, size_t size) override {
    if (!writes_ || offset < next_) {
      return failure(Status::kIoError, "An encrypted file is written once, from its start to its end", String());
    }
    next_ = offset + size;
    return Decrypt(offset, data, size);
  }

  Status Decrypt(uint64_t offset, char* data, size_t size) override {
    if (key_ == nullptr) {
      memset(data, 0, size);
      return Status();
    }
    aes_ctr(*key_, nonce_, offset, reinterpret_cast<unsigned char*>(data), size);
    return Status();
  }

  static void* operator new(size_t size) { return ::operator new(size); }
  static void operator delete(void* stream) { ::operator delete(stream); }

 protected:
  void AllocateScratch(String&) override {}
  Status EncryptBlock(uint64_t, char*, char*) override { return Status(Status::kNotSupported, nullptr); }
  Status DecryptBlock(uint64_t, char*, char*) override { return Status(Status::kNotSupported, nullptr); }

 private:
  const AesKey* const key_; /* NULL: the content is read as zeros */
  unsigned char nonce_[kAesBlock];
  uint64_t next_;
  const bool writes_;
};

/* The provider of the engine's encrypted file system. Owned by Java; the engine's pointer to it owns nothing. */
struct Encryption final : public CipherProvider {
  const rocksdb_ffm_cxx_engine* engine = nullptr;
  EnvironmentHandle env = {nullptr, false};
  Key* keys = nullptr;
  size_t count = 0;
  void** original_slots = nullptr;
  /* The file system's vtable, with changed slots. The words before the slots: this object, the offset to the top, and
   * the type. */
  void* slots[3 + kFileSystemSlots];

  int check(const unsigned char* prefix, size_t size, const AesKey** key) const {
    if (size < kUsed || memcmp(prefix, kMagic, kVersionAt) != 0) {
      return ROCKSDB_FFM_CXX_NO_PREFIX;
    }
    if (memcmp(prefix + kVersionAt, kVersion, sizeof kVersion) != 0) {
      return ROCKSDB_FFM_CXX_OTHER_VERSION;
    }
    for (size_t i = 0; i < count; i++) {
      if (memcmp(prefix + kKeyIdAt, keys[i].id, ROCKSDB_FFM_CXX_KEY_ID) == 0) {
        unsigned char right[kAesBlock];
        memcpy(right, prefix + kRightAt, sizeof right);
        aes_ctr(keys[i].aes, prefix + kNonceAt, kRightAt, right, sizeof right);
        *key = &keys[i].aes;
        return memcmp(right, kRight, sizeof right) == 0 ? ROCKSDB_FFM_CXX_READABLE
                                                                     : ROCKSDB_FFM_CXX_WRONG_KEY;
      }
    }
    return ROCKSDB_FFM_CXX_UNKNOWN_KEY;
  }

  size_t GetPrefixLength() const override { return ROCKSDB_FFM_CXX_PREFIX; }

  /* Returns false if there are no random numbers. */
  bool make_prefix(unsigned char* bytes, size_t size) const {
    memset(bytes, 0, size);
    memcpy(bytes, kMagic, kVersionAt);
    memcpy(bytes + kVersionAt, kVersion, sizeof kVersion);
    unsigned char* nonce = bytes + kNonceAt;
    if (!fill_randomly(nonce, kAesBlock)) {
      return false;
    }
    memcpy(bytes + kKeyIdAt, keys[0].id, ROCKSDB_FFM_CXX_KEY_ID);
    memcpy(bytes + kRightAt, kRight, kAesBlock);
    aes_ctr(keys[0].aes, nonce, kRightAt, bytes + kRightAt, kAesBlock);
    return true;
  }

  Status CreateNewPrefix(const String& file, char* prefix, size_t size) const override {
    auto* bytes = reinterpret_cast<unsigned char*>(prefix);
    if (!make_prefix(bytes, size)) {
      return failure(Status::kIoError, "Cannot read /dev/urandom, for the nonce of an encrypted file", file);
    }
    memcpy(fresh_nonce, bytes + kNonceAt, kAesBlock);
    has_fresh_nonce = true;
    return Status();
  }

  Status CreateCipherStream(const String& file, const Opaque&, Slice& prefix,
                            CipherStream** stream) override {
    auto* bytes = reinterpret_cast<const unsigned char*>(prefix.data);
    if (is_lost_log(file, bytes, prefix.size)) {
      *stream = new Stream(nullptr, bytes, false);
      return Status();
    }
    const AesKey* key = nullptr;
    switch (check(bytes, prefix.size, &key)) {
      case ROCKSDB_FFM_CXX_READABLE:
        break;
      case ROCKSDB_FFM_CXX_NO_PREFIX:
        return failure(Status::kCorruption, "The file is not encrypted, or its prefix is damaged", file);
      case ROCKSDB_FFM_CXX_OTHER_VERSION:
        return failure(Status::kNotSupported, "A newer version of rocksdb-ffm encrypted the file", file);
      case ROCKSDB_FFM_CXX_UNKNOWN_KEY:
        return failure(Status::kInvalidArgument, "The keys lack the key that the file is encrypted with", file);
      default:
        return failure(Status::kCorruption, "The file is encrypted with another key of this id, or its prefix is damaged",
                       file);
    }
    const unsigned char* nonce = bytes + kNonceAt;
    *stream = new Stream(key, nonce, take_fresh_nonce(nonce));
    return Status();
  }

  Status AddCipher(const String&, const char*, size_t, bool) override { return Status(Status::kNotSupported, nullptr); }
  String GetMarker() const override { return String(); }

  const char* Name() const override { return "rocksdb_ffm"; }
  const char* NickName() const override { return ""; }
  String GetId() const override { return String(); }
  bool IsInstanceOf(const String&) const override { return false; }
  const void* Inner() const override { return nullptr; }

  /* The provider has no options. */
  Status GetOption(const Opaque&, const String&, String*) const override {
    return Status(Status::kNotSupported, nullptr);
  }
  bool AreEquivalent(const Opaque&, const CipherProvider* other, String*) const override { return other == this; }
  String GetPrintableOptions() const override { return String(); }
  Status PrepareOptions(const Opaque&) override { return Status(); }
  Status ValidateOptions(const Opaque&, const Opaque&) const override { return Status(); }
  const void* GetOptionsPtr(const String&) const override { return nullptr; }
  Status ParseStringOptions(const Opaque&, const String&) override { return Status(Status::kNotSupported, nullptr); }
  Status ConfigureOptions(const Opaque&, const Opaque&, Opaque*) override {
    return Status(Status::kNotSupported, nullptr);
  }
  Status ParseOption(const Opaque&, const Opaque&, const String&, const String&, void*) override {
    return Status(Status::kNotSupported, nullptr);
  }
  bool OptionsAreEqual(const Opaque&, const Opaque&, const String&, const void*, const void*, String*) const override {
    return true;
  }
  String SerializeOptions(const Opaque&, const String&) const override { return String(); }
  String GetOptionName(const String&) const override { return String(); }
};

/* The file system's first word points to the slots. */
Encryption* encryption_of(void* file_system) { return static_cast<Encryption*>((*static_cast<void***>(file_system))[-3]); }

/*
 * The engine reopens a file to truncate a WAL after recovery, and to append to a MANIFEST. Both uses are optional. An
 * appended byte could be encrypted at a position at which a byte was encrypted before, and lost.
 */
Status reopen_writable_file(void*, const String& file, const Opaque*, void**, void*) {
  return failure(Status::kNotSupported, "An encrypted file is not written again", file);
}

Status new_random_rw_file(void*, const String& file, const Opaque*, void**, void*) {
  return failure(Status::kNotSupported, "An encrypted file is not changed in place", file);
}

using Reuse = Status (*)(void*, const String&, const String&, const Opaque*, void**, void*);

/* Truncates the old file first: its content would be decrypted with the new nonce, and recovery would find nonsense
 * after the last record. */
Status reuse_writable_file(void* file_system, const String& file, const String& old_file, const Opaque* options,
                           void** result, void* context) {
  if (truncate(old_file.data(), 0) != 0) {
    return failure(Status::kIoError, strerror(errno), old_file);
  }
  void** slots = encryption_of(file_system)->original_slots;
  return reinterpret_cast<Reuse>(slots[kReuseWritableFile])(file_system, file, old_file, options, result, context);
}

using NewEnvLogger = Status (*)(const String&, Environment*, SharedPointer*);

/* The info log contains keys. The engine's encrypted file system would write it as it is. */
Status new_logger(void* file_system, const String& file, const Opaque*, SharedPointer* logger, void*) {
  Encryption* encryption = encryption_of(file_system);
  return reinterpret_cast<NewEnvLogger>(encryption->engine->new_env_logger)(file, encryption->env.rep, logger);
}

template <typename Function>
void* address(Function function) {
  return reinterpret_cast<void*>(function);
}

/* Changes functions of one file system object, by a copy of its vtable. */
void change_slots(void* file_system, Encryption* encryption) {
  void*** vtable = static_cast<void***>(file_system);
  encryption->original_slots = *vtable;
  memcpy(encryption->slots + 1, *vtable - 2, sizeof encryption->slots - sizeof(void*));
  encryption->slots[0] = encryption;
  void** slots = encryption->slots + 3;
  slots[kReopenWritableFile] = address(reopen_writable_file);
  slots[kReuseWritableFile] = address(reuse_writable_file);
  slots[kNewRandomRWFile] = address(new_random_rw_file);
  slots[kNewLogger] = address(new_logger);
  *vtable = slots;
}

void create_environment(const rocksdb_ffm_cxx_engine* engine, Encryption* encryption) {
  auto env_default = reinterpret_cast<Environment* (*)()>(engine->env_default);
  auto new_env = reinterpret_cast<Environment* (*)(Environment*, const SharedPointer&)>(engine->new_encrypted_env);
  auto file_system = reinterpret_cast<const SharedPointer& (*)(const Environment*)>(engine->env_file_system);
  SharedPointer provider{static_cast<CipherProvider*>(encryption), nullptr};
  encryption->env.rep = new_env(env_default(), provider);
  encryption->env.is_default = false;
  change_slots(file_system(encryption->env.rep).object, encryption);
}

void destroy(Encryption* encryption) {
  delete encryption->env.rep;
  if (encryption->keys != nullptr) {
    wipe(encryption->keys, encryption->count * sizeof(Key));
    free(encryption->keys);
  }
  delete encryption;
}

/* Java's handle. */
Encryption* object(rocksdb_ffm_cxx_encryption* handle) { return reinterpret_cast<Encryption*>(handle); }

const Encryption* object(const rocksdb_ffm_cxx_encryption* handle) {
  return reinterpret_cast<const Encryption*>(handle);
}

Key* allocate_keys(size_t count) { return static_cast<Key*>(aligned_alloc(alignof(Key), count * sizeof(Key))); }

}  // namespace
}  // namespace rocksdb_ffm

rocksdb_ffm_cxx_encryption* rocksdb_ffm_cxx_encryption_create(const rocksdb_ffm_cxx_engine* engine,
                                                              const rocksdb_ffm_cxx_key* keys, size_t count,
                                                              char** error) {
  rocksdb_ffm::Encryption* encryption = nullptr;
  rocksdb_ffm::report(engine, error, [&] {
    encryption = new rocksdb_ffm::Encryption();
    encryption->engine = engine;
    encryption->keys = rocksdb_ffm::allocate_keys(count);
    if (encryption->keys == nullptr) {
      return rocksdb_ffm::Status(rocksdb_ffm::Status::kIoError, nullptr);
    }
    encryption->count = count;
    for (size_t i = 0; i < count; i++) {
      memcpy(encryption->keys[i].id, keys[i].id, sizeof keys[i].id);
      rocksdb_ffm::expand(keys[i].bytes, &encryption->keys[i].aes);
    }
    rocksdb_ffm::create_environment(engine, encryption);
    return rocksdb_ffm::Status();
  });
  if (*error != nullptr && encryption != nullptr) {
    rocksdb_ffm::destroy(encryption);
    return nullptr;
  }
  return reinterpret_cast<rocksdb_ffm_cxx_encryption*>(encryption);
}

rocksdb_env_t* rocksdb_ffm_cxx_encryption_env(rocksdb_ffm_cxx_encryption* encryption) {
  return reinterpret_cast<rocksdb_env_t*>(&rocksdb_ffm::object(encryption)->env);
}

void rocksdb_ffm_cxx_encryption_destroy(rocksdb_ffm_cxx_encryption* encryption) {
  rocksdb_ffm::destroy(rocksdb_ffm::object(encryption));
}

int rocksdb_ffm_cxx_check(const rocksdb_ffm_cxx_encryption* encryption, const unsigned char* prefix, size_t size) {
  const rocksdb_ffm::AesKey* key = nullptr;
  return rocksdb_ffm::object(encryption)->check(prefix, size, &key);
}

void rocksdb_ffm_cxx_decrypt(const rocksdb_ffm_cxx_encryption* encryption, const unsigned char* prefix, uint64_t offset,
                             unsigned char* data, size_t size) {
  const rocksdb_ffm::AesKey* key = nullptr;
  if (rocksdb_ffm::object(encryption)->check(prefix, rocksdb_ffm::kUsed, &key) == ROCKSDB_FFM_CXX_READABLE) {
    aes_ctr(*key, prefix + rocksdb_ffm::kNonceAt, offset, data, size);
  }
}

int rocksdb_ffm_cxx_new_prefix(const rocksdb_ffm_cxx_encryption* encryption, unsigned char* prefix) {
  return rocksdb_ffm::object(encryption)->make_prefix(prefix, ROCKSDB_FFM_CXX_PREFIX) ? 1 : 0;
}

void rocksdb_ffm_cxx_aes_ctr(const unsigned char* key, const unsigned char* nonce, uint64_t offset, unsigned char* data,
                             size_t size, int variant) {
  constexpr decltype(&rocksdb_ffm::aes_ctr) variants[] = {rocksdb_ffm::aes_ctr, rocksdb_ffm::aes_ctr_portable,
                                                          rocksdb_ffm::aes_ctr_narrow};
  rocksdb_ffm::AesKey expanded;
  rocksdb_ffm::expand(key, &expanded);
  variants[variant](expanded, nonce, offset, data, size);
  rocksdb_ffm::wipe(&expanded, sizeof expanded);
}
