/* Licensed under the Apache License, Version 2.0; see LICENSE. */

#include "status.h"

namespace rocksdb_ffm {
namespace {

/* The engine's default: smaller gaps between blocks are read too. */
constexpr uint64_t kCoalescedGap = 16 << 10;

void prepare(TableIterator* iterator, const void* comparator, const rocksdb_ffm_cxx_ranges& ranges) {
  ScanRange* copies = allocate<ScanRange>(ranges.count);
  memset(copies, 0, ranges.count * sizeof(ScanRange));
  for (size_t i = 0; i < ranges.count; i++) {
    copies[i].start = {ranges.begin[i].start.data, ranges.begin[i].start.size};
    copies[i].limit = {ranges.begin[i].limit.data, ranges.begin[i].limit.size};
  }
  ScanRange* end = copies + ranges.count;
  ScanArguments arguments = {
      kCoalescedGap, ranges.most_bytes, false, false, {nullptr, nullptr}, comparator, {copies, end, end}};
  try {
    virtual_function<void (*)(void*, const ScanArguments&)>(iterator, kPrepare)(iterator, arguments);
  } catch (...) {
    ::operator delete(copies);
    throw;
  }
  ::operator delete(copies);
}

}  // namespace
}  // namespace rocksdb_ffm

void rocksdb_ffm_cxx_prefetch(const rocksdb_ffm_cxx_engine* engine, void* handle, void* options, void* column_family,
                              const rocksdb_ffm_cxx_ranges* ranges) {
  using namespace rocksdb_ffm;
  using SetUpperBound = void (*)(void*, const char*, size_t);
  auto set_upper_bound = reinterpret_cast<SetUpperBound>(engine->readoptions_set_iterate_upper_bound);
  try {
    auto iterator = static_cast<TableIterator*>(object_of(handle));
    void* family = object_of(column_family);
    prepare(iterator, virtual_function<const void* (*)(void*)>(family, kGetComparator)(family), *ranges);
    for (size_t i = 0; i < ranges->count; i++) {
      const rocksdb_ffm_cxx_range& range = ranges->begin[i];
      set_upper_bound(options, range.limit.data, range.limit.size);
      iterator->Seek({range.start.data, range.start.size});
      const Status& status = iterator->status();
      if (!status.ok()) {
        break;
      }
    }
  } catch (...) {
    return; /* memory is full */
  }
}
