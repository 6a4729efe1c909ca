/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.compat.options;

import java.util.concurrent.ConcurrentHashMap;

/** The names of table and memtable factories. The C API cannot read them, so they are recorded at creation. */
public final class Factories {
  private static final String MEMTABLE = "memtable factory";
  private static final String TABLE = "table factory";
  private static final String DEFAULT_MEMTABLE = "SkipListFactory";
  private static final String DEFAULT_TABLE = "BlockBasedTable";

  /** Names of factories that are not yet set in options. Once a factory is set in options, the options own it. */
  private static final ConcurrentHashMap<Long, String> NAMES = new ConcurrentHashMap<>();

  private Factories() {}

  public static long vector(long reserved) {
    return named(Java_org_rocksdb_VectorMemTableConfig_newMemTableFactoryHandle(reserved), "VectorRepFactory");
  }

  public static long skipList(long lookahead) {
    return named(Java_org_rocksdb_SkipListMemTableConfig_newMemTableFactoryHandle0(lookahead), "SkipListFactory");
  }

  public static long hashSkipList(long buckets, int height, int branching) {
    return named(
        Java_org_rocksdb_HashSkipListMemTableConfig_newMemTableFactoryHandle(buckets, height, branching),
        "HashSkipListRepFactory");
  }

  public static long hashLinkedList(long buckets, long hugePage, int entries, boolean logs, int threshold) {
    return named(
        Java_org_rocksdb_HashLinkedListMemTableConfig_newMemTableFactoryHandle(
            buckets, hugePage, entries, logs, threshold),
        "HashLinkedListRepFactory");
  }

  public static long plainTable(
      int keySize, int bitsPerKey, double ratio, int sparseness, int hugePage, byte encoding, boolean full,
      boolean save) {
    return named(
        Java_org_rocksdb_PlainTableConfig_newTableFactoryHandle(
            keySize, bitsPerKey, ratio, sparseness, hugePage, encoding, full, save),
        "PlainTable");
  }

  private static long named(long factory, String name) {
    NAMES.put(factory, name);
    return factory;
  }

  public static void setMemtable(long options, long factory) {
    Java_org_rocksdb_Options_setMemTableFactory(options, factory);
    keep(options, MEMTABLE, factory, DEFAULT_MEMTABLE);
  }

  public static void setMemtableOfFamily(long options, long factory) {
    Java_org_rocksdb_ColumnFamilyOptions_setMemTableFactory(options, factory);
    keep(options, MEMTABLE, factory, DEFAULT_MEMTABLE);
  }

  public static void setTable(long options, long factory) {
    Java_org_rocksdb_Options_setTableFactory(options, factory);
    keep(options, TABLE, factory, DEFAULT_TABLE);
  }

  public static void setTableOfFamily(long options, long factory) {
    Java_org_rocksdb_ColumnFamilyOptions_setTableFactory(options, factory);
    keep(options, TABLE, factory, DEFAULT_TABLE);
  }

  private static void keep(long options, String what, long factory, String otherwise) {
    String name = NAMES.remove(factory);
    OptionMemory.keep(options, what, name == null ? otherwise : name);
  }

  public static String memtable(long options) {
    return (String) OptionMemory.kept(options, MEMTABLE, DEFAULT_MEMTABLE);
  }

  public static String table(long options) {
    return (String) OptionMemory.kept(options, TABLE, DEFAULT_TABLE);
  }

  private static native long Java_org_rocksdb_VectorMemTableConfig_newMemTableFactoryHandle(long reserved);

  private static native long Java_org_rocksdb_SkipListMemTableConfig_newMemTableFactoryHandle0(long lookahead);

  private static native long Java_org_rocksdb_HashSkipListMemTableConfig_newMemTableFactoryHandle(
      long buckets, int height, int branching);

  private static native long Java_org_rocksdb_HashLinkedListMemTableConfig_newMemTableFactoryHandle(
      long buckets, long hugePage, int entries, boolean logs, int threshold);

  private static native long Java_org_rocksdb_PlainTableConfig_newTableFactoryHandle(
      int keySize, int bitsPerKey, double ratio, int sparseness, int hugePage, byte encoding, boolean full,
      boolean save);

  private static native void Java_org_rocksdb_Options_setMemTableFactory(long options, long factory);

  private static native void Java_org_rocksdb_ColumnFamilyOptions_setMemTableFactory(long options, long factory);

  private static native void Java_org_rocksdb_Options_setTableFactory(long options, long factory);

  private static native void Java_org_rocksdb_ColumnFamilyOptions_setTableFactory(long options, long factory);
}
