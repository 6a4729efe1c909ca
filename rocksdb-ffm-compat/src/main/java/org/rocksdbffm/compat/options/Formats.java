/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.compat.options;

import org.rocksdb.BlockBasedTableConfig;
import org.rocksdb.HashLinkedListMemTableConfig;
import org.rocksdb.HashSkipListMemTableConfig;
import org.rocksdb.MemTableConfig;
import org.rocksdb.PlainTableConfig;
import org.rocksdb.RocksObject;
import org.rocksdb.VectorMemTableConfig;
import org.rocksdbffm.compat.support.Mode;
import org.rocksdbffm.compat.support.Settings;
import org.rocksdbffm.internal.options.table.OptionTable;

/** Checks table formats and memtable types set in options against the core's table of options. */
public final class Formats {
  private static final String SHORT_KEYS =
      "setMemTableConfig: as with rocksdbjni, a hashed memtable with useFixedLengthPrefixExtractor finds no key that is"
          + " shorter than the prefix; useCappedPrefixExtractor has the same prefixes and finds them";

  private Formats() {}

  public static void configured(Object options, Object config) {
    long pointer = ((RocksObject) options).getNativeHandle();
    if (config instanceof BlockBasedTableConfig table) {
      Settings.option(pointer, OptionTable.TABLE, "checksum", table.checksumType().name());
      Settings.option(pointer, OptionTable.TABLE, "index_type", table.indexType().name());
    }
    boolean isMemtable = config instanceof MemTableConfig;
    String name = isMemtable ? "memtable_factory" : "table_factory";
    String kind =
        switch (config) {
          case PlainTableConfig plain -> "PlainTable";
          case VectorMemTableConfig vector -> "vector";
          case HashSkipListMemTableConfig hash -> "prefix_hash";
          case HashLinkedListMemTableConfig hash -> "hash_linkedlist";
          case null, default -> isMemtable ? "skip_list" : "BlockBasedTable";
        };
    Settings.option(pointer, OptionTable.FAMILY, name, kind);
    if (config instanceof HashSkipListMemTableConfig || config instanceof HashLinkedListMemTableConfig) {
      Mode.warnOnce("hashed memtables", SHORT_KEYS);
    }
  }
}
