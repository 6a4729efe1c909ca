/* Licensed under the Apache License, Version 2.0; see LICENSE. */

#include <stdlib.h>
#include <string.h>

#include "status.h"

namespace rocksdb_ffm {
namespace {

using Engine = rocksdb_ffm_cxx_engine;
using Reader = rocksdb_ffm_cxx_reader;

/* The columns of one key, or its operands. */
struct Entity {
  rocksdb_ffm_cxx_columns shown = {nullptr, nullptr};
  PinnedColumns pinned = {nullptr, {nullptr, nullptr, nullptr}, {nullptr, nullptr, nullptr}};
  PinnedSlice* operands = nullptr;
  size_t operand_count = 0;
  Column* operand_columns = nullptr;
};

void show(Entity* entity, const Column* begin, const Column* end) {
  entity->shown.begin = reinterpret_cast<const rocksdb_ffm_cxx_column*>(begin);
  entity->shown.end = reinterpret_cast<const rocksdb_ffm_cxx_column*>(end);
}

void end_columns(const Engine* engine, PinnedColumns* columns) {
  reinterpret_cast<void (*)(PinnedColumns*)>(engine->pinnable_wide_columns_destroy)(columns);
}

void end_operands(const Engine* engine, Entity* entity) {
  auto clean = reinterpret_cast<void (*)(Cleanable*)>(engine->cleanable_destroy);
  for (size_t i = 0; i < entity->operand_count; i++) {
    clean(entity->operands[i].cleanable());
    entity->operands[i].end();
  }
  ::operator delete(entity->operands);
  ::operator delete(entity->operand_columns);
  entity->operands = nullptr;
  entity->operand_columns = nullptr;
  entity->operand_count = 0;
}

void destroy(const Engine* engine, Entity* entity) {
  if (entity != nullptr) {
    end_columns(engine, &entity->pinned);
    end_operands(engine, entity);
    delete entity;
  }
}

Status get(const Engine* engine, const Reader* reader, int64_t source, const Slice& key, PinnedColumns* columns) {
  using Get = Status (*)(void*, const void*, void*, const Slice&, PinnedColumns*);
  using GetForUpdate = Status (*)(void*, const void*, void*, const Slice&, PinnedColumns*, bool, bool);
  using GetOverBatch = Status (*)(void*, void*, const void*, void*, const Slice&, PinnedColumns*, void*);
  void* family = object_of(reader->column_family);
  if (source == ROCKSDB_FFM_CXX_OF_BATCH) {
    auto over = static_cast<const rocksdb_ffm_cxx_batch*>(reader->source);
    return reinterpret_cast<GetOverBatch>(engine->get_entity_from_batch_and_db)(
        object_of(over->batch), object_of(over->db), reader->options, family, key, columns, nullptr);
  }
  void* target = object_of(reader->source);
  switch (source) {
    case ROCKSDB_FFM_CXX_OF_DATABASE:
      return virtual_function<Get>(target, kGetEntity)(target, reader->options, family, key, columns);
    case ROCKSDB_FFM_CXX_OF_TRANSACTION:
      return virtual_function<Get>(target, kTransactionGetEntity)(target, reader->options, family, key, columns);
    default:
      return virtual_function<GetForUpdate>(target, kGetEntityForUpdate)(
          target, reader->options, family, key, columns, source == ROCKSDB_FFM_CXX_FOR_UPDATE, true);
  }
}

Status put(const Reader* reader, int64_t source, const Slice& key, const Vector<Column>& columns) {
  using PutInBatch = Status (*)(void*, void*, const Slice&, const Vector<Column>&);
  using PutInTransaction = Status (*)(void*, void*, const Slice&, const Vector<Column>&, bool);
  void* family = object_of(reader->column_family);
  if (source == ROCKSDB_FFM_CXX_OF_BATCH) {
    void* batch = object_of(static_cast<const rocksdb_ffm_cxx_batch*>(reader->source)->batch);
    return virtual_function<PutInBatch>(batch, kBatchPutEntity)(batch, family, key, columns);
  }
  void* transaction = object_of(reader->source);
  return virtual_function<PutInTransaction>(transaction, kTransactionPutEntity)(transaction, family, key, columns,
                                                                                false);
}

/* Reads operands; returns Incomplete, with their number, if there are more than `most`. */
Status get_operands(const Reader* reader, const Slice& key, Entity* entity, int most, int* count) {
  using Get = Status (*)(void*, const void*, void*, const Slice&, PinnedSlice*, MergeOperandsOptions*, int*);
  entity->operands = allocate<PinnedSlice>(static_cast<size_t>(most));
  for (entity->operand_count = 0; entity->operand_count < static_cast<size_t>(most); entity->operand_count++) {
    entity->operands[entity->operand_count].make();
  }
  MergeOperandsOptions options = {most, {nullptr, nullptr, nullptr, nullptr}};
  void* database = object_of(reader->source);
  return virtual_function<Get>(database, kGetMergeOperands)(database, reader->options, object_of(reader->column_family),
                                                            key, entity->operands, &options, count);
}

void show_operands(Entity* entity, size_t count) {
  entity->operand_columns = allocate<Column>(count);
  for (size_t i = 0; i < count; i++) {
    entity->operand_columns[i] = {{nullptr, 0}, entity->operands[i].slice()};
  }
  show(entity, entity->operand_columns, entity->operand_columns + count);
}

/* The memory of a read of many keys. */
class ManyKeys {
 public:
  ManyKeys(const Engine* engine, size_t count)
      : engine_(engine), count_(count), columns_(allocate<PinnedColumns>(count)) {
    memset(columns_, 0, count * sizeof(PinnedColumns));
    statuses_ = static_cast<Status*>(calloc(count, sizeof(Status))); /* OK has only bytes of 0 */
  }

