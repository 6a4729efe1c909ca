/* Licensed under the Apache License, Version 2.0; see LICENSE. */

/* The input of jextract: the engine's C API and the stubs' contract. */
#include "rocksdb/c.h"
#include "rocksdb_ffm.h"

/* Functions without a counterpart in the C API. rocksdbjni's library exports them on every platform; another build of
 * the engine need not. The functions ignore their first two parameters. They accept the C API's limiter, because it
 * begins with the shared pointer that they expect. */
void Java_org_rocksdb_RateLimiter_setBytesPerSecond(void* env, void* type, int64_t limiter,
                                                    int64_t bytes);
int64_t Java_org_rocksdb_RateLimiter_getBytesPerSecond(void* env, void* type, int64_t limiter);
int64_t Java_org_rocksdb_RateLimiter_getTotalBytesThrough(void* env, void* type, int64_t limiter);
int64_t Java_org_rocksdb_RateLimiter_getTotalRequests(void* env, void* type, int64_t limiter);

/* The result is not the engine's number of the level; see ThreadCounts. */
int8_t Java_org_rocksdb_RocksDB_getPerfLevelNative(void* env, void* type);
