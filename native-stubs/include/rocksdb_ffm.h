/* Licensed under the Apache License, Version 2.0; see LICENSE. */

/*
 * The contract between the Java core and its native stubs.
 *
 * A stub exists only where one call must do the work of several, or where the
 * engine calls and must not wait for a virtual machine; everything else is called
 * in RocksDB's own C API. The stubs keep no state but one mark
 * a thread, see set_perf_level, and texts, see rocksdb_ffm_intern: they reach
 * the engine through a table of its functions which the caller fills in and
 * hands over with each call. So they are linked against nothing but the C
 * library, run beside any copy of the engine, and two copies in one process
 * cannot be taken for each other.
 *
 * Threads: every function may be called from any thread. The memory that
 * a struct points to must not be used by two threads at once unless the struct
 * says so.
 *
 * Errors: an `error` field receives NULL or the engine's message, allocated by
 * the engine; the caller frees it with rocksdb_free.
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

/* Raised whenever a struct or a function below changes its meaning or shape. */
#define ROCKSDB_FFM_ABI 13

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

/* Bytes that somebody else owns. Laid out like the engine's rocksdb_slice_t. */
typedef struct rocksdb_ffm_slice {
  const char* data;
  size_t size;
} rocksdb_ffm_slice;

/*
 * The functions of the engine that the stubs call. Filled in once by the
 * caller, never changed afterwards, shared by all threads. Each member has the
 * name and the prototype of the C function without its rocksdb_ prefix;
 * batched_multi_get_cf_slice takes rocksdb_slice_t keys, which rocksdb_ffm_slice
 * equals in layout.
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
  /* May be NULL. Otherwise each thread that reads or writes has the engine count nothing of what it does, from its
     first call on. By default it counts each comparison of two keys, for one, and that takes up to a tenth of a read. */
  void (*set_perf_level)(int level);
} rocksdb_ffm_engine;

/* An options object, and the values that it is set to. */
typedef struct rocksdb_ffm_settings {
  const rocksdb_ffm_engine* engine;
  rocksdb_options_t* options; /* changed in place: what is not named stays as it is */
  const char* text;           /* in the engine's notation, set last: so it may change the table */
  rocksdb_cache_t* cache;     /* for a block based table of its own; NULL to leave the table alone */
  char* error;                /* out: what was set before the failure stays set */
  int64_t no_cache;           /* whether the table is one of its own without a cache */
} rocksdb_ffm_settings;

/*
 * Sets them. It has one parameter, as the next has, and that is the point: a JVM
 * that has just started takes longer to link a call of yet another shape than the
 * engine takes for the work.
 */
ROCKSDB_FFM_API void rocksdb_ffm_set_options(rocksdb_ffm_settings* settings);

/*
 * The rows of a column family that are too old to be kept, by a time in their values, and the
 * functions of the engine that see to it, by their names and prototypes without rocksdb_.
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
  const char* prefix; /* of keys that can expire; others are kept */
  size_t prefix_size;
  size_t offset;        /* of the time in the value; one that is too short for it is kept */
  size_t width;         /* of the time, 4 bytes, which are unsigned, or 8, which are signed */
  int64_t big_endian;   /* whether its first byte is the highest */
  int64_t milliseconds; /* whether it counts these, and not seconds, since 1970 */
  int64_t age;          /* that a row reaches, in the same unit; not negative */
} rocksdb_ffm_expiry;

/*
 * Has compactions of a column family that is opened with the options delete rows that are older than
 * the age when the compaction begins. A time before 1990 is taken for none, and kept. The rules are copied.
 * Returns 0, and sets nothing, where there is no memory for them.
 */
ROCKSDB_FFM_API int32_t rocksdb_ffm_set_expiry(rocksdb_options_t* options,
                                               const rocksdb_ffm_expiry* rules);

/* A database to be opened for reading and writing. */
typedef struct rocksdb_ffm_opening {
  const rocksdb_ffm_engine* engine;
  const rocksdb_options_t* options;
  const char* path;
  size_t family_count;
  const char* const* names;                       /* of the column families */
  const rocksdb_options_t* const* family_options; /* in the order of the names */
  rocksdb_column_family_handle_t** families;      /* out, in that order too, owned by the caller */
  rocksdb_t* db;                                  /* out, owned by the caller; NULL after a failure */
  char* error;                                    /* out */
} rocksdb_ffm_opening;

