/* Licensed under the Apache License, Version 2.0; see LICENSE. */

/*
 * The contract between the Java core and its C++ stubs: a second library that reaches
 * what the engine's C API lacks. It is optional, and Java opens it at the first use. It
 * calls the engine through virtual functions, and through a table of functions that the
 * caller passes. A build check proves each function and each slot of a virtual function
 * in every packed engine, see cxx-symbols.txt. No exception leaves a function.
 *
 * Errors: an `error` cell receives NULL or a message with the engine's text for the
 * status, allocated with malloc; the caller frees it with rocksdb_free.
 */

#ifndef ROCKSDB_FFM_CXX_H
#define ROCKSDB_FFM_CXX_H

#include <stddef.h>
#include <stdint.h>

#define ROCKSDB_FFM_CXX_API __attribute__((visibility("default")))

#ifdef __cplusplus
extern "C" {
#endif

/* Incremented whenever a struct or a function below changes its meaning, layout or signature. */
#define ROCKSDB_FFM_CXX_ABI 9

/*
 * Functions of the engine, in the order of the rows "function" of cxx-symbols.txt. Never
 * changed after the caller has filled it in. Pointers to C++ functions are untyped here.
 */
typedef struct rocksdb_ffm_cxx_engine {
  void* status_to_string;
  void* env_default;
  void* env_file_system;
  void* new_encrypted_env;
  void* new_env_logger;
  void* pinnable_wide_columns_destroy;
  void* cleanable_destroy;
  void* get_entity_from_batch_and_db;
  void* sst_file_reader_create;
  void* sst_file_reader_destroy;
  void* sst_file_reader_open;
  void* sst_file_reader_new_table_iterator;
  void* readoptions_set_iterate_upper_bound;
  void* multi_get_from_batch_and_db;
  void* multi_get_entity_from_batch_and_db;
  void* property_int;
} rocksdb_ffm_cxx_engine;

/* The engine's opaque types, as rocksdb/c.h declares them. */
typedef struct rocksdb_t rocksdb_t;
typedef struct rocksdb_env_t rocksdb_env_t;

/* The variable rocksdb_ffm_cxx_abi_<number>: its name gives the number to callers without a call. */
#define ROCKSDB_FFM_CXX_NAMED_BY(number) rocksdb_ffm_cxx_abi_##number
#define ROCKSDB_FFM_CXX_NAMED(number) ROCKSDB_FFM_CXX_NAMED_BY(number)
extern ROCKSDB_FFM_CXX_API const int ROCKSDB_FFM_CXX_NAMED(ROCKSDB_FFM_CXX_ABI);

/* Resumes a database's writes after the cause of a background error has been removed. */
ROCKSDB_FFM_CXX_API void rocksdb_ffm_cxx_resume(const rocksdb_ffm_cxx_engine* engine,
                                                rocksdb_t* database, char** error);

/*
 * Returns the severity of a database's background error, a rocksdb::Status::Severity. The
 * error cell receives the text of the background error, or NULL if the database has no background error.
 */
ROCKSDB_FFM_CXX_API int64_t rocksdb_ffm_cxx_background_error(const rocksdb_ffm_cxx_engine* engine,
                                                             rocksdb_t* database, char** error);

/*
 * Encryption of files. A file starts with a prefix of ROCKSDB_FFM_CXX_PREFIX bytes:
 *
 *   0   magic "ffm-aes\n"
 *   8   version 1, little-endian, 4 bytes; 4 bytes 0
 *   16  nonce, random, 16 bytes
 *   32  id of the key, ASCII, filled up with 0
 *   64  the 16 bytes "key is right\n\n\n\n", encrypted like a file's content
 *   80  0
 *
 * The content is encrypted with AES-256 in counter mode. The byte at an offset of the
 * file, prefix included, belongs to the counter block nonce + offset / 16, a big-endian
 * number of 128 bits.
 */
#define ROCKSDB_FFM_CXX_PREFIX 4096
#define ROCKSDB_FFM_CXX_KEY_ID 32
#define ROCKSDB_FFM_CXX_KEY 32

typedef struct rocksdb_ffm_cxx_key {
  char id[ROCKSDB_FFM_CXX_KEY_ID]; /* filled up with 0 */
  unsigned char bytes[ROCKSDB_FFM_CXX_KEY];
} rocksdb_ffm_cxx_key;

/* Keys, and an environment of the engine that encrypts with the first of them. */
typedef struct rocksdb_ffm_cxx_encryption rocksdb_ffm_cxx_encryption;

/*
 * Copies at least one key. The result may be used by several databases and any threads.
 * Returns NULL with a message if memory is full.
 */
ROCKSDB_FFM_CXX_API rocksdb_ffm_cxx_encryption* rocksdb_ffm_cxx_encryption_create(
    const rocksdb_ffm_cxx_engine* engine, const rocksdb_ffm_cxx_key* keys, size_t count, char** error);

/* Returns the environment, which belongs to the encryption and is never passed to rocksdb_env_destroy. */
ROCKSDB_FFM_CXX_API rocksdb_env_t* rocksdb_ffm_cxx_encryption_env(rocksdb_ffm_cxx_encryption* encryption);

/* Frees the environment, which no object may use any more, and overwrites the keys. */
ROCKSDB_FFM_CXX_API void rocksdb_ffm_cxx_encryption_destroy(rocksdb_ffm_cxx_encryption* encryption);

/* The first 80 bytes of a file. */
enum rocksdb_ffm_cxx_prefix_state {
  ROCKSDB_FFM_CXX_READABLE = 0,
  ROCKSDB_FFM_CXX_NO_PREFIX = 1,
  ROCKSDB_FFM_CXX_OTHER_VERSION = 2,
  ROCKSDB_FFM_CXX_UNKNOWN_KEY = 3,
  ROCKSDB_FFM_CXX_WRONG_KEY = 4 /* another key has this id, or the prefix is damaged */
};

/* Returns whether the keys read a file with this prefix, as a rocksdb_ffm_cxx_prefix_state. */
ROCKSDB_FFM_CXX_API int rocksdb_ffm_cxx_check(const rocksdb_ffm_cxx_encryption* encryption,
                                              const unsigned char* prefix, size_t size);

/* Decrypts bytes at an offset of a file, prefix included; the prefix must be readable. */
ROCKSDB_FFM_CXX_API void rocksdb_ffm_cxx_decrypt(const rocksdb_ffm_cxx_encryption* encryption,
                                                 const unsigned char* prefix, uint64_t offset,
                                                 unsigned char* data, size_t size);

/*
 * Fills in the prefix of a file that the caller writes itself, once, with the newest key and a random nonce; the caller
 * encrypts the content with rocksdb_ffm_cxx_decrypt. Returns 0 if there are no random numbers.
 */
ROCKSDB_FFM_CXX_API int rocksdb_ffm_cxx_new_prefix(const rocksdb_ffm_cxx_encryption* encryption,
                                                   unsigned char* prefix);

/*
 * The cipher itself, for tests: the fastest variant (0), without the processor's AES instructions (1), or with AES
 * instructions of one block only (2).
 */
ROCKSDB_FFM_CXX_API void rocksdb_ffm_cxx_aes_ctr(const unsigned char* key, const unsigned char* nonce, uint64_t offset,
                                                 unsigned char* data, size_t size, int variant);

/*
 * Leaves the recovery from a full disk to the caller: otherwise the engine tries it every
 * five seconds, and only with as much room as the largest write buffer. An object has two
 * owners, the caller and a listener of the engine. The caller makes that listener with
 * rocksdb_eventlistener_create, with the object as its state, _release as its destructor,
 * _sealed for sealed memtables, and _ignore for all other events; _watch then replaces one
 * of its virtual functions. NULL if memory is full.
 */
typedef struct rocksdb_ffm_cxx_recovery rocksdb_ffm_cxx_recovery;
ROCKSDB_FFM_CXX_API rocksdb_ffm_cxx_recovery* rocksdb_ffm_cxx_recovery_create(void);
ROCKSDB_FFM_CXX_API void rocksdb_ffm_cxx_recovery_release(void* recovery);
ROCKSDB_FFM_CXX_API void rocksdb_ffm_cxx_recovery_ignore(void);

/*
 * Makes rocksdb_ffm_cxx_resume wait, before its first flush, until the engine has discarded
 * the flushes that it queued before the failure. Otherwise the engine discards them instead
 * of the flush that resumes, and waits for that forever. Does nothing on other threads.
 */
ROCKSDB_FFM_CXX_API void rocksdb_ffm_cxx_recovery_sealed(void* recovery, const void* memtable);
ROCKSDB_FFM_CXX_API void rocksdb_ffm_cxx_recovery_watch(rocksdb_ffm_cxx_recovery* recovery,
                                                        void* listener);

/* Returns whether a disk was full since the last call. */
ROCKSDB_FFM_CXX_API int rocksdb_ffm_cxx_recovery_take_wanted(rocksdb_ffm_cxx_recovery* recovery);

/* A name or a value of a column. */
typedef struct rocksdb_ffm_cxx_slice {
  const char* data;
  size_t size;
} rocksdb_ffm_cxx_slice;

typedef struct rocksdb_ffm_cxx_column {
  rocksdb_ffm_cxx_slice name;
  rocksdb_ffm_cxx_slice value;
} rocksdb_ffm_cxx_column;

/* The columns of an entity, sorted by their names, or the operands of a key, oldest first, without names. */
typedef struct rocksdb_ffm_cxx_columns {
  const rocksdb_ffm_cxx_column* begin;
  const rocksdb_ffm_cxx_column* end;
} rocksdb_ffm_cxx_columns;

/* The source of an entity. The struct is a rocksdb_ffm_reader, see rocksdb_ffm.h. */
typedef struct rocksdb_ffm_cxx_reader {
  const void* engine;
  void* source; /* a rocksdb_t, a rocksdb_transaction_t, or a rocksdb_ffm_cxx_batch */
  const void* options;
  void* column_family;
} rocksdb_ffm_cxx_reader;

/* A batch with an index, and its database: a rocksdb_ffm_indexed_batch, see rocksdb_ffm.h. */
typedef struct rocksdb_ffm_cxx_batch {
  const void* engine;
  void* batch;
  rocksdb_t* db;
} rocksdb_ffm_cxx_batch;

enum rocksdb_ffm_cxx_source {
  ROCKSDB_FFM_CXX_OF_DATABASE = 0,
  ROCKSDB_FFM_CXX_OF_BATCH = 1,
  ROCKSDB_FFM_CXX_OF_TRANSACTION = 2,
  ROCKSDB_FFM_CXX_TO_SHARE = 3,  /* a transaction's read with a shared lock */
  ROCKSDB_FFM_CXX_FOR_UPDATE = 4 /* a transaction's read with an exclusive lock */
};

/*
 * Reads the columns of a key; a plain value is a column with an empty name. Returns NULL,
 * without a message, if the key does not exist. The columns stay valid until they are
 * destroyed, on any thread, before the column family and the database are.
 */
ROCKSDB_FFM_CXX_API rocksdb_ffm_cxx_columns* rocksdb_ffm_cxx_entity(
    const rocksdb_ffm_cxx_engine* engine, const rocksdb_ffm_cxx_reader* reader, int64_t source,
    const char* key, size_t key_size, char** error);

ROCKSDB_FFM_CXX_API void rocksdb_ffm_cxx_entity_destroy(const rocksdb_ffm_cxx_engine* engine,
                                                        rocksdb_ffm_cxx_columns* columns);

/* The result of a read of one key: a rocksdb_ffm_value, see rocksdb_ffm.h. */
typedef struct rocksdb_ffm_cxx_value {
  const char* data;
  size_t size;
  void* pin;
  char* error;
} rocksdb_ffm_cxx_value;

/* Keys of one column family, with an element of each array of results for each key. */
typedef struct rocksdb_ffm_cxx_keys {
  void* column_family;
  const rocksdb_ffm_cxx_slice* keys;
  size_t count;
  int64_t sorted; /* whether the keys are sorted by the column family's comparator */
  void** pins;    /* a rocksdb_pinnableslice_t, or NULL; these arrays are not used for entities */
  char** errors;
  rocksdb_ffm_cxx_value* values;
} rocksdb_ffm_cxx_keys;

/*
 * Reads many keys through a transaction without locks, or through a batch with an index, as
 * rocksdb_ffm_multi_get reads a database: the engine reads the blocks of a file together. Returns
 * how many keys failed.
 */
ROCKSDB_FFM_CXX_API int64_t rocksdb_ffm_cxx_multi_get(const rocksdb_ffm_cxx_engine* engine,
                                                      const rocksdb_ffm_cxx_reader* reader,
                                                      int64_t source,
                                                      const rocksdb_ffm_cxx_keys* keys);

/*
 * Reads the columns of many keys together, from any source without locks. `entities` receives a
 * pointer for each key, NULL for keys that do not exist. After a failure there are no entities.
 */
ROCKSDB_FFM_CXX_API void rocksdb_ffm_cxx_entities(const rocksdb_ffm_cxx_engine* engine,
                                                  const rocksdb_ffm_cxx_reader* reader,
                                                  int64_t source, const rocksdb_ffm_cxx_keys* keys,
                                                  rocksdb_ffm_cxx_columns** entities, char** error);

/*
 * Reads the base value and the operands of a key of a database. The result is destroyed like an
 * entity; NULL, without a message, if the key does not exist.
 */
ROCKSDB_FFM_CXX_API rocksdb_ffm_cxx_columns* rocksdb_ffm_cxx_operands(
    const rocksdb_ffm_cxx_engine* engine, const rocksdb_ffm_cxx_reader* reader, const char* key,
    size_t key_size, char** error);

/*
 * Puts an entity in the reader's source, a transaction or a batch with an index. The columns are sorted by their names.
 */
ROCKSDB_FFM_CXX_API void rocksdb_ffm_cxx_put_entity(const rocksdb_ffm_cxx_engine* engine,
                                                    const rocksdb_ffm_cxx_reader* reader,
                                                    int64_t source, const rocksdb_ffm_cxx_slice* key,
                                                    const rocksdb_ffm_cxx_columns* columns,
                                                    char** error);

/* Table files for a column family. The struct belongs to the caller. */
typedef struct rocksdb_ffm_cxx_ingestion {
  void* column_family;
  const rocksdb_ffm_cxx_slice* files; /* their paths */
  size_t count;
  const void* options; /* a rocksdb_ingestexternalfileoptions_t */
} rocksdb_ffm_cxx_ingestion;

/* Ingests table files into several column families of a database atomically. */
ROCKSDB_FFM_CXX_API void rocksdb_ffm_cxx_ingest(const rocksdb_ffm_cxx_engine* engine,
                                                rocksdb_t* database,
                                                const rocksdb_ffm_cxx_ingestion* families,
                                                size_t count, char** error);

/* A range of keys, from its first key to its exclusive end. */
typedef struct rocksdb_ffm_cxx_range {
  rocksdb_ffm_cxx_slice start;
  rocksdb_ffm_cxx_slice limit;
} rocksdb_ffm_cxx_range;

/* Ranges in order, without overlaps, and how many bytes to read at most. */
typedef struct rocksdb_ffm_cxx_ranges {
  const rocksdb_ffm_cxx_range* begin;
  size_t count;
  size_t most_bytes;
} rocksdb_ffm_cxx_ranges;

/*
 * Reads the blocks of ranges into the block cache, all blocks of a table file together. `iterator` is a new
 * rocksdb_iterator_t of the options, which have an upper bound; afterwards, the caller can only destroy the iterator
 * and the options. Ends without a message at the first failure, because a scan of the ranges meets the same failure.
 */
ROCKSDB_FFM_CXX_API void rocksdb_ffm_cxx_prefetch(const rocksdb_ffm_cxx_engine* engine,
                                                  void* iterator, void* read_options,
                                                  void* column_family,
                                                  const rocksdb_ffm_cxx_ranges* ranges);

/* The description of an exported file. */
typedef struct rocksdb_ffm_cxx_exported_file {
  rocksdb_ffm_cxx_slice name;
  rocksdb_ffm_cxx_slice folder;
  rocksdb_ffm_cxx_slice smallest_key;
  rocksdb_ffm_cxx_slice largest_key;
  rocksdb_ffm_cxx_slice smallest; /* internal keys, which bound range deletions */
  rocksdb_ffm_cxx_slice largest;
  uint64_t level;
  uint64_t size;
  uint64_t first_sequence;
  uint64_t last_sequence;
  uint64_t entries;
  uint64_t deletions;
  uint64_t epoch;
} rocksdb_ffm_cxx_exported_file;

/* Describes a file of a rocksdb_livefiles_t, which keeps the memory of the texts. */
ROCKSDB_FFM_CXX_API void rocksdb_ffm_cxx_exported_file_of(const void* files, int64_t index,
                                                          rocksdb_ffm_cxx_exported_file* file);

/* Copies a description to a new rocksdb_livefile_t. */
ROCKSDB_FFM_CXX_API void rocksdb_ffm_cxx_exported_file_fill(
    const rocksdb_ffm_cxx_engine* engine, void* file,
    const rocksdb_ffm_cxx_exported_file* description, char** error);

/* A table file outside of any database. Used by one thread at a time. */
typedef struct rocksdb_ffm_cxx_table rocksdb_ffm_cxx_table;

/*
 * Opens a table file with a rocksdb_options_t, which the caller keeps until the table is
 * closed. Returns NULL with a message if that fails.
 */
ROCKSDB_FFM_CXX_API rocksdb_ffm_cxx_table* rocksdb_ffm_cxx_table_open(
    const rocksdb_ffm_cxx_engine* engine, const void* options, const rocksdb_ffm_cxx_slice* path,
    char** error);

/*
 * Moves to the next entry, and returns 1, or 0 at the end and after a failure, which has a message. The key ends with 8
 * bytes, its sequence number and kind. `entry` is valid until the next move. Range deletions are not returned.
 */
ROCKSDB_FFM_CXX_API int64_t rocksdb_ffm_cxx_table_next(const rocksdb_ffm_cxx_engine* engine,
                                                       rocksdb_ffm_cxx_table* table,
                                                       rocksdb_ffm_cxx_column* entry, char** error);

ROCKSDB_FFM_CXX_API void rocksdb_ffm_cxx_table_close(const rocksdb_ffm_cxx_engine* engine,
                                                     rocksdb_ffm_cxx_table* table);

/* Returns the columns of the row of a valid rocksdb_iterator_t. They are valid until it moves. */
ROCKSDB_FFM_CXX_API const rocksdb_ffm_cxx_columns* rocksdb_ffm_cxx_row(const void* iterator);

#ifdef __cplusplus
}
#endif

#endif