  ManyKeys(const ManyKeys&) = delete;
  ManyKeys& operator=(const ManyKeys&) = delete;

  ~ManyKeys() {
    for (size_t i = 0; i < count_; i++) {
      end_columns(engine_, &columns_[i]);
      if (statuses_ != nullptr) {
        statuses_[i].~Status();
      }
    }
    ::operator delete(columns_);
    free(statuses_);
  }

  /* Reads the keys, and returns the message of the first failure. */
  char* read(const Reader* reader, int64_t source, const Slice* keys, Entity** entities) {
    using GetAll = void (*)(void*, const void*, void*, size_t, const Slice*, PinnedColumns*, Status*, bool);
    using GetOverBatch =
        void (*)(void*, void*, const void*, void*, size_t, const Slice*, PinnedColumns*, Status*, bool, void*);
    if (statuses_ == nullptr) {
      return thrown();
    }
    void* family = object_of(reader->column_family);
    if (source == ROCKSDB_FFM_CXX_OF_BATCH) {
      auto over = static_cast<const rocksdb_ffm_cxx_batch*>(reader->source);
      reinterpret_cast<GetOverBatch>(engine_->multi_get_entity_from_batch_and_db)(
          object_of(over->batch), object_of(over->db), reader->options, family, count_, keys, columns_, statuses_,
          false, nullptr);
    } else {
      void* target = object_of(reader->source);
      int slot = source == ROCKSDB_FFM_CXX_OF_DATABASE ? int{kMultiGetEntity} : int{kTransactionMultiGetEntity};
      virtual_function<GetAll>(target, slot)(target, reader->options, family, count_, keys, columns_, statuses_, false);
    }
    for (size_t i = 0; i < count_; i++) {
      if (statuses_[i].ok()) {
        entities[i] = new Entity();
        entities[i]->pinned = columns_[i];
        memset(&columns_[i], 0, sizeof(PinnedColumns));
        show(entities[i], entities[i]->pinned.columns.begin, entities[i]->pinned.columns.end);
      } else if (!statuses_[i].is_not_found()) {
        return message(engine_, statuses_[i]);
      }
    }
    return nullptr;
  }

 private:
  const Engine* engine_;
  size_t count_;
  PinnedColumns* columns_;
  Status* statuses_;
};

constexpr int kFirstOperands = 16;

}  // namespace
}  // namespace rocksdb_ffm

using rocksdb_ffm::Entity;
using rocksdb_ffm::Slice;

