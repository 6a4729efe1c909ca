/* Licensed under the Apache License, Version 2.0; see LICENSE. */

/*
 * Loops in C with the operations of the benchmarks' Java rows: the lower bound for the times of a binding. Each call
 * does many operations, so that the time of the call itself does not matter.
 *
 * Like the Java rows, each loop returns a sum of the values that it reads: the size of every value, and its first byte
 * as a signed number. If the engine fails, its message is printed, and BENCH_FAILED is returned.
 *
 * The caller passes a table of the engine's functions, so the loops measure the library that the caller has loaded.
 * Built with the benchmarks only, and never published.
 */

#ifndef BENCH_H
#define BENCH_H

#include <stddef.h>
#include <stdint.h>

#define BENCH_FAILED INT64_MIN

#define BENCH_API __attribute__((visibility("default")))

/* If the engine's header is included, its prototypes are compared with the table below. */
#ifdef BENCH_WITH_ENGINE_HEADER
#include <rocksdb/c.h>
#else
typedef struct rocksdb_t rocksdb_t;
typedef struct rocksdb_options_t rocksdb_options_t;
typedef struct rocksdb_block_based_table_options_t rocksdb_block_based_table_options_t;
typedef struct rocksdb_cache_t rocksdb_cache_t;
typedef struct rocksdb_readoptions_t rocksdb_readoptions_t;
typedef struct rocksdb_writeoptions_t rocksdb_writeoptions_t;
typedef struct rocksdb_flushoptions_t rocksdb_flushoptions_t;
typedef struct rocksdb_column_family_handle_t rocksdb_column_family_handle_t;
typedef struct rocksdb_pinnableslice_t rocksdb_pinnableslice_t;
typedef struct rocksdb_iterator_t rocksdb_iterator_t;
typedef struct rocksdb_writebatch_t rocksdb_writebatch_t;
typedef struct rocksdb_compactionfilter_t rocksdb_compactionfilter_t;
typedef struct rocksdb_transactiondb_options_t rocksdb_transactiondb_options_t;
typedef struct rocksdb_transactiondb_t rocksdb_transactiondb_t;
typedef struct rocksdb_transaction_options_t rocksdb_transaction_options_t;
typedef struct rocksdb_transaction_t rocksdb_transaction_t;
typedef struct rocksdb_optimistictransactiondb_t rocksdb_optimistictransactiondb_t;
typedef struct rocksdb_optimistictransaction_options_t rocksdb_optimistictransaction_options_t;
typedef struct rocksdb_writebatch_wi_t rocksdb_writebatch_wi_t;
typedef struct rocksdb_slice_t {
  const char* data;
  size_t size;
} rocksdb_slice_t;
#endif

