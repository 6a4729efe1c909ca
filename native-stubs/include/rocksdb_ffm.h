/* Licensed under the Apache License, Version 2.0; see LICENSE. */

/*
 * The contract between the Java core and its native stubs.
 *
 * A stub exists only where one call must do the work of several, or where a callback of the engine must not wait for a
 * virtual machine. For everything else, Java calls RocksDB's C API. The stubs keep no state except for thread-local
 * variables, see thread.h, and texts, see rocksdb_ffm_intern. The stubs call the engine through a table of function
 * pointers that the caller passes with each call. Therefore the stubs are linked against the C library only, work with
 * any copy of the engine, and cannot call the wrong one of two copies in a process.
 *
 * Threads: every function may be called from any thread. Two threads must not use the memory that a struct points to
 * concurrently, unless the struct's comment allows it.
 *
 * Errors: an `error` field receives NULL or the engine's message, allocated by the engine; the caller frees it with
 * rocksdb_free.
 */

#ifndef ROCKSDB_FFM_H
#define ROCKSDB_FFM_H

#include <stddef.h>
#include <stdint.h>

#if defined(_WIN32)
#define ROCKSDB_FFM_API __declspec(dllexport)
#else
#define ROCKSDB_FFM_API __attribute__((visibility("default")))
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* Incremented whenever a struct or a function below changes its meaning, layout or signature. */
#define ROCKSDB_FFM_ABI 14

/* The engine's opaque types, as rocksdb/c.h declares them. */
typedef struct rocksdb_t rocksdb_t;
typedef struct rocksdb_options_t rocksdb_options_t;
typedef struct rocksdb_block_based_table_options_t rocksdb_block_based_table_options_t;
typedef struct rocksdb_cache_t rocksdb_cache_t;
typedef struct rocksdb_readoptions_t rocksdb_readoptions_t;
typedef struct rocksdb_writeoptions_t rocksdb_writeoptions_t;
typedef struct rocksdb_column_family_handle_t rocksdb_column_family_handle_t;
typedef struct rocksdb_pinnableslice_t rocksdb_pinnableslice_t;
typedef struct rocksdb_iterator_t rocksdb_iterator_t;
typedef struct rocksdb_writebatch_t rocksdb_writebatch_t;
typedef struct rocksdb_writebatch_wi_t rocksdb_writebatch_wi_t;
typedef struct rocksdb_transaction_t rocksdb_transaction_t;
typedef struct rocksdb_compactionfilter_t rocksdb_compactionfilter_t;
typedef struct rocksdb_compactionfiltercontext_t rocksdb_compactionfiltercontext_t;
typedef struct rocksdb_compactionfilterfactory_t rocksdb_compactionfilterfactory_t;

/* Borrowed bytes. Has the layout of the engine's rocksdb_slice_t. */
typedef struct rocksdb_ffm_slice {
  const char* data;
  size_t size;
} rocksdb_ffm_slice;

/*
 * The functions of the engine that the stubs call. Filled in once by the
 * caller, never changed afterwards, shared by all threads. Each member has the
 * prototype of the C function and its name without the prefix rocksdb_. The keys of
 * batched_multi_get_cf_slice are rocksdb_slice_t in the engine, which has the layout
 * of rocksdb_ffm_slice.
 */
