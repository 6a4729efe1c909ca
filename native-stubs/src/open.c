/* Licensed under the Apache License, Version 2.0; see LICENSE. */

#include "rocksdb_ffm.h"

/* The engine creates a block cache for each new table factory without a cache, unless no_block_cache
   is set before the factory is created; an options string is applied too late. */
static void set_cache(const rocksdb_ffm_engine* engine, rocksdb_options_t* options,
                      rocksdb_cache_t* cache) {
  rocksdb_block_based_table_options_t* table = engine->block_based_options_create();
  if (cache == NULL) {
    engine->block_based_options_set_no_block_cache(table, 1);
  } else {
    engine->block_based_options_set_block_cache(table, cache);
  }
  engine->options_set_block_based_table_factory(options, table);
  engine->block_based_options_destroy(table);
}

void rocksdb_ffm_set_options(rocksdb_ffm_settings* settings) {
  const rocksdb_ffm_engine* engine = settings->engine;
  rocksdb_options_t* options = settings->options;
  settings->error = NULL;
  if (settings->cache != NULL || settings->no_cache) {
    set_cache(engine, options, settings->no_cache ? NULL : settings->cache);
  }
  if (settings->text[0] != '\0') {
    engine->get_options_from_string(options, settings->text, options, &settings->error);
  }
}

void rocksdb_ffm_open(rocksdb_ffm_opening* opening) {
  opening->error = NULL;
  opening->db = opening->engine->open_column_families(
      opening->options, opening->path, (int)opening->family_count, opening->names,
      opening->family_options, opening->families, &opening->error);
}