/* The result, the name without the prefix rocksdb_, and the parameters of each function. */
#define BENCH_FUNCTIONS(X)                                                                         \
  X(rocksdb_options_t*, options_create, (void))                                                    \
  X(void, options_destroy, (rocksdb_options_t*))                                                   \
  X(void, options_enable_statistics, (rocksdb_options_t*))                                         \
  X(void, options_set_statistics_level, (rocksdb_options_t*, int))                                 \
  X(void, get_options_from_string,                                                                 \
    (const rocksdb_options_t*, const char*, rocksdb_options_t*, char**))                           \
  X(rocksdb_block_based_table_options_t*, block_based_options_create, (void))                      \
  X(void, block_based_options_destroy, (rocksdb_block_based_table_options_t*))                     \
  X(void, block_based_options_set_block_cache,                                                     \
    (rocksdb_block_based_table_options_t*, rocksdb_cache_t*))                                      \
  X(void, options_set_block_based_table_factory,                                                   \
    (rocksdb_options_t*, rocksdb_block_based_table_options_t*))                                    \
  X(void, options_set_compaction_filter, (rocksdb_options_t*, rocksdb_compactionfilter_t*))        \
  X(rocksdb_compactionfilter_t*, compactionfilter_create,                                          \
    (void*, void (*)(void*),                                                                       \
     unsigned char (*)(void*, int, const char*, size_t, const char*, size_t, char**, size_t*,      \
                       unsigned char*),                                                            \
     const char* (*)(void*)))                                                                      \
  X(void, compactionfilter_destroy, (rocksdb_compactionfilter_t*))                                 \
  X(rocksdb_cache_t*, cache_create_lru, (size_t))                                                  \
  X(void, cache_destroy, (rocksdb_cache_t*))                                                       \
  X(rocksdb_t*, open, (const rocksdb_options_t*, const char*, char**))                             \
  X(void, close, (rocksdb_t*))                                                                     \
  X(rocksdb_column_family_handle_t*, get_default_column_family_handle, (rocksdb_t*))               \
  X(void, column_family_handle_destroy, (rocksdb_column_family_handle_t*))                         \
  X(rocksdb_readoptions_t*, readoptions_create, (void))                                            \
  X(void, readoptions_destroy, (rocksdb_readoptions_t*))                                           \
  X(void, readoptions_set_deadline, (rocksdb_readoptions_t*, uint64_t))                            \
  X(void, readoptions_set_iterate_lower_bound, (rocksdb_readoptions_t*, const char*, size_t))      \
  X(void, readoptions_set_iterate_upper_bound, (rocksdb_readoptions_t*, const char*, size_t))      \
  X(rocksdb_writeoptions_t*, writeoptions_create, (void))                                          \
  X(void, writeoptions_destroy, (rocksdb_writeoptions_t*))                                         \
  X(void, writeoptions_disable_WAL, (rocksdb_writeoptions_t*, int))                                \
  X(rocksdb_flushoptions_t*, flushoptions_create, (void))                                          \
  X(void, flushoptions_destroy, (rocksdb_flushoptions_t*))                                         \
  X(void, flush, (rocksdb_t*, const rocksdb_flushoptions_t*, char**))                              \
  X(void, compact_range, (rocksdb_t*, const char*, size_t, const char*, size_t))                   \
  X(void, free, (void*))                                                                           \
  X(char*, get_cf,                                                                                 \
    (rocksdb_t*, const rocksdb_readoptions_t*, rocksdb_column_family_handle_t*, const char*,       \
     size_t, size_t*, char**))                                                                     \
  X(unsigned char, get_into_buffer_cf,                                                             \
    (rocksdb_t*, const rocksdb_readoptions_t*, rocksdb_column_family_handle_t*, const char*,       \
     size_t, char*, size_t, size_t*, unsigned char*, char**))                                      \
  X(rocksdb_pinnableslice_t*, get_pinned_cf,                                                       \
    (rocksdb_t*, const rocksdb_readoptions_t*, rocksdb_column_family_handle_t*, const char*,       \
     size_t, char**))                                                                              \
  X(const char*, pinnableslice_value, (const rocksdb_pinnableslice_t*, size_t*))                   \
  X(void, pinnableslice_destroy, (rocksdb_pinnableslice_t*))                                       \
  X(void, batched_multi_get_cf_slice,                                                              \
    (rocksdb_t*, const rocksdb_readoptions_t*, rocksdb_column_family_handle_t*, size_t,            \
     const rocksdb_slice_t*, rocksdb_pinnableslice_t**, char**, const _Bool))                      \
  X(rocksdb_iterator_t*, create_iterator, (rocksdb_t*, const rocksdb_readoptions_t*))              \
  X(void, iter_destroy, (rocksdb_iterator_t*))                                                     \
  X(unsigned char, iter_valid, (const rocksdb_iterator_t*))                                        \
  X(void, iter_seek_to_first, (rocksdb_iterator_t*))                                               \
  X(void, iter_seek, (rocksdb_iterator_t*, const char*, size_t))                                   \
  X(void, iter_seek_for_prev, (rocksdb_iterator_t*, const char*, size_t))                          \
  X(void, iter_next, (rocksdb_iterator_t*))                                                        \
  X(void, iter_prev, (rocksdb_iterator_t*))                                                        \
  X(rocksdb_slice_t, iter_key_slice, (const rocksdb_iterator_t*))                                  \
  X(rocksdb_slice_t, iter_value_slice, (const rocksdb_iterator_t*))                                \
  X(void, iter_get_error, (const rocksdb_iterator_t*, char**))                                     \
  X(void, put,                                                                                     \
    (rocksdb_t*, const rocksdb_writeoptions_t*, const char*, size_t, const char*, size_t, char**)) \
  X(void, merge,                                                                                   \
    (rocksdb_t*, const rocksdb_writeoptions_t*, const char*, size_t, const char*, size_t, char**)) \
  X(void, delete, (rocksdb_t*, const rocksdb_writeoptions_t*, const char*, size_t, char**))        \
  X(rocksdb_writebatch_t*, writebatch_create, (void))                                              \
  X(void, writebatch_destroy, (rocksdb_writebatch_t*))                                             \
  X(void, writebatch_clear, (rocksdb_writebatch_t*))                                               \
  X(void, writebatch_put, (rocksdb_writebatch_t*, const char*, size_t, const char*, size_t))       \
  X(void, write, (rocksdb_t*, const rocksdb_writeoptions_t*, rocksdb_writebatch_t*, char**))       \
  X(rocksdb_transactiondb_options_t*, transactiondb_options_create, (void))                        \
  X(void, transactiondb_options_destroy, (rocksdb_transactiondb_options_t*))                       \
  X(rocksdb_transactiondb_t*, transactiondb_open,                                                  \
    (const rocksdb_options_t*, const rocksdb_transactiondb_options_t*, const char*, char**))       \
  X(rocksdb_t*, transactiondb_get_base_db, (rocksdb_transactiondb_t*))                             \
  X(void, transactiondb_close_base_db, (rocksdb_t*))                                               \
  X(void, transactiondb_close, (rocksdb_transactiondb_t*))                                         \
  X(rocksdb_transaction_options_t*, transaction_options_create, (void))                            \
  X(void, transaction_options_destroy, (rocksdb_transaction_options_t*))                           \
  X(rocksdb_transaction_t*, transaction_begin,                                                     \
    (rocksdb_transactiondb_t*, const rocksdb_writeoptions_t*,                                      \
     const rocksdb_transaction_options_t*, rocksdb_transaction_t*))                                \
  X(rocksdb_optimistictransactiondb_t*, optimistictransactiondb_open,                              \
    (const rocksdb_options_t*, const char*, char**))                                               \
  X(rocksdb_t*, optimistictransactiondb_get_base_db, (rocksdb_optimistictransactiondb_t*))         \
  X(void, optimistictransactiondb_close_base_db, (rocksdb_t*))                                     \
  X(void, optimistictransactiondb_close, (rocksdb_optimistictransactiondb_t*))                     \
  X(rocksdb_optimistictransaction_options_t*, optimistictransaction_options_create, (void))        \
  X(void, optimistictransaction_options_destroy, (rocksdb_optimistictransaction_options_t*))       \
  X(rocksdb_transaction_t*, optimistictransaction_begin,                                           \
    (rocksdb_optimistictransactiondb_t*, const rocksdb_writeoptions_t*,                            \
     const rocksdb_optimistictransaction_options_t*, rocksdb_transaction_t*))                      \
  X(void, transaction_destroy, (rocksdb_transaction_t*))                                           \
  X(void, transaction_commit, (rocksdb_transaction_t*, char**))                                    \
  X(char*, transaction_get,                                                                        \
    (rocksdb_transaction_t*, const rocksdb_readoptions_t*, const char*, size_t, size_t*, char**))  \
  X(char*, transaction_get_for_update,                                                             \
    (rocksdb_transaction_t*, const rocksdb_readoptions_t*, const char*, size_t, size_t*,           \
     unsigned char, char**))                                                                       \
  X(rocksdb_pinnableslice_t*, transaction_get_pinned,                                              \
    (rocksdb_transaction_t*, const rocksdb_readoptions_t*, const char*, size_t, char**))           \
  X(void, transaction_put,                                                                         \
    (rocksdb_transaction_t*, const char*, size_t, const char*, size_t, char**))                    \
  X(rocksdb_writebatch_wi_t*, writebatch_wi_create, (size_t, unsigned char))                       \
  X(void, writebatch_wi_destroy, (rocksdb_writebatch_wi_t*))                                       \
  X(void, writebatch_wi_put, (rocksdb_writebatch_wi_t*, const char*, size_t, const char*, size_t)) \
  X(rocksdb_iterator_t*, writebatch_wi_create_iterator_with_base,                                  \
    (rocksdb_writebatch_wi_t*, rocksdb_iterator_t*))                                               \
  X(void, set_perf_level, (int))                                                                   \
  X(uint64_t, get_latest_sequence_number, (rocksdb_t*))                                            \
  X(int, property_int, (rocksdb_t*, const char*, uint64_t*))

