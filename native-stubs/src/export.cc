/* Licensed under the Apache License, Version 2.0; see LICENSE. */

#include "status.h"

namespace rocksdb_ffm {
namespace {

rocksdb_ffm_cxx_slice shown(const String& text) { return {text.data(), text.size()}; }

void fill(String* text, const rocksdb_ffm_cxx_slice& from) { text->fill(from.data, from.size); }

}  // namespace
}  // namespace rocksdb_ffm

void rocksdb_ffm_cxx_exported_file_of(const void* files, int64_t index, rocksdb_ffm_cxx_exported_file* description) {
  using namespace rocksdb_ffm;
  const LiveFile& file = static_cast<const Vector<LiveFile>*>(files)->begin[index];
  *description = {shown(file.name),     shown(file.db_path),         shown(file.smallestkey), shown(file.largestkey),
                  shown(file.smallest), shown(file.largest),         uint64_t(file.level),    file.size,
                  file.smallest_seqno,  file.largest_seqno,          file.num_entries,        file.num_deletions,
                  file.epoch_number};
}

void rocksdb_ffm_cxx_exported_file_fill(const rocksdb_ffm_cxx_engine* engine, void* target,
                                        const rocksdb_ffm_cxx_exported_file* description, char** error) {
  using namespace rocksdb_ffm;
  report(engine, error, [=]() -> Status {
    auto file = static_cast<LiveFile*>(target);
    fill(&file->name, description->name);
    fill(&file->directory, description->folder);
    fill(&file->db_path, description->folder);
    fill(&file->smallestkey, description->smallest_key);
    fill(&file->largestkey, description->largest_key);
    fill(&file->smallest, description->smallest);
    fill(&file->largest, description->largest);
    file->level = static_cast<int>(description->level);
    file->size = description->size;
    file->smallest_seqno = description->first_sequence;
    file->largest_seqno = description->last_sequence;
    file->num_entries = description->entries;
    file->num_deletions = description->deletions;
    file->epoch_number = description->epoch;
    return Status();
  });
}
