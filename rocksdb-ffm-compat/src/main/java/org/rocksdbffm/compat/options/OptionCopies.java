/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.compat.options;

/**
 * Creates, copies and destroys options. DBOptions are full options in the engine, for the C API; ColumnFamilyOptions
 * have the native class that JNI uses.
 */
public final class OptionCopies {
  private OptionCopies() {}

  /** Copies Options or DBOptions. */
  public static long copy(long options) {
    long copy = rocksdb_options_create_copy(options);
    OptionMemory.copy(options, copy);
    return copy;
  }

  public static long together(long databaseOptions, long familyOptions) {
    long options = FamilyArrays.together(databaseOptions, familyOptions);
    OptionMemory.copy(databaseOptions, options);
    OptionMemory.copy(familyOptions, options);
    return options;
  }

  public static void dispose(long options) {
    OptionMemory.forget(options);
    rocksdb_options_destroy(options);
  }

  public static long copyFamily(long familyOptions) {
    long copy = Java_org_rocksdb_ColumnFamilyOptions_copyColumnFamilyOptions(familyOptions);
    OptionMemory.copy(familyOptions, copy);
    return copy;
  }

  /** Returns a copy of the family options inside full options. */
  public static long family(long options) {
    long family = Java_org_rocksdb_ColumnFamilyOptions_newColumnFamilyOptionsFromOptions(options);
    OptionMemory.copy(options, family);
    return family;
  }

  public static void disposeFamily(long familyOptions) {
    OptionMemory.forget(familyOptions);
    Java_org_rocksdb_ColumnFamilyOptions_disposeInternalJni(familyOptions);
  }

  private static native long rocksdb_options_create_copy(long options);

  private static native void rocksdb_options_destroy(long options);

  private static native long Java_org_rocksdb_ColumnFamilyOptions_copyColumnFamilyOptions(long options);

  private static native long Java_org_rocksdb_ColumnFamilyOptions_newColumnFamilyOptionsFromOptions(long options);

  private static native void Java_org_rocksdb_ColumnFamilyOptions_disposeInternalJni(long options);
}