typedef struct bench_engine {
#define BENCH_MEMBER(result, name, parameters) result(*name) parameters;
  BENCH_FUNCTIONS(BENCH_MEMBER)
#undef BENCH_MEMBER
} bench_engine;

/* Returns the engine's name of the table's member at an index; NULL after the last. */
BENCH_API const char* bench_function(size_t index);

/* An open database. Shared by all threads. */
typedef struct bench_database {
  const bench_engine* engine;
  rocksdb_t* db;
  rocksdb_transactiondb_t* locking;              /* NULL unless transactions lock keys */
  rocksdb_optimistictransactiondb_t* optimistic; /* NULL unless transactions are optimistic */
  rocksdb_transaction_options_t* locking_options;
  rocksdb_optimistictransaction_options_t* optimistic_options;
  rocksdb_cache_t* cache;
  rocksdb_compactionfilter_t* filter; /* NULL if compactions keep all rows */
  rocksdb_column_family_handle_t* family;
  rocksdb_readoptions_t* read_options;
  rocksdb_writeoptions_t* write_options;
} bench_database;

/* The kinds of transactions. */
enum { BENCH_NO_TRANSACTIONS = 0, BENCH_LOCKING = 1, BENCH_OPTIMISTIC = 2 };

/*
 * Opens a database with a separate LRU cache and an options string. Optionally, compactions
 * remove empty values, and statistics are enabled at the engine's default level. NULL on failure.
 * The caller closes the database; the table is borrowed until then.
 */
