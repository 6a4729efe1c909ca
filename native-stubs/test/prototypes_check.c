/* Licensed under the Apache License, Version 2.0; see LICENSE. */

/* Compiled, but never linked: compares the stubs' prototypes with the engine's header. */

#include <rocksdb/c.h>

#include "../src/thread.h"
#include "rocksdb_ffm_state.h"
#include "engine_functions.h"

#define FILL(name) .name = rocksdb_##name,
extern const rocksdb_ffm_engine plain_functions;
const rocksdb_ffm_engine plain_functions = {PLAIN_ENGINE_FUNCTIONS(FILL)};

extern const rocksdb_ffm_expiry expiry_functions;
const rocksdb_ffm_expiry expiry_functions = {FILL(compactionfilter_create) FILL(
    compactionfilterfactory_create) FILL(options_set_compaction_filter_factory)};

extern const rocksdb_ffm_state state_functions;
const rocksdb_ffm_state state_functions = {FILL(compactionfilter_create)};

typedef void multi_get_function(rocksdb_t*, const rocksdb_readoptions_t*,
                                rocksdb_column_family_handle_t*, size_t, const rocksdb_slice_t*,
                                rocksdb_pinnableslice_t**, char**, _Bool);
extern multi_get_function* const multi_get;
multi_get_function* const multi_get = rocksdb_batched_multi_get_cf_slice;

_Static_assert(sizeof(rocksdb_ffm_slice) == sizeof(rocksdb_slice_t) &&
                   offsetof(rocksdb_ffm_slice, data) == offsetof(rocksdb_slice_t, data) &&
                   offsetof(rocksdb_ffm_slice, size) == offsetof(rocksdb_slice_t, size),
               "rocksdb_ffm_slice is not laid out like rocksdb_slice_t");

_Static_assert((int)COUNT_NOTHING == (int)rocksdb_disable, "the engine's levels have other numbers");