typedef struct rocksdb_ffm_engine {
  void (*get_options_from_string)(const rocksdb_options_t* base, const char* text,
                                  rocksdb_options_t* changed, char** error);
  rocksdb_block_based_table_options_t* (*block_based_options_create)(void);
  void (*block_based_options_set_block_cache)(rocksdb_block_based_table_options_t* table,
                                              rocksdb_cache_t* cache);
  void (*block_based_options_set_no_block_cache)(rocksdb_block_based_table_options_t* table,
                                                 unsigned char none);
  void (*block_based_options_destroy)(rocksdb_block_based_table_options_t* table);
  void (*options_set_block_based_table_factory)(rocksdb_options_t* options,
                                                rocksdb_block_based_table_options_t* table);
  rocksdb_t* (*open_column_families)(const rocksdb_options_t* options, const char* path, int count,
                                     const char* const* names,
                                     const rocksdb_options_t* const* family_options,
                                     rocksdb_column_family_handle_t** families, char** error);
  rocksdb_pinnableslice_t* (*get_pinned_cf)(rocksdb_t* db,
                                            const rocksdb_readoptions_t* options,
                                            rocksdb_column_family_handle_t* column_family,
                                            const char* key, size_t key_size, char** error);
  unsigned char (*get_into_buffer_cf)(rocksdb_t* db, const rocksdb_readoptions_t* options,
                                      rocksdb_column_family_handle_t* column_family,
                                      const char* key, size_t key_size, char* buffer,
                                      size_t capacity, size_t* value_size, unsigned char* found,
                                      char** error);
  const char* (*pinnableslice_value)(const rocksdb_pinnableslice_t* pin, size_t* size);
  void (*pinnableslice_destroy)(rocksdb_pinnableslice_t* pin);
  void (*batched_multi_get_cf_slice)(rocksdb_t* db, const rocksdb_readoptions_t* options,
                                     rocksdb_column_family_handle_t* column_family,
                                     size_t key_count, const rocksdb_ffm_slice* keys,
                                     rocksdb_pinnableslice_t** pins, char** errors,
                                     _Bool sorted_input);
  unsigned char (*iter_valid)(const rocksdb_iterator_t* iterator);
  void (*iter_seek_to_first)(rocksdb_iterator_t* iterator);
  void (*iter_seek_to_last)(rocksdb_iterator_t* iterator);
  void (*iter_seek)(rocksdb_iterator_t* iterator, const char* key, size_t key_size);
  void (*iter_seek_for_prev)(rocksdb_iterator_t* iterator, const char* key, size_t key_size);
  void (*iter_next)(rocksdb_iterator_t* iterator);
  void (*iter_prev)(rocksdb_iterator_t* iterator);
  const char* (*iter_key)(const rocksdb_iterator_t* iterator, size_t* size);
  const char* (*iter_value)(const rocksdb_iterator_t* iterator, size_t* size);
  void (*iter_get_error)(const rocksdb_iterator_t* iterator, char** error);
  void (*put_cf)(rocksdb_t* db, const rocksdb_writeoptions_t* options,
                 rocksdb_column_family_handle_t* column_family, const char* key, size_t key_size,
                 const char* value, size_t value_size, char** error);
  void (*merge_cf)(rocksdb_t* db, const rocksdb_writeoptions_t* options,
                   rocksdb_column_family_handle_t* column_family, const char* key, size_t key_size,
                   const char* operand, size_t operand_size, char** error);
  void (*delete_cf)(rocksdb_t* db, const rocksdb_writeoptions_t* options,
                    rocksdb_column_family_handle_t* column_family, const char* key,
                    size_t key_size, char** error);
  void (*singledelete_cf)(rocksdb_t* db, const rocksdb_writeoptions_t* options,
                          rocksdb_column_family_handle_t* column_family, const char* key,
                          size_t key_size, char** error);
  void (*delete_range_cf)(rocksdb_t* db, const rocksdb_writeoptions_t* options,
                          rocksdb_column_family_handle_t* column_family, const char* from,
                          size_t from_size, const char* until, size_t until_size, char** error);
  rocksdb_writebatch_t* (*writebatch_create_from)(const char* bytes, size_t size);
  void (*writebatch_destroy)(rocksdb_writebatch_t* batch);
  void (*write)(rocksdb_t* db, const rocksdb_writeoptions_t* options, rocksdb_writebatch_t* batch,
                char** error);
  rocksdb_pinnableslice_t* (*transaction_get_pinned_for_update_cf)(
      rocksdb_transaction_t* transaction, const rocksdb_readoptions_t* options,
      rocksdb_column_family_handle_t* column_family, const char* key, size_t key_size,
      unsigned char exclusive, char** error);
  void (*transaction_put_cf)(rocksdb_transaction_t* transaction,
                             rocksdb_column_family_handle_t* column_family, const char* key,
                             size_t key_size, const char* value, size_t value_size, char** error);
  void (*transaction_merge_cf)(rocksdb_transaction_t* transaction,
                               rocksdb_column_family_handle_t* column_family, const char* key,
                               size_t key_size, const char* operand, size_t operand_size,
                               char** error);
  void (*transaction_delete_cf)(rocksdb_transaction_t* transaction,
                                rocksdb_column_family_handle_t* column_family, const char* key,
                                size_t key_size, char** error);
  rocksdb_writebatch_wi_t* (*transaction_get_writebatch_wi)(rocksdb_transaction_t* transaction);
  rocksdb_pinnableslice_t* (*writebatch_wi_get_pinned_from_batch_and_db_cf)(
      rocksdb_writebatch_wi_t* batch, rocksdb_t* db, const rocksdb_readoptions_t* options,
      rocksdb_column_family_handle_t* column_family, const char* key, size_t key_size,
      char** error);
  void (*writebatch_wi_put_cf)(rocksdb_writebatch_wi_t* batch,
                               rocksdb_column_family_handle_t* column_family, const char* key,
                               size_t key_size, const char* value, size_t value_size);
  void (*writebatch_wi_merge_cf)(rocksdb_writebatch_wi_t* batch,
                                 rocksdb_column_family_handle_t* column_family, const char* key,
                                 size_t key_size, const char* operand, size_t operand_size);
  void (*writebatch_wi_delete_cf)(rocksdb_writebatch_wi_t* batch,
                                  rocksdb_column_family_handle_t* column_family, const char* key,
                                  size_t key_size);
  void (*writebatch_wi_singledelete_cf)(rocksdb_writebatch_wi_t* batch,
                                        rocksdb_column_family_handle_t* column_family,
                                        const char* key, size_t key_size);
  void (*free)(void* memory);
  /* If not NULL, the stubs disable the engine's PerfContext counters for each thread, at its first read or write.
     Counting, for example, each comparison of two keys takes up to a tenth of the time of a read. */
  void (*set_perf_level)(int level);
} rocksdb_ffm_engine;

