/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.compat.options;

import java.util.concurrent.ConcurrentHashMap;

/**
 * The names of merge operators in options. The C API cannot read them, so they are recorded when operators are created
 * and set.
 */
public final class MergeOperators {
  private static final String KEPT = "merge operator";
  private static final String UNKNOWN = "";

  /** Names of operators owned by Java objects, by pointer. */
  private static final ConcurrentHashMap<Long, String> NAMES = new ConcurrentHashMap<>();

  private MergeOperators() {}

  public static long uint64Add() {
    return named(Java_org_rocksdb_UInt64AddOperator_newSharedUInt64AddOperator(), "UInt64AddOperator");
  }

  public static long cassandra(int gracePeriodSeconds, int limit) {
    return named(
        Java_org_rocksdb_CassandraValueMergeOperator_newSharedCassandraValueMergeOperator(gracePeriodSeconds, limit),
        "CassandraValueMergeOperator");
  }

  public static long append(char delimiter) {
    return named(
        Java_org_rocksdb_StringAppendOperator_newSharedStringAppendOperator__C(delimiter), "StringAppendOperator");
  }

  public static long append(String delimiter) {
    return named(OptionStrings.stringAppend(delimiter), "StringAppendOperator");
  }

  private static long named(long operator, String name) {
    NAMES.put(operator, name);
    return operator;
  }

  public static void disposeUint64Add(long operator) {
    NAMES.remove(operator);
    Java_org_rocksdb_UInt64AddOperator_disposeInternalJni(operator);
  }

  public static void disposeCassandra(long operator) {
    NAMES.remove(operator);
    Java_org_rocksdb_CassandraValueMergeOperator_disposeInternalJni(operator);
  }

  public static void disposeAppend(long operator) {
    NAMES.remove(operator);
    Java_org_rocksdb_StringAppendOperator_disposeInternalJni(operator);
  }

  public static void set(long options, long operator) {
    Java_org_rocksdb_Options_setMergeOperator(options, operator);
    keep(options, NAMES.getOrDefault(operator, UNKNOWN));
  }

  public static void setOfFamily(long familyOptions, long operator) {
    Java_org_rocksdb_ColumnFamilyOptions_setMergeOperator(familyOptions, operator);
    keep(familyOptions, NAMES.getOrDefault(operator, UNKNOWN));
  }

  public static void setByName(long options, String name) {
    OptionStrings.setMergeOperator(options, name);
    keep(options, UNKNOWN);
  }

  public static void setByNameOfFamily(long familyOptions, String name) {
    OptionStrings.setMergeOperatorOfFamily(familyOptions, name);
    keep(familyOptions, UNKNOWN);
  }

  private static void keep(long options, String name) {
    OptionMemory.keep(options, KEPT, name);
  }

  /** Returns the operator's class name; null if unknown or if no operator is set. */
  public static String name(long options) {
    String name = (String) OptionMemory.kept(options, KEPT, UNKNOWN);
    return name.equals(UNKNOWN) ? null : name;
  }

  private static native long Java_org_rocksdb_UInt64AddOperator_newSharedUInt64AddOperator();

  private static native long Java_org_rocksdb_CassandraValueMergeOperator_newSharedCassandraValueMergeOperator(
      int gracePeriodSeconds, int limit);

  private static native long Java_org_rocksdb_StringAppendOperator_newSharedStringAppendOperator__C(char delimiter);

  private static native void Java_org_rocksdb_UInt64AddOperator_disposeInternalJni(long operator);

  private static native void Java_org_rocksdb_CassandraValueMergeOperator_disposeInternalJni(long operator);

  private static native void Java_org_rocksdb_StringAppendOperator_disposeInternalJni(long operator);

  private static native void Java_org_rocksdb_Options_setMergeOperator(long options, long operator);

  private static native void Java_org_rocksdb_ColumnFamilyOptions_setMergeOperator(long options, long operator);
}
