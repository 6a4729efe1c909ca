/* Licensed under the Apache License, Version 2.0; see LICENSE. */

/*
 * Compiled against the headers of the engine's release, by .ci/engine-headers: sizes and
 * offsets of the classes that engine.h declares. The order of virtual functions is checked
 * in the libraries themselves, see cxx-symbols.txt.
 */

#include <rocksdb/db.h>
#include <rocksdb/env.h>
#include <rocksdb/env_encryption.h>
#include <rocksdb/file_system.h>
#include <rocksdb/io_status.h>
#include <rocksdb/iterator.h>
#include <rocksdb/metadata.h>
#include <rocksdb/options.h>
#include <rocksdb/sst_file_reader.h>
#include <rocksdb/utilities/transaction.h>
#include <rocksdb/utilities/write_batch_with_index.h>
#include <rocksdb/wide_columns.h>

#include <cstddef>
#include <memory>
#include <string>
#include <type_traits>
#include <vector>

#include "engine.h"

namespace rocksdb_ffm {

/* A friend of the classes with private fields. */
struct Layout {
  static_assert(sizeof(Status) == sizeof(rocksdb::Status) && sizeof(Status) == sizeof(rocksdb::IOStatus));
  static_assert(alignof(Status) == alignof(rocksdb::Status));
  static_assert(offsetof(Status, code_) == 0 && offsetof(Status, state_) == 8);
  static constexpr size_t kSeverity = offsetof(Status, severity_);
  static_assert(Status::kOk == static_cast<int>(rocksdb::Status::kOk));
  static_assert(Status::kNotFound == static_cast<int>(rocksdb::Status::kNotFound));
  static_assert(Status::kIncomplete == static_cast<int>(rocksdb::Status::kIncomplete));
  static_assert(Status::kCorruption == static_cast<int>(rocksdb::Status::kCorruption));
  static_assert(Status::kNotSupported == static_cast<int>(rocksdb::Status::kNotSupported));
  static_assert(Status::kInvalidArgument == static_cast<int>(rocksdb::Status::kInvalidArgument));
  static_assert(Status::kIoError == static_cast<int>(rocksdb::Status::kIOError));

  static_assert(sizeof(String) == sizeof(std::string) && alignof(String) == alignof(std::string));
  static_assert(sizeof(Slice) == sizeof(rocksdb::Slice));
  static_assert(offsetof(Slice, data) == offsetof(rocksdb::Slice, data_));
  static_assert(offsetof(Slice, size) == offsetof(rocksdb::Slice, size_));
  static_assert(sizeof(SharedPointer) == sizeof(std::shared_ptr<rocksdb::EncryptionProvider>));
  static_assert(sizeof(CipherStream*) == sizeof(std::unique_ptr<rocksdb::BlockAccessCipherStream>));

  static_assert(sizeof(Column) == sizeof(rocksdb::WideColumn));
  static_assert(sizeof(Vector<Column>) == sizeof(rocksdb::WideColumns));
  static_assert(sizeof(PinnedColumns) == sizeof(rocksdb::PinnableWideColumns));
  static_assert(alignof(PinnedColumns) == alignof(rocksdb::PinnableWideColumns));
  static_assert(sizeof(Cleanable) == sizeof(rocksdb::Cleanable));
  static_assert(sizeof(PinnedSlice) == sizeof(rocksdb::PinnableSlice));
  static_assert(offsetof(MergeOperandsOptions, most) ==
                offsetof(rocksdb::GetMergeOperandsOptions, expected_max_number_of_operands));
  static_assert(offsetof(MergeOperandsOptions, callback) == offsetof(rocksdb::GetMergeOperandsOptions, continue_cb));
  static_assert(sizeof(MergeOperandsOptions) == sizeof(rocksdb::GetMergeOperandsOptions));

  static_assert(sizeof(WaitOptions) == sizeof(rocksdb::WaitForCompactOptions));
  static_assert(offsetof(WaitOptions, abort_on_pause) == offsetof(rocksdb::WaitForCompactOptions, abort_on_pause));
  static_assert(offsetof(WaitOptions, close_db) == offsetof(rocksdb::WaitForCompactOptions, close_db));
  static_assert(offsetof(WaitOptions, timeout_micros) == offsetof(rocksdb::WaitForCompactOptions, timeout));