/* An options object, and the values to set. */
typedef struct rocksdb_ffm_settings {
  const rocksdb_ffm_engine* engine;
  rocksdb_options_t* options; /* changed in place; options without a new value are kept */
  const char* text;           /* an options string of RocksDB; set last, so that it can change the table */
  rocksdb_cache_t* cache;     /* for a new block-based table factory; NULL keeps the factory */
  char* error;                /* out; the options that were set before the failure stay set */
  int64_t no_cache;           /* not 0: a new block-based table factory without a cache */
} rocksdb_ffm_settings;

/*
 * Sets the options. Like rocksdb_ffm_open, it has one parameter, because a JVM that
 * has just started takes longer to link a call of another signature than the engine
 * takes to set the options.
 */
ROCKSDB_FFM_API void rocksdb_ffm_set_options(rocksdb_ffm_settings* settings);

/*
 * The rules by which rows of a column family expire, by a time in their values, and the functions
 * of the engine that install a compaction filter; their names are without the prefix rocksdb_.
 */
typedef struct rocksdb_ffm_expiry {
  rocksdb_compactionfilter_t* (*compactionfilter_create)(
      void* state, void (*destructor)(void*),
      unsigned char (*filter)(void*, int level, const char* key, size_t key_size,
                              const char* value, size_t value_size, char** new_value,
                              size_t* new_value_size, unsigned char* value_changed),
      const char* (*name)(void*));
  rocksdb_compactionfilterfactory_t* (*compactionfilterfactory_create)(
      void* state, void (*destructor)(void*),
      rocksdb_compactionfilter_t* (*create_compaction_filter)(
          void*, rocksdb_compactionfiltercontext_t* context),
      const char* (*name)(void*));
  void (*options_set_compaction_filter_factory)(rocksdb_options_t* options,
                                                rocksdb_compactionfilterfactory_t* factory);
  const char* prefix; /* only rows whose keys have this prefix expire */
  size_t prefix_size;
  size_t offset;        /* the time's offset in the value; rows with shorter values are kept */
  size_t width;         /* the time's width in bytes: 4 (unsigned) or 8 (signed) */
  int64_t big_endian;   /* the byte order of the time: 0 for little endian */
  int64_t milliseconds; /* the time's unit: 0 for seconds since 1970, else milliseconds */
  int64_t age;          /* the age at which rows expire, in the same unit; not negative */
} rocksdb_ffm_expiry;

