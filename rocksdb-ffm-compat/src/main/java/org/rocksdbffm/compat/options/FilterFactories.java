/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.compat.options;

/**
 * Sets factories of compaction filters in options. The entry point for whole options takes the factory for another
 * class than it is, which ends in a crash; that for a family's options does not.
 */
public final class FilterFactories {
  private FilterFactories() {}

  public static void set(long options, long factory) {
    Java_org_rocksdb_ColumnFamilyOptions_setCompactionFilterFactoryHandle(FamilyOptions.within(options), factory);
  }

  private static native void Java_org_rocksdb_ColumnFamilyOptions_setCompactionFilterFactoryHandle(
      long familyOptions, long factory);
}