ROCKSDB_FFM_API void rocksdb_ffm_open(rocksdb_ffm_opening* opening);

/*
 * Where reads go: one column family seen through one set of read options.
 * Filled in once, borrowed by each call, shared by all threads.
 *
 * The reader of a transaction has that in the place of a database, and an engine whose
 * get_pinned_cf takes one: rocksdb_transaction_get_pinned_cf. It serves one thread at a time, and
 * it serves all that pins, which is all but rocksdb_ffm_get_into. The reader of a batch with an
 * index has a rocksdb_ffm_indexed_batch there, and rocksdb_ffm_get_over_batch.
 */
typedef struct rocksdb_ffm_reader {
  const rocksdb_ffm_engine* engine;
  rocksdb_t* db; /* or a rocksdb_transaction_t*, or a rocksdb_ffm_indexed_batch* */
  const rocksdb_readoptions_t* options;
  rocksdb_column_family_handle_t* column_family;
} rocksdb_ffm_reader;

/* The result of a read of one key. */
typedef struct rocksdb_ffm_value {
  const char* data;             /* the value's bytes: in the caller's buffer, or below the pin */
  size_t size;                  /* the value's size, in either case */
  rocksdb_pinnableslice_t* pin; /* owned by the caller when not NULL: release it */
  char* error;                  /* the engine's message, owned by the caller when not NULL */
} rocksdb_ffm_value;

/* The results of rocksdb_ffm_get and rocksdb_ffm_get_into; the latter never pins. */
enum rocksdb_ffm_found {
  ROCKSDB_FFM_FAILED = -1,   /* value->error says why; nothing else is set */
  ROCKSDB_FFM_NOT_FOUND = 0, /* there is no such key */
  ROCKSDB_FFM_COPIED = 1,    /* the value was copied into the buffer; there is no pin */
  ROCKSDB_FFM_PINNED = 2     /* the value stays where the engine has it, until the pin is released */
};

/*
 * Reads one key in one call: copies the value into `buffer` when it has at most
 * `capacity` bytes, and pins it otherwise. A capacity of 0 pins every value but
 * the empty one. The buffer may be NULL when the capacity is 0.
 */
ROCKSDB_FFM_API int32_t rocksdb_ffm_get(const rocksdb_ffm_reader* reader, const char* key,
                                        size_t key_size, char* buffer, size_t capacity,
                                        rocksdb_ffm_value* value);

/*
 * Reads one key whose value has a place already: copies it into `buffer`, unless
 * `value->size` is above the capacity, which says that nothing was copied. Never
 * pins, which spares the engine making a pin. Of `value`, `size` and `error` are set.
 */
ROCKSDB_FFM_API int32_t rocksdb_ffm_get_into(const rocksdb_ffm_reader* reader, const char* key,
                                             size_t key_size, char* buffer, size_t capacity,
                                             rocksdb_ffm_value* value);

/*
 * Reads one key through a transaction, which locks it first: for update, so that others can neither
 * lock nor write it, or to share, so that they can lock it in the same way and not write it. Waits for the
 * lock for as long as the transaction's timeout, and fails then. Otherwise as rocksdb_ffm_get.
 */
ROCKSDB_FFM_API int32_t rocksdb_ffm_get_for_update(const rocksdb_ffm_reader* reader,
                                                   const char* key, size_t key_size, char* buffer,
                                                   size_t capacity, rocksdb_ffm_value* value);
ROCKSDB_FFM_API int32_t rocksdb_ffm_get_to_share(const rocksdb_ffm_reader* reader, const char* key,
                                                 size_t key_size, char* buffer, size_t capacity,
                                                 rocksdb_ffm_value* value);

/* A run of keys of one multi-get that belong to the same column family. */
typedef struct rocksdb_ffm_group {
  rocksdb_column_family_handle_t* column_family;
  size_t key_count;
} rocksdb_ffm_group;