/*
 * Makes compactions of a column family that is opened with the options delete rows that have expired
 * at the start of the compaction. Rows with a time before 1990 are kept, because the value is probably not a time.
 * The rules are copied. Returns 0, and sets nothing, if memory cannot be allocated.
 */
ROCKSDB_FFM_API int32_t rocksdb_ffm_set_expiry(rocksdb_options_t* options,
                                               const rocksdb_ffm_expiry* rules);

/* The arguments of rocksdb_ffm_open, which opens a database for reading and writing. */
typedef struct rocksdb_ffm_opening {
  const rocksdb_ffm_engine* engine;
  const rocksdb_options_t* options;
  const char* path;
  size_t family_count;
  const char* const* names;                       /* the names of the column families */
  const rocksdb_options_t* const* family_options; /* in the order of the names */
  rocksdb_column_family_handle_t** families;      /* out, in the order of the names, owned by the caller */
  rocksdb_t* db;                                  /* out, owned by the caller; NULL after a failure */
  char* error;                                    /* out */
} rocksdb_ffm_opening;

ROCKSDB_FFM_API void rocksdb_ffm_open(rocksdb_ffm_opening* opening);

/*
 * The source of reads: a database, a column family and read options.
 * Filled in once, borrowed by each call, shared by all threads.
 *
 * To read through a transaction, `db` is the transaction, and get_pinned_cf of `engine` is
 * rocksdb_transaction_get_pinned_cf. To read through a batch with an index, `db` is a
 * rocksdb_ffm_indexed_batch, and get_pinned_cf is rocksdb_ffm_get_over_batch. Such readers are used
 * by one thread at a time, and not with rocksdb_ffm_get_into, which does not call get_pinned_cf.
 */
typedef struct rocksdb_ffm_reader {
  const rocksdb_ffm_engine* engine;
  rocksdb_t* db; /* or a rocksdb_transaction_t*, or a rocksdb_ffm_indexed_batch* */
  const rocksdb_readoptions_t* options;
  rocksdb_column_family_handle_t* column_family;
} rocksdb_ffm_reader;

/* The result of a read of one key. */
typedef struct rocksdb_ffm_value {
  const char* data;             /* the value's bytes, in the caller's buffer or in the pin */
  size_t size;                  /* the value's size */
  rocksdb_pinnableslice_t* pin; /* if not NULL, owned by the caller; see rocksdb_ffm_release */
  char* error;                  /* if not NULL, the engine's message, owned by the caller */
} rocksdb_ffm_value;

/* The results of rocksdb_ffm_get and rocksdb_ffm_get_into; the latter never pins. */
enum rocksdb_ffm_found {
  ROCKSDB_FFM_FAILED = -1,   /* value->error is set, and no other member */
  ROCKSDB_FFM_NOT_FOUND = 0, /* the key does not exist */
  ROCKSDB_FFM_COPIED = 1,    /* the value was copied into the buffer; `pin` is NULL */
  ROCKSDB_FFM_PINNED = 2     /* the value stays valid in the engine's memory until the pin is released */
};

/*
 * Reads one key: copies a value of at most `capacity` bytes into `buffer`, and pins a
 * larger value. With a capacity of 0, in which case `buffer` may be NULL, every value
 * that is not empty is pinned.
 */
ROCKSDB_FFM_API int32_t rocksdb_ffm_get(const rocksdb_ffm_reader* reader, const char* key,
                                        size_t key_size, char* buffer, size_t capacity,
                                        rocksdb_ffm_value* value);

/*
 * Reads one key, and copies the value into `buffer` if it fits. If `value->size` is
 * above the capacity, nothing was copied. Saves the engine the creation of a pin. Sets
 * `size` and `error` of `value`, and no other member.
 */
ROCKSDB_FFM_API int32_t rocksdb_ffm_get_into(const rocksdb_ffm_reader* reader, const char* key,
                                             size_t key_size, char* buffer, size_t capacity,
                                             rocksdb_ffm_value* value);