rocksdb_ffm_cxx_columns* rocksdb_ffm_cxx_entity(const rocksdb_ffm_cxx_engine* engine,
                                                const rocksdb_ffm_cxx_reader* reader, int64_t source, const char* key,
                                                size_t key_size, char** error) {
  Entity* entity = nullptr;
  bool found = rocksdb_ffm::found(engine, error, [&] {
    entity = new Entity();
    return rocksdb_ffm::get(engine, reader, source, Slice{key, key_size}, &entity->pinned);
  });
  if (!found) {
    rocksdb_ffm::destroy(engine, entity);
    return nullptr;
  }
  rocksdb_ffm::show(entity, entity->pinned.columns.begin, entity->pinned.columns.end);
  return &entity->shown;
}

void rocksdb_ffm_cxx_entity_destroy(const rocksdb_ffm_cxx_engine* engine, rocksdb_ffm_cxx_columns* columns) {
  rocksdb_ffm::destroy(engine, reinterpret_cast<Entity*>(columns));
}

void rocksdb_ffm_cxx_entities(const rocksdb_ffm_cxx_engine* engine, const rocksdb_ffm_cxx_reader* reader,
                              int64_t source, const rocksdb_ffm_cxx_keys* keys, rocksdb_ffm_cxx_columns** entities,
                              char** error) {
  size_t count = keys->count;
  *error = nullptr;
  if (count == 0) {
    return; /* a batch refuses no keys, and a database does not */
  }
  memset(entities, 0, count * sizeof *entities);
  try {
    rocksdb_ffm::ManyKeys many(engine, count);
    *error = many.read(reader, source, reinterpret_cast<const Slice*>(keys->keys),
                       reinterpret_cast<Entity**>(entities));
  } catch (...) {
    *error = rocksdb_ffm::thrown();
  }
  if (*error != nullptr) {
    for (size_t i = 0; i < count; i++) {
      rocksdb_ffm::destroy(engine, reinterpret_cast<Entity*>(entities[i]));
      entities[i] = nullptr;
    }
  }
}

rocksdb_ffm_cxx_columns* rocksdb_ffm_cxx_operands(const rocksdb_ffm_cxx_engine* engine,
                                                  const rocksdb_ffm_cxx_reader* reader, const char* key,
                                                  size_t key_size, char** error) {
  Entity* entity = nullptr;
  int most = rocksdb_ffm::kFirstOperands;
  int count = 0;
  bool retry = true;
  bool found = false;
  while (retry) {
    found = rocksdb_ffm::found(engine, error, [&] {
      if (entity == nullptr) {
        entity = new Entity();
      }
      return rocksdb_ffm::get_operands(reader, Slice{key, key_size}, entity, most, &count);
    });
    retry = *error != nullptr && count > most; /* other threads may add operands in between */
    if (retry) {
      free(*error);
      most = count;
      rocksdb_ffm::end_operands(engine, entity);
    }
  }
  if (found) {
    found = rocksdb_ffm::found(engine, error, [&] {
      rocksdb_ffm::show_operands(entity, static_cast<size_t>(count));
      return rocksdb_ffm::Status();
    });
  }
  if (!found) {
    rocksdb_ffm::destroy(engine, entity);
    return nullptr;
  }
  return &entity->shown;
}

void rocksdb_ffm_cxx_put_entity(const rocksdb_ffm_cxx_engine* engine, const rocksdb_ffm_cxx_reader* reader,
                                int64_t source, const rocksdb_ffm_cxx_slice* key,
                                const rocksdb_ffm_cxx_columns* columns, char** error) {
  auto begin = reinterpret_cast<rocksdb_ffm::Column*>(const_cast<rocksdb_ffm_cxx_column*>(columns->begin));
  auto end = reinterpret_cast<rocksdb_ffm::Column*>(const_cast<rocksdb_ffm_cxx_column*>(columns->end));
  rocksdb_ffm::Vector<rocksdb_ffm::Column> sorted = {begin, end, end};
  rocksdb_ffm::report(engine, error,
                      [&] { return rocksdb_ffm::put(reader, source, Slice{key->data, key->size}, sorted); });
}

const rocksdb_ffm_cxx_columns* rocksdb_ffm_cxx_row(const void* iterator) {
  using Columns = const rocksdb_ffm_cxx_columns* (*)(const void*);
  void* rows = rocksdb_ffm::object_of(iterator);
  return rocksdb_ffm::virtual_function<Columns>(rows, rocksdb_ffm::kColumns)(rows);
}
