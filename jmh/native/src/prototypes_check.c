/* Licensed under the Apache License, Version 2.0; see LICENSE. */

/* Compiled, but never linked: compares the table's prototypes with the engine's header. */

#include "bench.h"

extern const bench_engine bench_prototypes_check;
const bench_engine bench_prototypes_check = {
#define BENCH_CHECK(result, name, parameters) .name = rocksdb_##name,
    BENCH_FUNCTIONS(BENCH_CHECK)
#undef BENCH_CHECK
};