/* How rocksdb_ffm_multi_get reads; may be joined. */
enum rocksdb_ffm_order {
  ROCKSDB_FFM_SORTED = 1,     /* the keys of each group are in the column family's order already */
  ROCKSDB_FFM_ONE_BY_ONE = 2, /* without the engine's multi-get, which reads files though it may not */
  ROCKSDB_FFM_TO_SHARE = 4,   /* one by one as well, each as by rocksdb_ffm_get_to_share */
  ROCKSDB_FFM_FOR_UPDATE = 8, /* one by one as well, each as by rocksdb_ffm_get_for_update */
};

/*
 * Reads many keys in one call. `keys` holds the keys of all groups one after
 * another, and so do the three results: `pins` (room for one pointer a key; NULL
 * where nothing was found), `errors` (room for one message a key) and `values`
 * (data and size of what is pinned; its pin and error repeat the two arrays).
 * The caller owns all pins and messages, also when some keys failed. The reader's own column family
 * is not used. Returns how many keys failed.
 */
ROCKSDB_FFM_API size_t rocksdb_ffm_multi_get(const rocksdb_ffm_reader* reader,
                                             const rocksdb_ffm_group* groups, size_t group_count,
                                             const rocksdb_ffm_slice* keys,
                                             rocksdb_pinnableslice_t** pins, char** errors,
                                             rocksdb_ffm_value* values, int32_t order);

/* Releases `count` pins; NULLs among them are passed over. */
ROCKSDB_FFM_API void rocksdb_ffm_release(const rocksdb_ffm_engine* engine,
                                         rocksdb_pinnableslice_t** pins, size_t count);

/*
 * Where rocksdb_ffm_scan moves the iterator before it reads. A step from an
 * iterator that stands nowhere leads nowhere.
 */
enum rocksdb_ffm_move {
  ROCKSDB_FFM_STAY = 0,
  ROCKSDB_FFM_NEXT = 1,
  ROCKSDB_FFM_PREV = 2,
  ROCKSDB_FFM_FIRST = 3,
  ROCKSDB_FFM_LAST = 4,
  ROCKSDB_FFM_SEEK = 5,          /* the first key that is not below the target */
  ROCKSDB_FFM_SEEK_FOR_PREV = 6, /* the last key that is not above the target */
};

/*
 * An iterator and the block of rows last read from it. Used by one thread at a
 * time. The first five members are the caller's, the others the stub's.
 *
 * A row is packed into the buffer when its key and value have at most
 * `inline_limit` bytes together and there is room: a uint32_t key size, a
 * uint32_t value size, the key, the value, without padding. Any other row is
 * pointed at: it is alone in its block, `large_key` and `large_value` say where the
 * engine has it, and both hold until the iterator is moved or destroyed.
 */
typedef struct rocksdb_ffm_cursor {
  const rocksdb_ffm_engine* engine;
  rocksdb_iterator_t* iterator;
  char* buffer;
  size_t capacity;
  size_t inline_limit;

  size_t row_count;              /* rows of this block; 0 at the end of the range */
  size_t packed_size;            /* bytes of the buffer that packed rows use */
  rocksdb_ffm_slice large_key;   /* data is NULL unless the block is one row pointed at */
  rocksdb_ffm_slice large_value;
  int64_t ahead;                 /* 1: the iterator stands on a row that was not read yet */
  char* error;                   /* owned by the caller when not NULL; the block is empty then */
} rocksdb_ffm_cursor;

/*
 * Moves the iterator and reads a block of at most `row_limit` rows from where it
 * then stands, going backward when `backward` is not 0. The iterator is left on
 * the last row read, or, where `ahead` is set, on the first that was not. Target
 * and size count for the two seeks only. With a limit of 0 it moves and reads
 * nothing: `ahead` then says whether there is a row. Returns the number of rows read.
 */
ROCKSDB_FFM_API int64_t rocksdb_ffm_scan(rocksdb_ffm_cursor* cursor, int32_t move,
                                         const char* target, size_t target_size, size_t row_limit,
                                         int32_t backward);

/*
 * Where writes go: one column family under one set of write options. Filled in
 * once, borrowed by each call, shared by all threads.
 */
