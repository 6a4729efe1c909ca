/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.compat.options;

/**
 * Sets compaction filter factories. The JNI entry point for full options casts the factory to a wrong class, and
 * crashes, so this uses the entry point for family options.
 */
public final class FilterFactories {
  private FilterFactories() {}

  public static void set(long options, long factory) {
    Java_org_rocksdb_ColumnFamilyOptions_setCompactionFilterFactoryHandle(FamilyOptions.within(options), factory);
  }

  private static native void Java_org_rocksdb_ColumnFamilyOptions_setCompactionFilterFactoryHandle(
      long familyOptions, long factory);
}