BENCH_API bench_database* bench_open(const bench_engine* engine, const char* path,
                                     const char* options, size_t cache_size, int32_t wal,
                                     int32_t drops_empty, int32_t transactions, int32_t statistics);
BENCH_API void bench_close(bench_database* database);
/* Enables or disables the engine's PerfContext counters for the calling thread. */
BENCH_API void bench_set_counting(const bench_database* database, int32_t on);

BENCH_API int32_t bench_flush_and_compact(const bench_database* database);

/* Returns a numeric property; -1 if the engine has no property with the name. */
BENCH_API int64_t bench_number_property(const bench_database* database, const char* name);

/*
 * The input of a thread's loops, set by the caller once: concatenated keys of one size,
 * of which each loop uses the next `count`, cyclically; and a value, which is written, or a
 * buffer for values that are read.
 */
typedef struct bench_work {
  const bench_database* database;
  const char* keys;
  size_t key_size;
  size_t key_count;
  size_t next;
  size_t count;
  char* value;
  size_t value_size;
  rocksdb_writebatch_t* batch;
  int64_t stream;
  rocksdb_transaction_t* transaction;
  rocksdb_writebatch_wi_t* indexed;
} bench_work;

/* Gets: into new memory, into the buffer, pinned, or, depending on the size, into the buffer or
 * pinned. */
BENCH_API int64_t bench_get_copied(bench_work* work);
/* Like get_copied, each with a deadline a minute after its start. */
BENCH_API int64_t bench_get_copied_in_time(bench_work* work);
BENCH_API int64_t bench_get_into(bench_work* work);
BENCH_API int64_t bench_get_pinned(bench_work* work);
BENCH_API int64_t bench_get_fill_or_pin(bench_work* work);