typedef struct rocksdb_ffm_writer {
  const rocksdb_ffm_engine* engine;
  rocksdb_t* db;
  const rocksdb_writeoptions_t* options;
  rocksdb_column_family_handle_t* column_family;
} rocksdb_ffm_writer;

/*
 * The change that rocksdb_ffm_change makes to a key. It comes in one word with the size of the key, as
 * `kind << ROCKSDB_FFM_KIND_SHIFT | size`: one word more would be more than registers take.
 */
enum rocksdb_ffm_kind {
  ROCKSDB_FFM_PUT = 0,
  ROCKSDB_FFM_MERGE = 1,
  ROCKSDB_FFM_DELETE = 2,        /* there is no value */
  ROCKSDB_FFM_SINGLE_DELETE = 3, /* there is no value */
  ROCKSDB_FFM_DELETE_RANGE = 4,  /* the value is the key before which it ends */
};

#define ROCKSDB_FFM_KIND_SHIFT 56

/*
 * Writes one change of one key. Key and value are borrowed for the call. Returns 1
 * when it is written, and 0 when `*error`, owned by the caller, says why it is not.
 * Another kind changes nothing: 0, and no message.
 */
ROCKSDB_FFM_API int32_t rocksdb_ffm_change(const rocksdb_ffm_writer* writer, const char* key,
                                           uint64_t kind_and_key_size, const char* value,
                                           size_t value_size, char** error);

/*
 * Makes one change within a transaction, which locks the key first, and remembers the change until it is
 * committed. The reader's options do not count, but for a single delete, which reads. There is no
 * ROCKSDB_FFM_DELETE_RANGE: the engine has none. Otherwise as rocksdb_ffm_change.
 */
ROCKSDB_FFM_API int32_t rocksdb_ffm_transaction_change(const rocksdb_ffm_reader* reader,
                                                       const char* key, uint64_t kind_and_key_size,
                                                       const char* value, size_t value_size,
                                                       char** error);

/* A batch with an index, and the database that its reads see below it. One thread at a time. */
typedef struct rocksdb_ffm_indexed_batch {
  const rocksdb_ffm_engine* engine;
  rocksdb_writebatch_wi_t* batch;
  rocksdb_t* db;
} rocksdb_ffm_indexed_batch;

/*
 * Stands where an engine's get_pinned_cf does, for readers of such batches: pins what the batch
 * has for the key, or the database if it has nothing.
 */
ROCKSDB_FFM_API rocksdb_pinnableslice_t* rocksdb_ffm_get_over_batch(
    rocksdb_t* indexed_batch, const rocksdb_readoptions_t* options,
    rocksdb_column_family_handle_t* column_family, const char* key, size_t key_size, char** error);

/*
 * Adds one change to the batch of the reader, whose options do not count. There is no
 * ROCKSDB_FFM_DELETE_RANGE: the index has none. Nothing else fails. Otherwise as rocksdb_ffm_change.
 */
ROCKSDB_FFM_API int32_t rocksdb_ffm_batch_change(const rocksdb_ffm_reader* reader,
                                                 const char* key, uint64_t kind_and_key_size,
                                                 const char* value, size_t value_size,
                                                 char** error);

/*
 * Makes a batch of the bytes of its serialized form (the engine's write batch
 * format: a sequence number of 8 bytes, a count of 4, the records), which it copies.
 * The caller owns it until it is written. Does nothing else, so that it can be called
 * where the collector waits.
 */
ROCKSDB_FFM_API rocksdb_writebatch_t* rocksdb_ffm_batch(const rocksdb_ffm_engine* engine,
                                                        const char* bytes, size_t size);

/*
 * Writes a batch, and frees it. Its records name their column families: the writer's
 * is not used. Error and result are as for a change.
 */
ROCKSDB_FFM_API int32_t rocksdb_ffm_write(const rocksdb_ffm_writer* writer,
                                          rocksdb_writebatch_t* batch, char** error);

/*
 * Allocates `size` bytes that are not cleared; NULL when there is no memory. The
 * caller owns them and gives them back to rocksdb_ffm_free, which takes NULL too.
 */
ROCKSDB_FFM_API void* rocksdb_ffm_allocate(size_t size);
ROCKSDB_FFM_API void rocksdb_ffm_free(void* memory);

