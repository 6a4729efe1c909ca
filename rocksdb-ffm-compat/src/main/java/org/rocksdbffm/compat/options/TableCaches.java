/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.compat.options;

import org.rocksdb.RocksDBException;
import org.rocksdbffm.internal.foreign.Memory;

/**
 * Replaces the block cache in full options, because the C API can only set all table options together. Finds the fields
 * like {@link FamilyOptions}.
 */
final class TableCaches {
  private static final String COUNTED =
      "block_based_table_factory={no_block_cache=false;cache_index_and_filter_blocks=true}";

  /** The offset of the table factory in full options. */
  private static final long FACTORY = factory();

  private TableCaches() {}

  /** Sets the block cache, given by a shared pointer; returns false for table formats without a block cache. */
  static boolean set(long options, long cache) {
    long others = rocksdb_options_create();
    long caching = caching(cache);
    try {
      long donor = Memory.longAt(caching + FACTORY);
      long shared = Memory.longAt(options + FACTORY);
      if (shared == 0 || Memory.longAt(shared) != Memory.longAt(donor)) { // another class of factory
        return false;
      }
      FamilyOptions.swap(options + FACTORY, others + FACTORY);
      try {
        OptionStrings.apply(others, COUNTED); // changes a copy, because other databases may share the factory
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