  static_assert(sizeof(Text) == sizeof(std::string));
  static_assert(sizeof(IngestOptions) == sizeof(rocksdb::IngestExternalFileOptions));
  static_assert(std::is_trivially_copyable_v<rocksdb::IngestExternalFileOptions>);
  static_assert(sizeof(Ingestion) == sizeof(rocksdb::IngestExternalFileArg));
  static_assert(offsetof(Ingestion, files) == offsetof(rocksdb::IngestExternalFileArg, external_files));
  static_assert(offsetof(Ingestion, options) == offsetof(rocksdb::IngestExternalFileArg, options));
  static_assert(offsetof(Ingestion, rest) == offsetof(rocksdb::IngestExternalFileArg, files_checksums));
  static_assert(static_cast<int>(rocksdb::Temperature::kUnknown) == 0);

  static_assert(sizeof(rocksdb::SstFileReader) == sizeof(void*));
  static_assert(sizeof(Result<TableIterator>) == sizeof(std::unique_ptr<rocksdb::Iterator>));

  static_assert(sizeof(ScanRange) == sizeof(rocksdb::ScanOptions));
  static_assert(offsetof(ScanRange, properties) == offsetof(rocksdb::ScanOptions, property_bag));
  static_assert(sizeof(rocksdb::RangeOpt) == 2 * sizeof(Slice));
  static_assert(sizeof(ScanArguments) == sizeof(rocksdb::MultiScanArgs));
  static_assert(offsetof(ScanArguments, most_bytes) == offsetof(rocksdb::MultiScanArgs, max_prefetch_size));
  static_assert(offsetof(ScanArguments, reverse) == offsetof(rocksdb::MultiScanArgs, reverse));
  static_assert(offsetof(ScanArguments, dispatcher) == offsetof(rocksdb::MultiScanArgs, io_dispatcher));

  static_assert(sizeof(LiveFile) == sizeof(rocksdb::LiveFileMetaData));
  static_assert(offsetof(LiveFile, directory) == offsetof(rocksdb::LiveFileMetaData, directory));
  static_assert(offsetof(LiveFile, size) == offsetof(rocksdb::LiveFileMetaData, size));
  static_assert(offsetof(LiveFile, smallest_seqno) == offsetof(rocksdb::LiveFileMetaData, smallest_seqno));
  static_assert(offsetof(LiveFile, largest_seqno) == offsetof(rocksdb::LiveFileMetaData, largest_seqno));
  static_assert(offsetof(LiveFile, smallestkey) == offsetof(rocksdb::LiveFileMetaData, smallestkey));
  static_assert(offsetof(LiveFile, largestkey) == offsetof(rocksdb::LiveFileMetaData, largestkey));
  static_assert(offsetof(LiveFile, num_entries) == offsetof(rocksdb::LiveFileMetaData, num_entries));
  static_assert(offsetof(LiveFile, num_deletions) == offsetof(rocksdb::LiveFileMetaData, num_deletions));
  static_assert(offsetof(LiveFile, epoch_number) == offsetof(rocksdb::LiveFileMetaData, epoch_number));
  static_assert(offsetof(LiveFile, smallest) == offsetof(rocksdb::LiveFileMetaData, smallest));
  static_assert(offsetof(LiveFile, largest) == offsetof(rocksdb::LiveFileMetaData, largest));
  static_assert(offsetof(LiveFile, name) == offsetof(rocksdb::LiveFileMetaData, name));
  static_assert(offsetof(LiveFile, db_path) == offsetof(rocksdb::LiveFileMetaData, db_path));
  static_assert(offsetof(LiveFile, level) == offsetof(rocksdb::LiveFileMetaData, level));