/*
 * Locks a key in a transaction, and reads it like rocksdb_ffm_get. The lock is exclusive (for update),
 * or shared with other transactions that read the key to share; either prevents writes by other transactions.
 * Fails if the lock is not available before the transaction's lock timeout.
 */
ROCKSDB_FFM_API int32_t rocksdb_ffm_get_for_update(const rocksdb_ffm_reader* reader,
                                                   const char* key, size_t key_size, char* buffer,
                                                   size_t capacity, rocksdb_ffm_value* value);
ROCKSDB_FFM_API int32_t rocksdb_ffm_get_to_share(const rocksdb_ffm_reader* reader, const char* key,
                                                 size_t key_size, char* buffer, size_t capacity,
                                                 rocksdb_ffm_value* value);

/* Consecutive keys of a multi-get that belong to the same column family. */
typedef struct rocksdb_ffm_group {
  rocksdb_column_family_handle_t* column_family;
  size_t key_count;
} rocksdb_ffm_group;

/* Flags of rocksdb_ffm_multi_get. */
enum rocksdb_ffm_order {
  ROCKSDB_FFM_SORTED = 1,     /* the keys of each group are sorted by the column family's comparator */
  ROCKSDB_FFM_ONE_BY_ONE = 2, /* without the engine's multi-get, which reads files even if the options forbid it */
  ROCKSDB_FFM_TO_SHARE = 4,   /* one by one; locks each key like rocksdb_ffm_get_to_share */
  ROCKSDB_FFM_FOR_UPDATE = 8, /* one by one; locks each key like rocksdb_ffm_get_for_update */
};

/*
 * Reads many keys in one call. `keys` contains the keys of all groups, one group after
 * another. The three arrays of results have an element for each key: `pins` (NULL if the
 * key was not found), `errors` (NULL, or a message) and `values` (data and size of the
 * pinned value; `pin` and `error` are the same as in the other arrays).
 * The caller owns all pins and messages, even if some keys failed. The reader's column family is not used.
 * Returns the number of keys that failed.
 */
ROCKSDB_FFM_API size_t rocksdb_ffm_multi_get(const rocksdb_ffm_reader* reader,
                                             const rocksdb_ffm_group* groups, size_t group_count,
                                             const rocksdb_ffm_slice* keys,
                                             rocksdb_pinnableslice_t** pins, char** errors,
                                             rocksdb_ffm_value* values, int32_t order);

/* Releases `count` pins; elements may be NULL. */
ROCKSDB_FFM_API void rocksdb_ffm_release(const rocksdb_ffm_engine* engine,
                                         rocksdb_pinnableslice_t** pins, size_t count);

/*
 * Where rocksdb_ffm_scan moves the iterator before it reads. NEXT and PREV do not
 * move an iterator that is not valid.
 */
enum rocksdb_ffm_move {
  ROCKSDB_FFM_STAY = 0,
  ROCKSDB_FFM_NEXT = 1,
  ROCKSDB_FFM_PREV = 2,
  ROCKSDB_FFM_FIRST = 3,
  ROCKSDB_FFM_LAST = 4,
  ROCKSDB_FFM_SEEK = 5,          /* the first key at or after the target */
  ROCKSDB_FFM_SEEK_FOR_PREV = 6, /* the last key at or before the target */
};

/*
 * An iterator and the block of rows that was read last. Used by one thread at a
 * time. The caller sets the first five members, the stub sets the others.
 *
 * A row is packed into the buffer if its key and value together have at most
 * `inline_limit` bytes and fit: a uint32_t key size, a uint32_t value size, the
 * key, the value, without padding. Any other row is the only row of its block:
 * `large_key` and `large_value` point to the engine's memory, and are valid until the
 * iterator is moved or destroyed.
 */
typedef struct rocksdb_ffm_cursor {
  const rocksdb_ffm_engine* engine;
  rocksdb_iterator_t* iterator;
  char* buffer;
  size_t capacity;
  size_t inline_limit;

  size_t row_count;              /* rows of this block; 0 at the end of the range */
  size_t packed_size;            /* size of the packed rows in the buffer */
  rocksdb_ffm_slice large_key;   /* data is NULL if the rows are packed */
  rocksdb_ffm_slice large_value;
  int64_t ahead;                 /* 1: the iterator is at a row that is not in the block */
  char* error;                   /* if not NULL, owned by the caller, and the block is empty */
} rocksdb_ffm_cursor;

