/* Licensed under the Apache License, Version 2.0; see LICENSE. */

#include "status.h"

struct rocksdb_ffm_cxx_table {
  void* reader; /* a rocksdb::SstFileReader, which is one pointer */
  rocksdb_ffm::TableIterator* entries;
  bool started;
};

namespace rocksdb_ffm {
namespace {

using Engine = rocksdb_ffm_cxx_engine;
using Table = rocksdb_ffm_cxx_table;

void close(const Engine* engine, Table* table) {
  delete table->entries;
  reinterpret_cast<void (*)(void*)>(engine->sst_file_reader_destroy)(&table->reader);
  delete table;
}

/* Creates a table without a file. */
Table* create(const Engine* engine, const void* options) {
  Table* table = new Table{nullptr, nullptr, false};
  try {
    reinterpret_cast<void (*)(void*, const void*)>(engine->sst_file_reader_create)(&table->reader, options);
  } catch (...) {
    delete table;
    throw;
  }
  return table;
}

Status open(const Engine* engine, Table* table, const Text& path) {
  using Open = Status (*)(void*, const Text&);
  return reinterpret_cast<Open>(engine->sst_file_reader_open)(&table->reader, path);
}

TableIterator* entries_of(const Engine* engine, Table* table) {
  using NewIterator = Result<TableIterator> (*)(void*);
  return reinterpret_cast<NewIterator>(engine->sst_file_reader_new_table_iterator)(&table->reader).object;
}

Status next(Table* table) {
  if (table->started) {
    table->entries->Next();
  } else {
    table->entries->SeekToFirst();
    table->started = true;
  }
  return table->entries->status();
}

rocksdb_ffm_cxx_slice shown(const Slice& slice) { return {slice.data, slice.size}; }

}  // namespace
}  // namespace rocksdb_ffm

rocksdb_ffm_cxx_table* rocksdb_ffm_cxx_table_open(const rocksdb_ffm_cxx_engine* engine, const void* options,
                                                  const rocksdb_ffm_cxx_slice* path, char** error) {
  using namespace rocksdb_ffm;
  Table* table = nullptr;
  report(engine, error, [&]() -> Status {
    table = create(engine, options);
    return open(engine, table, Text{path->data, path->size, {0}});
  });
  if (*error == nullptr) {
    report(engine, error, [&]() -> Status {
      table->entries = entries_of(engine, table);
      return Status();
    });
  }
  if (*error != nullptr && table != nullptr) {
    close(engine, table);
    table = nullptr;
  }
  return table;
}

int64_t rocksdb_ffm_cxx_table_next(const rocksdb_ffm_cxx_engine* engine, rocksdb_ffm_cxx_table* table,
                                   rocksdb_ffm_cxx_column* entry, char** error) {
  using namespace rocksdb_ffm;
  report(engine, error, [=]() -> Status { return next(table); });
  if (*error != nullptr || !table->entries->Valid()) {
    return 0;
  }
  entry->name = shown(table->entries->key());
  entry->value = shown(table->entries->value());
  return 1;
}

void rocksdb_ffm_cxx_table_close(const rocksdb_ffm_cxx_engine* engine, rocksdb_ffm_cxx_table* table) {
  rocksdb_ffm::close(engine, table);
}
