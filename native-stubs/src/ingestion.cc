/* Licensed under the Apache License, Version 2.0; see LICENSE. */

#include "status.h"

namespace rocksdb_ffm {
namespace {

/* The arguments of an ingestion. */
class Ingestions {
 public:
  Ingestions(const rocksdb_ffm_cxx_ingestion* families, size_t count) {
    size_t files = 0;
    for (size_t i = 0; i < count; i++) {
      files += families[i].count;
    }
    texts_ = allocate<Text>(files);
    try {
      ingestions_ = allocate<Ingestion>(count);
    } catch (...) {
      ::operator delete(texts_);
      throw;
    }
    Text* text = texts_;
    for (size_t i = 0; i < count; i++) {
      text = fill(&ingestions_[i], families[i], text);
    }
    arguments_ = {ingestions_, ingestions_ + count, ingestions_ + count};
  }

  Ingestions(const Ingestions&) = delete;
  Ingestions& operator=(const Ingestions&) = delete;

  ~Ingestions() {
    ::operator delete(ingestions_);
    ::operator delete(texts_);
  }

  const Vector<Ingestion>& arguments() const { return arguments_; }

 private:
  static Text* fill(Ingestion* ingestion, const rocksdb_ffm_cxx_ingestion& family, Text* text) {
    memset(ingestion, 0, sizeof(Ingestion));
    ingestion->column_family = object_of(family.column_family);
    memcpy(&ingestion->options, family.options, sizeof(IngestOptions));
    ingestion->files.begin = text;
    for (size_t i = 0; i < family.count; i++) {
      *text++ = {family.files[i].data, family.files[i].size, {0}};
    }
    ingestion->files.end = text;
    ingestion->files.capacity = text;
    return text;
  }

  Text* texts_;
  Ingestion* ingestions_;
  Vector<Ingestion> arguments_;
};

}  // namespace
}  // namespace rocksdb_ffm

void rocksdb_ffm_cxx_ingest(const rocksdb_ffm_cxx_engine* engine, rocksdb_t* handle,
                            const rocksdb_ffm_cxx_ingestion* families, size_t count, char** error) {
  using namespace rocksdb_ffm;
  using Ingest = Status (*)(void*, const Vector<Ingestion>&);
  report(engine, error, [=]() -> Status {
    Ingestions ingestions(families, count);
    void* database = object_of(handle);
    return virtual_function<Ingest>(database, kIngestExternalFiles)(database, ingestions.arguments());
  });
}