/*
 * Moves the iterator, and reads a block of at most `row_limit` rows from its new
 * position, in descending order if `backward` is not 0. Afterwards the iterator is at
 * the last row of the block, or, if `ahead` is 1, at the first row that was not read.
 * The target is used by the two seeks only. With a limit of 0, no row is read, and
 * `ahead` says whether the iterator is valid. Returns the number of rows in the block.
 */
ROCKSDB_FFM_API int64_t rocksdb_ffm_scan(rocksdb_ffm_cursor* cursor, int32_t move,
                                         const char* target, size_t target_size, size_t row_limit,
                                         int32_t backward);

/*
 * The target of writes: a database, a column family and write options. Filled in
 * once, borrowed by each call, shared by all threads.
 */
typedef struct rocksdb_ffm_writer {
  const rocksdb_ffm_engine* engine;
  rocksdb_t* db;
  const rocksdb_writeoptions_t* options;
  rocksdb_column_family_handle_t* column_family;
} rocksdb_ffm_writer;

/*
 * The kinds of changes of a key. A kind is passed in one word with the size of the key, as
 * `kind << ROCKSDB_FFM_KIND_SHIFT | size`, because another parameter would not fit into the registers.
 */
enum rocksdb_ffm_kind {
  ROCKSDB_FFM_PUT = 0,
  ROCKSDB_FFM_MERGE = 1,
  ROCKSDB_FFM_DELETE = 2,        /* without a value */
  ROCKSDB_FFM_SINGLE_DELETE = 3, /* without a value */
  ROCKSDB_FFM_DELETE_RANGE = 4,  /* the value is the end of the range, exclusive */
};

#define ROCKSDB_FFM_KIND_SHIFT 56

/*
 * Writes one change of one key. Key and value are borrowed for the call. Returns 1
 * if the change was written. Otherwise returns 0 and sets `*error`, which the caller
 * owns. For an unknown kind it returns 0 without a message.
 */
ROCKSDB_FFM_API int32_t rocksdb_ffm_change(const rocksdb_ffm_writer* writer, const char* key,
                                           uint64_t kind_and_key_size, const char* value,
                                           size_t value_size, char** error);

/*
 * Locks the key in a transaction, and adds the change to the transaction's batch. The reader's options are used
 * by a single delete only. ROCKSDB_FFM_DELETE_RANGE is not supported, as in RocksDB's transactions. Otherwise
 * like rocksdb_ffm_change.
 */
ROCKSDB_FFM_API int32_t rocksdb_ffm_transaction_change(const rocksdb_ffm_reader* reader,
                                                       const char* key, uint64_t kind_and_key_size,
                                                       const char* value, size_t value_size,
                                                       char** error);

/* A batch with an index, and its base database. Used by one thread at a time. */
typedef struct rocksdb_ffm_indexed_batch {
  const rocksdb_ffm_engine* engine;
  rocksdb_writebatch_wi_t* batch;
  rocksdb_t* db;
} rocksdb_ffm_indexed_batch;

/*
 * Replaces get_pinned_cf in the engine of such a reader: pins the key's value in the batch, or, if
 * the batch does not contain the key, in the database.
 */
ROCKSDB_FFM_API rocksdb_pinnableslice_t* rocksdb_ffm_get_over_batch(
    rocksdb_t* indexed_batch, const rocksdb_readoptions_t* options,
    rocksdb_column_family_handle_t* column_family, const char* key, size_t key_size, char** error);

/*
 * Adds one change to the reader's batch. The reader's options are not used. Fails only for
 * ROCKSDB_FFM_DELETE_RANGE, which a batch with an index does not support, and for unknown kinds.
 */
ROCKSDB_FFM_API int32_t rocksdb_ffm_batch_change(const rocksdb_ffm_reader* reader,
                                                 const char* key, uint64_t kind_and_key_size,
                                                 const char* value, size_t value_size,
                                                 char** error);

