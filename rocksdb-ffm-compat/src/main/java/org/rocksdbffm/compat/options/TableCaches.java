/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.compat.options;

import org.rocksdb.RocksDBException;
import org.rocksdbffm.internal.foreign.Memory;

/**
 * Replaces the block cache of tables in whole options, which C sets together with all that tables have. Where the fields
 * are is found as {@link FamilyOptions} does.
 */
final class TableCaches {
  private static final String COUNTED = "block_based_table_factory={no_block_cache=false;cache_index_and_filter_blocks=true}";

  /** Where whole options hold what makes their tables. */
  private static final long FACTORY = factory();

  private TableCaches() {}

  /** Whether the tables have the cache now, by its shared pointer; false for tables that have none. */
  static boolean set(long options, long cache) {
    long others = rocksdb_options_create();
    long caching = caching(cache);
    try {
      long donor = Memory.longAt(caching + FACTORY);
      long shared = Memory.longAt(options + FACTORY);
      if (shared == 0 || Memory.longAt(shared) != Memory.longAt(donor)) { // no object of the same class
        return false;
      }
      FamilyOptions.swap(options + FACTORY, others + FACTORY);
      try {
        OptionStrings.apply(others, COUNTED); // to a copy, as other databases may have the same
      } finally {
        FamilyOptions.swap(options + FACTORY, others + FACTORY);
      }
      long place = FamilyOptions.find(donor, Memory.longAt(cache));
      FamilyOptions.swap(Memory.longAt(options + FACTORY) + place, donor + place);
      return true;
    } catch (RocksDBException e) {
      return false;
    } finally {
      rocksdb_options_destroy(caching);
      rocksdb_options_destroy(others);
    }
  }

  private static long caching(long cache) {
    long options = rocksdb_options_create();
    long table = rocksdb_block_based_options_create();
    rocksdb_block_based_options_set_block_cache(table, cache);
    rocksdb_options_set_block_based_table_factory(options, table);
    rocksdb_block_based_options_destroy(table);
    return options;
  }

  private static long factory() {
    long options = rocksdb_options_create();
    try {
      long factory = Factories.plainTable(0, 10, 0.75, 16, 0, (byte) 0, false, false);
      Factories.setTable(options, factory);
      return FamilyOptions.find(options, factory);
    } finally {
      OptionCopies.dispose(options);
    }
  }

  private static native long rocksdb_options_create();

  private static native void rocksdb_options_destroy(long options);

  private static native long rocksdb_block_based_options_create();

  private static native void rocksdb_block_based_options_destroy(long table);

  private static native void rocksdb_block_based_options_set_block_cache(long table, long cache);

  private static native void rocksdb_options_set_block_based_table_factory(long options, long table);
}
