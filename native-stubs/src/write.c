/* Licensed under the Apache License, Version 2.0; see LICENSE. */

#include "rocksdb_ffm.h"

void rocksdb_ffm_write(const rocksdb_ffm_engine* engine, rocksdb_t* db,
                       const rocksdb_writeoptions_t* options, const char* bytes, size_t size,
                       char** error) {
  rocksdb_writebatch_t* batch = engine->writebatch_create_from(bytes, size);
  engine->write(db, options, batch, error);
  engine->writebatch_destroy(batch);
}