/*
 * Creates a batch from a copy of its serialized form (the engine's write batch
 * format: a sequence number of 8 bytes, a count of 4, the records). The caller owns
 * the batch until it is written. Returns quickly, so that Java can make it a critical
 * call, during which the garbage collector waits.
 */
ROCKSDB_FFM_API rocksdb_writebatch_t* rocksdb_ffm_batch(const rocksdb_ffm_engine* engine,
                                                        const char* bytes, size_t size);

/*
 * Writes a batch, and destroys it. The writer's column family is not used, because the
 * records contain column families. The error and the result are as in rocksdb_ffm_change.
 */
ROCKSDB_FFM_API int32_t rocksdb_ffm_write(const rocksdb_ffm_writer* writer,
                                          rocksdb_writebatch_t* batch, char** error);

/*
 * The functions below are for a caller that has pointers to the engine's objects, without the C API's structs around
 * them. They build these structs on the stack, and call the function of the C API that they get, so that one call does
 * the work of all kinds of changes.
 */

/* The size of the value in `sizes` below for a change without a value. */
#define ROCKSDB_FFM_NO_VALUE UINT32_MAX

/*
 * Writes one change. `change` is rocksdb_put_cf or a function with the same type; or, for ROCKSDB_FFM_NO_VALUE,
 * rocksdb_delete_cf or a function with that type. The value follows the key; `sizes` is the size of the key in the
 * upper 32 bits, and the size of the value in the lower ones. Returns NULL, or an error message, which the caller owns.
 */
ROCKSDB_FFM_API char* rocksdb_ffm_bare_change(void (*change)(void), void* db,
                                              const rocksdb_writeoptions_t* options,
                                              void* column_family, const char* key_and_value,
                                              uint64_t sizes);

/*
 * Appends one change to a batch. `append` is rocksdb_writebatch_put_cf or a function with the same type; or, for
 * ROCKSDB_FFM_NO_VALUE, rocksdb_writebatch_delete_cf or a function with that type. The column family may be NULL; key,
 * value and sizes are as above. `count` is rocksdb_writebatch_count, or NULL. Returns 0 if the count is unchanged: the
 * engine drops a change that exceeds the batch's limit, without an error. Otherwise returns 1.
 */
ROCKSDB_FFM_API int64_t rocksdb_ffm_bare_append(void (*append)(void), rocksdb_writebatch_t* batch,
                                                void* column_family, const char* key_and_value,
                                                uint64_t sizes,
                                                int (*count)(rocksdb_writebatch_t* batch));

/*
 * Writes a batch with `write`, which is rocksdb_write. Returns NULL, or an error message, which the caller owns. If
 * `has_ranges` is not NULL, it is the JNI entry point that returns whether a batch deletes ranges; such a batch is not
 * written, and a pointer with the value 1 is returned.
 */
ROCKSDB_FFM_API char* rocksdb_ffm_bare_write(
    void (*write)(rocksdb_t* db, const rocksdb_writeoptions_t* options, rocksdb_writebatch_t* batch,
                  char** error),
    void* db, const rocksdb_writeoptions_t* options, rocksdb_writebatch_t* batch,
    unsigned char (*has_ranges)(void* environment, void* type, int64_t batch));

/*
 * Does what rocksdb_ffm_scan does, with an iterator instead of the cursor's. The last word is twice the row limit, which
 * is at most 65535, plus 1 for descending order. Returns three numbers in one word: in the lowest 16 bits the number of
 * rows, in the next bit `ahead`, and above 32 bits `packed_size`. The cursor's buffer has less than 2 GiB.
 */
ROCKSDB_FFM_API int64_t rocksdb_ffm_bare_scan(rocksdb_ffm_cursor* cursor, void* iterator,
                                              int64_t move, const char* target, size_t target_size,
                                              int64_t limit_and_backward);

/*
 * Allocates `size` bytes, uninitialized; NULL on failure. The caller frees them with
 * rocksdb_ffm_free, which accepts NULL.
 */
ROCKSDB_FFM_API void* rocksdb_ffm_allocate(size_t size);
ROCKSDB_FFM_API void rocksdb_ffm_free(void* memory);