/*
 * From now on the process ends when it exits, whatever the engine's threads do. The
 * engine's own handler waits for them, and one may be at work for hours, or may have been
 * called back into a virtual machine that has stopped. Making options, of which any will
 * do, has installed that handler; this one runs before it, so it is asked for afterwards.
 *
 * Where the C library tells handlers the status (glibc), streams are flushed and the
 * process ends with it at once: no handler that was installed before this one runs.
 * Elsewhere all handlers run, and a process that has not ended two seconds later ends
 * with EXIT_FAILURE.
 */
ROCKSDB_FFM_API void rocksdb_ffm_end_at_exit(const rocksdb_options_t* made);

/*
 * Has the calling thread count nothing, as the first call that reads or writes would. A
 * level that is set for the thread behind it stays.
 */
ROCKSDB_FFM_API void rocksdb_ffm_stop_counting(const rocksdb_ffm_engine* engine);

/*
 * How many bytes of its stack the calling thread has left, what a virtual machine keeps
 * for itself at the end of it included.
 */
ROCKSDB_FFM_API int64_t rocksdb_ffm_stack_left(void);

/*
 * A copy of the text that stays where it is until the process ends: the same for equal
 * texts, by whichever thread and for whichever class loader they come. For what the
 * engine keeps in static variables, which outlive a class loader. NULL if there is no
 * memory for it.
 */
ROCKSDB_FFM_API const char* rocksdb_ffm_intern(const char* text);

/*
 * Messages of an engine on their way to one thread that reads them. The threads that add
 * wait for nothing but the copy of another: what finds no room is dropped and counted.
 */
typedef struct rocksdb_ffm_log rocksdb_ffm_log;

/* Messages that were taken together: each is a uint32_t level, a uint32_t size and the text, without padding. */
typedef struct rocksdb_ffm_messages {
  const char* bytes; /* borrowed until the next taking */
  size_t size;
  int64_t dropped; /* how many came behind these and found no room */
  int64_t ended;   /* whether there are none, and there will be none any more */
} rocksdb_ffm_messages;

/* A log with room for so many bytes of messages, twice; the caller owns it. NULL if there is no memory. */
ROCKSDB_FFM_API rocksdb_ffm_log* rocksdb_ffm_log_create(size_t capacity);

/* Adds a message; any thread. It has the shape of a callback of the engine's logger. */
ROCKSDB_FFM_API void rocksdb_ffm_log_add(void* log, unsigned level, char* text, size_t size);

/* Waits for messages, and takes all that there are; one thread at a time. */
ROCKSDB_FFM_API void rocksdb_ffm_log_take(rocksdb_ffm_log* log, rocksdb_ffm_messages* taken);

/* Says that nobody adds any more; the reader takes what is there, and destroys the log. */
ROCKSDB_FFM_API void rocksdb_ffm_log_end(rocksdb_ffm_log* log);
ROCKSDB_FFM_API void rocksdb_ffm_log_destroy(rocksdb_ffm_log* log);

/* One line of the library's description of itself. */
typedef struct rocksdb_ffm_layout {
  const char* struct_name;
  const char* member; /* NULL: the struct as a whole */
  size_t offset;
  size_t size;
} rocksdb_ffm_layout;

/*
 * The structs above as the compiler laid them out, so that a caller can hold its
 * own picture against it. The array is static; `*count` receives its length.
 */
ROCKSDB_FFM_API const rocksdb_ffm_layout* rocksdb_ffm_layouts(size_t* count);

/* The ROCKSDB_FFM_ABI that the library was built with. */
ROCKSDB_FFM_API int32_t rocksdb_ffm_abi(void);

/* The same as rocksdb_ffm_abi_<number>: whoever finds the name knows the number without a call. */
#define ROCKSDB_FFM_NAMED_BY(number) rocksdb_ffm_abi_##number
#define ROCKSDB_FFM_NAMED(number) ROCKSDB_FFM_NAMED_BY(number)
ROCKSDB_FFM_API extern const int32_t ROCKSDB_FFM_NAMED(ROCKSDB_FFM_ABI);

#ifdef __cplusplus
}
#endif

#endif
