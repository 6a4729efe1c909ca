/* Licensed under the Apache License, Version 2.0; see LICENSE. */

#ifndef REAL_ENGINE_H
#define REAL_ENGINE_H

#include "rocksdb_ffm.h"

/* A database in a temporary folder, with the functions of a shared librocksdb. */
typedef struct real_db {
  rocksdb_ffm_engine engine;
  rocksdb_t* db;
  rocksdb_readoptions_t* read_options;
  rocksdb_writeoptions_t* write_options;
  rocksdb_column_family_handle_t* first; /* the default column family */
  rocksdb_column_family_handle_t* second;
} real_db;

void real_db_open(real_db* db, const char* engine_path);
rocksdb_iterator_t* real_db_iterator(const real_db* db);
void real_db_destroy_iterator(rocksdb_iterator_t* iterator);
void real_db_put(const real_db* db, rocksdb_column_family_handle_t* column_family,
                 rocksdb_ffm_slice key, rocksdb_ffm_slice value);
void real_db_flush(const real_db* db);
void real_db_free(void* memory);
void real_db_close(real_db* db);

#endif