/* The maximum number of keys of a multi-get. */
enum { BENCH_MOST_KEYS = 1000 };

/* A multi-get of `count` keys, with values in new memory, or pinned; the keys of a sorted multi-get must ascend. */
BENCH_API int64_t bench_multi_get_copied(bench_work* work);
BENCH_API int64_t bench_multi_get_copied_sorted(bench_work* work);
BENCH_API int64_t bench_multi_get_pinned(bench_work* work);
BENCH_API int64_t bench_multi_get_pinned_sorted(bench_work* work);

/* Single writes. */
BENCH_API int64_t bench_put(bench_work* work);
BENCH_API int64_t bench_merge(bench_work* work);
BENCH_API int64_t bench_delete(bench_work* work);

/* Clears and fills a batch, and writes it. The batch may outlive the database. */
BENCH_API rocksdb_writebatch_t* bench_batch_create(const bench_engine* engine);
BENCH_API void bench_batch_destroy(const bench_engine* engine, rocksdb_writebatch_t* batch);
BENCH_API int64_t bench_fill_batch(bench_work* work);
BENCH_API int64_t bench_write_batch(bench_work* work);

/* The number of keys that a transaction reads for update, and writes. */
enum { BENCH_TRANSACTION_KEYS = 3 };

/* Runs `count` transactions, each of which is retried until it is committed. */
BENCH_API int64_t bench_update(bench_work* work);

/*
 * Start the transaction and create the batch with an index; write another key to both; and end
 * both. The transaction must end before its database; the batch may outlive it.
 */
BENCH_API int64_t bench_begin(bench_work* work);
BENCH_API int64_t bench_write_pending(bench_work* work);
BENCH_API void bench_end_transaction(const bench_engine* engine,
                                     rocksdb_transaction_t* transaction);
BENCH_API void bench_end_batch(const bench_engine* engine, rocksdb_writebatch_wi_t* batch);

/* Gets in the started transaction, into new memory or pinned; a scan of the batch with an index, and its database. */
BENCH_API int64_t bench_transaction_get_copied(bench_work* work);
BENCH_API int64_t bench_transaction_get_pinned(bench_work* work);
BENCH_API int64_t bench_scan_batch(bench_work* work);

/* Calls the engine's function with the least work; uses no keys. */
BENCH_API int64_t bench_sequence_number(bench_work* work);

/* Sends values from the engine's memory to a stream, which is a connected Unix domain
 * socket. */
BENCH_API int64_t bench_send(bench_work* work);
BENCH_API int32_t bench_connect(const char* path);
BENCH_API void bench_disconnect(int32_t stream);

/*
 * A scan of at most `rows` rows, starting at the key `from`; descending if `backward` is
 * not 0. `lower` and `upper` are the iterator's bounds, or NULL. Without `from`, the scan
 * starts at the first key of the range. If `copied` is not 0, keys and values are copied to
 * new memory. The sum includes the keys.
 */
typedef struct bench_scan {
  const bench_database* database;
  const char* from;
  const char* lower;
  const char* upper;
  size_t key_size;
  size_t rows;
  int32_t backward;
  int32_t copied;
} bench_scan;

BENCH_API int64_t bench_scan_rows(const bench_scan* scan);

/* Prints and frees the engine's message, if any; returns whether there was one. */
int bench_failed(const bench_engine* engine, const char* doing, char* error);

/* Returns the next key. */
static inline const char* bench_next(bench_work* work) {
  const char* key = work->keys + work->next * work->key_size;
  work->next = work->next + 1 == work->key_count ? 0 : work->next + 1;
  return key;
}

/* Returns the term of a key or a value in the sum. */
static inline int64_t bench_look(const char* data, size_t size) {
  return (int64_t)size + (size == 0 ? 0 : (signed char)*data);
}

#endif