  static_assert(sizeof(CipherStream) == sizeof(rocksdb::BlockAccessCipherStream));
  static_assert(sizeof(CipherProvider) == sizeof(rocksdb::EncryptionProvider));
  static_assert(std::has_virtual_destructor_v<rocksdb::Env>);
};

/* Gives access to protected members of Status. */
struct EngineStatus : rocksdb::Status {
  static void check() { static_assert(offsetof(EngineStatus, sev_) == Layout::kSeverity); }
};

/* The signatures of the functions that the stubs override or call. */
using Default = rocksdb::Env* (*)();
using FileSystemOf = const std::shared_ptr<rocksdb::FileSystem>& (rocksdb::Env::*)() const;
using NewEnv = rocksdb::Env* (*)(rocksdb::Env*, const std::shared_ptr<rocksdb::EncryptionProvider>&);
using NewPrefix = rocksdb::Status (rocksdb::EncryptionProvider::*)(const std::string&, char*, size_t) const;
using NewStream = rocksdb::Status (rocksdb::EncryptionProvider::*)(
    const std::string&, const rocksdb::EnvOptions&, rocksdb::Slice&,
    std::unique_ptr<rocksdb::BlockAccessCipherStream>*);
using Encrypt = rocksdb::Status (rocksdb::BlockAccessCipherStream::*)(uint64_t, char*, size_t);
using GetEntity = rocksdb::Status (rocksdb::DB::*)(const rocksdb::ReadOptions&, rocksdb::ColumnFamilyHandle*,
                                                   const rocksdb::Slice&, rocksdb::PinnableWideColumns*);
using MultiGetEntity = void (rocksdb::DB::*)(const rocksdb::ReadOptions&, rocksdb::ColumnFamilyHandle*, size_t,
                                             const rocksdb::Slice*, rocksdb::PinnableWideColumns*, rocksdb::Status*,
                                             bool);
using GetMergeOperands = rocksdb::Status (rocksdb::DB::*)(const rocksdb::ReadOptions&, rocksdb::ColumnFamilyHandle*,
                                                          const rocksdb::Slice&, rocksdb::PinnableSlice*,
                                                          rocksdb::GetMergeOperandsOptions*, int*);
using GetInTransaction = rocksdb::Status (rocksdb::Transaction::*)(const rocksdb::ReadOptions&,
                                                                   rocksdb::ColumnFamilyHandle*, const rocksdb::Slice&,
                                                                   rocksdb::PinnableWideColumns*);
using GetForUpdate = rocksdb::Status (rocksdb::Transaction::*)(const rocksdb::ReadOptions&,
                                                               rocksdb::ColumnFamilyHandle*, const rocksdb::Slice&,
                                                               rocksdb::PinnableWideColumns*, bool, bool);
using MultiGetInTransaction = void (rocksdb::Transaction::*)(const rocksdb::ReadOptions&, rocksdb::ColumnFamilyHandle*,
                                                             size_t, const rocksdb::Slice*, rocksdb::PinnableSlice*,
                                                             rocksdb::Status*, bool);
using MultiGetEntityInTransaction = void (rocksdb::Transaction::*)(const rocksdb::ReadOptions&,
                                                                   rocksdb::ColumnFamilyHandle*, size_t,
                                                                   const rocksdb::Slice*, rocksdb::PinnableWideColumns*,
                                                                   rocksdb::Status*, bool);
using MultiGetOverBatch = void (rocksdb::WriteBatchWithIndex::*)(rocksdb::DB*, const rocksdb::ReadOptions&,
                                                                 rocksdb::ColumnFamilyHandle*, size_t,
                                                                 const rocksdb::Slice*, rocksdb::PinnableSlice*,
                                                                 rocksdb::Status*, bool);
using MultiGetEntityOverBatch = void (rocksdb::WriteBatchWithIndex::*)(rocksdb::DB*, const rocksdb::ReadOptions&,
                                                                       rocksdb::ColumnFamilyHandle*, size_t,
                                                                       const rocksdb::Slice*,
                                                                       rocksdb::PinnableWideColumns*, rocksdb::Status*,
                                                                       bool);
using PutInTransaction = rocksdb::Status (rocksdb::Transaction::*)(rocksdb::ColumnFamilyHandle*, const rocksdb::Slice&,
                                                                   const rocksdb::WideColumns&, bool);
using GetOverBatch = rocksdb::Status (rocksdb::WriteBatchWithIndex::*)(rocksdb::DB*, const rocksdb::ReadOptions&,
                                                                       rocksdb::ColumnFamilyHandle*,
                                                                       const rocksdb::Slice&,
                                                                       rocksdb::PinnableWideColumns*);
using PutInBatch = rocksdb::Status (rocksdb::WriteBatchWithIndex::*)(rocksdb::ColumnFamilyHandle*,
                                                                     const rocksdb::Slice&,
                                                                     const rocksdb::WideColumns&);
using Columns = const rocksdb::WideColumns& (rocksdb::Iterator::*)() const;
using Resume = rocksdb::Status (rocksdb::DB::*)();
using IngestFiles = rocksdb::Status (rocksdb::DB::*)(const std::vector<rocksdb::IngestExternalFileArg>&);
using NewTableIterator = std::unique_ptr<rocksdb::Iterator> (rocksdb::SstFileReader::*)();
using OpenTable = rocksdb::Status (rocksdb::SstFileReader::*)(const std::string&);
using Prepare = void (rocksdb::Iterator::*)(const rocksdb::MultiScanArgs&);
using GetComparator = const rocksdb::Comparator* (rocksdb::ColumnFamilyHandle::*)() const;
using WaitForCompact = rocksdb::Status (rocksdb::DB::*)(const rocksdb::WaitForCompactOptions&);

static_assert(std::is_same_v<Default, decltype(static_cast<Default>(&rocksdb::Env::Default))>);
static_assert(std::is_same_v<FileSystemOf, decltype(&rocksdb::Env::GetFileSystem)>);
static_assert(std::is_same_v<NewEnv, decltype(&rocksdb::NewEncryptedEnv)>);
static_assert(std::is_same_v<NewPrefix, decltype(&rocksdb::EncryptionProvider::CreateNewPrefix)>);
static_assert(std::is_same_v<NewStream, decltype(&rocksdb::EncryptionProvider::CreateCipherStream)>);
static_assert(std::is_same_v<Encrypt, decltype(&rocksdb::BlockAccessCipherStream::Encrypt)>);
static_assert(std::is_same_v<Resume, decltype(&rocksdb::DB::Resume)>);
static_assert(std::is_same_v<IngestFiles, decltype(&rocksdb::DB::IngestExternalFiles)>);
static_assert(std::is_same_v<NewTableIterator, decltype(&rocksdb::SstFileReader::NewTableIterator)>);
static_assert(std::is_same_v<OpenTable, decltype(&rocksdb::SstFileReader::Open)>);
static_assert(std::is_same_v<Prepare, decltype(&rocksdb::Iterator::Prepare)>);
static_assert(std::is_same_v<GetComparator, decltype(&rocksdb::ColumnFamilyHandle::GetComparator)>);
static_assert(std::is_same_v<WaitForCompact, decltype(&rocksdb::DB::WaitForCompact)>);

static_assert(static_cast<GetEntity>(&rocksdb::DB::GetEntity) != nullptr);
static_assert(static_cast<MultiGetEntity>(&rocksdb::DB::MultiGetEntity) != nullptr);
static_assert(std::is_same_v<GetMergeOperands, decltype(&rocksdb::DB::GetMergeOperands)>);
static_assert(std::is_same_v<GetInTransaction, decltype(&rocksdb::Transaction::GetEntity)>);
static_assert(std::is_same_v<GetForUpdate, decltype(&rocksdb::Transaction::GetEntityForUpdate)>);
static_assert(std::is_same_v<PutInTransaction, decltype(&rocksdb::Transaction::PutEntity)>);
static_assert(static_cast<MultiGetInTransaction>(&rocksdb::Transaction::MultiGet) != nullptr);
static_assert(std::is_same_v<MultiGetEntityInTransaction, decltype(&rocksdb::Transaction::MultiGetEntity)>);
static_assert(static_cast<MultiGetOverBatch>(&rocksdb::WriteBatchWithIndex::MultiGetFromBatchAndDB) != nullptr);
static_assert(static_cast<MultiGetEntityOverBatch>(&rocksdb::WriteBatchWithIndex::MultiGetEntityFromBatchAndDB) !=
              nullptr);
static_assert(static_cast<GetOverBatch>(&rocksdb::WriteBatchWithIndex::GetEntityFromBatchAndDB) != nullptr);
static_assert(static_cast<PutInBatch>(&rocksdb::WriteBatchWithIndex::PutEntity) != nullptr);
static_assert(std::is_same_v<Columns, decltype(&rocksdb::Iterator::columns)>);

}  // namespace rocksdb_ffm