/*
 * Installs an exit handler that ends the process without waiting for the engine's
 * threads. The engine's exit handler joins them, although one may run for hours, or may
 * wait in a callback for a virtual machine that has stopped. Exit handlers run in
 * reverse order, so this one must be installed after the engine's, which the creation of
 * any options object installs: the parameter only ensures that options exist.
 *
 * If the C library passes the exit status to handlers (glibc), the handler flushes streams
 * and ends the process immediately with that status: handlers that were installed before
 * do not run. Otherwise all handlers run, and after two seconds the process is ended with
 * EXIT_FAILURE.
 */
ROCKSDB_FFM_API void rocksdb_ffm_end_at_exit(const rocksdb_options_t* made);

/*
 * Disables the engine's PerfContext counters for the calling thread, as its first read or
 * write would. A perf level that is set later is kept.
 */
ROCKSDB_FFM_API void rocksdb_ffm_stop_counting(const rocksdb_ffm_engine* engine);

/*
 * Returns the size in bytes of the unused stack of the calling thread, including the guard
 * zones of a virtual machine.
 */
ROCKSDB_FFM_API int64_t rocksdb_ffm_stack_left(void);

/*
 * Returns a copy of the text that is never freed; the same pointer for equal texts, in all
 * threads and class loaders. For pointers that the engine keeps in static variables, which
 * outlive a class loader. NULL if memory cannot be allocated.
 */
ROCKSDB_FFM_API const char* rocksdb_ffm_intern(const char* text);

/*
 * A queue of the engine's log messages, with one reader thread. Threads that add a message
 * wait only while another message is copied. A message that does not fit is dropped and counted.
 */
typedef struct rocksdb_ffm_log rocksdb_ffm_log;

/* The messages of one call of rocksdb_ffm_log_take: each is a uint32_t level, a uint32_t size, the text; no padding. */
typedef struct rocksdb_ffm_messages {
  const char* bytes; /* borrowed until the next rocksdb_ffm_log_take */
  size_t size;
  int64_t dropped; /* number of messages that were dropped after these */
  int64_t ended;   /* not 0: the log has ended, and all messages were taken */
} rocksdb_ffm_messages;

/* Creates a log with two buffers of `capacity` bytes. The caller owns it. NULL if memory cannot be allocated. */
ROCKSDB_FFM_API rocksdb_ffm_log* rocksdb_ffm_log_create(size_t capacity);

/* Adds a message; any thread. Has the signature of the engine's logger callback. */
ROCKSDB_FFM_API void rocksdb_ffm_log_add(void* log, unsigned level, char* text, size_t size);

/* Waits for messages, and takes all of them; one thread at a time. */
ROCKSDB_FFM_API void rocksdb_ffm_log_take(rocksdb_ffm_log* log, rocksdb_ffm_messages* taken);

/* Says that no more messages will be added. The reader takes the remaining messages, and destroys the log. */
ROCKSDB_FFM_API void rocksdb_ffm_log_end(rocksdb_ffm_log* log);
ROCKSDB_FFM_API void rocksdb_ffm_log_destroy(rocksdb_ffm_log* log);

/* The layout of a struct, or of a member, in the compiled library. */
typedef struct rocksdb_ffm_layout {
  const char* struct_name;
  const char* member; /* NULL for the struct itself */
  size_t offset;
  size_t size;
} rocksdb_ffm_layout;

/*
 * Returns the layouts of the structs above, so that a caller can compare them with its
 * own layouts. The array is static; `*count` receives its length.
 */
ROCKSDB_FFM_API const rocksdb_ffm_layout* rocksdb_ffm_layouts(size_t* count);

/* The ROCKSDB_FFM_ABI that the library was built with. */
ROCKSDB_FFM_API int32_t rocksdb_ffm_abi(void);

/* The variable rocksdb_ffm_abi_<number>: its name gives the number to callers without a call. */
#define ROCKSDB_FFM_NAMED_BY(number) rocksdb_ffm_abi_##number
#define ROCKSDB_FFM_NAMED(number) ROCKSDB_FFM_NAMED_BY(number)
ROCKSDB_FFM_API extern const int32_t ROCKSDB_FFM_NAMED(ROCKSDB_FFM_ABI);

#ifdef __cplusplus
}
#endif

#endif
