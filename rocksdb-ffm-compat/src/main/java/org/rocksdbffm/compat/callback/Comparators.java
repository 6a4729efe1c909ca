/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.compat.callback;

import java.util.Arrays;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import org.rocksdb.AbstractComparator;

/**
 * Java comparators, by the pointers of the native comparators that call them. RocksDB's JNI code requires the kind of a
 * comparator. All comparators are passed as native ones, because JNI code gets only the native object.
 */
public final class Comparators {
  private static final byte NATIVE = 1;
  private static final byte THREAD_LOCAL = 2;

  private static final ConcurrentHashMap<Long, JavaComparator> OURS = new ConcurrentHashMap<>();

  /** The same comparators as an array, because each use of an object iterates over it. The array is short or empty. */
  private static volatile JavaComparator[] all = {};

  private static volatile boolean others;

  private Comparators() {}

  public static long create(AbstractComparator comparator, long options) {
    JavaComparator made =
        new JavaComparator(
            comparator,
            Java_org_rocksdb_ComparatorOptions_useDirectBuffer(options),
            Java_org_rocksdb_ComparatorOptions_maxReusedBufferSize(options),
            Java_org_rocksdb_ComparatorOptions_reusedSynchronisationType(options) != THREAD_LOCAL);
    long pointer = made.pointer();
    OURS.put(pointer, made);
    count();
    return pointer;
  }

  private static synchronized void count() {
    all = OURS.values().toArray(new JavaComparator[0]);
  }

  /** Returns the names of all Java comparators, as stored in their SST files. */
  public static Set<String> names() {
    return Arrays.stream(all).map(JavaComparator::name).collect(Collectors.toSet());
  }

  /** Returns the comparator that the current thread runs; null if none. */
  static AbstractComparator runningHere() {
    for (JavaComparator comparator : all) {
      if (comparator.isRunningHere()) {
        return comparator.code();
      }
    }
    return null;
  }

  public static boolean usesDirectBuffers(long comparator) {
    return OURS.get(comparator).isDirect();
  }

  /** Destroys the native object of any callback. */
  public static void dispose(long callback) {
    if (OURS.remove(callback) != null) {
      count();
      rocksdb_comparator_destroy(callback);
    } else {
      Java_org_rocksdb_RocksCallbackObject_disposeInternal(callback);
    }
  }

  /** Whether any comparator except the default one was set in this process. */
  public static boolean areOthers() {
    return others;
  }

  /** Sets a built-in comparator, by its ID. */
  public static void setBuiltinInOptions(long options, int comparator) {
    others |= comparator != 0;
    Java_org_rocksdb_Options_setComparatorHandle__JI(options, comparator);
  }

  public static void setBuiltinInFamilyOptions(long options, int comparator) {
    others |= comparator != 0;
    Java_org_rocksdb_ColumnFamilyOptions_setComparatorHandle__JI(options, comparator);
  }

  public static void setInOptions(long options, long comparator, byte kind) {
    others = true;
    Java_org_rocksdb_Options_setComparatorHandle__JJB(options, comparator, NATIVE);
  }

  public static void setInFamilyOptions(long options, long comparator, byte kind) {
    others = true;
    Java_org_rocksdb_ColumnFamilyOptions_setComparatorHandle__JJB(options, comparator, NATIVE);
  }

  public static long newTableWriter(long envOptions, long options, long comparator, byte kind) {
    return Java_org_rocksdb_SstFileWriter_newSstFileWriter__JJJB(envOptions, options, comparator, NATIVE);
  }

  public static long newIndexedBatch(long comparator, byte kind, int reserved, boolean overwrites) {
    return Java_org_rocksdb_WriteBatchWithIndex_newWriteBatchWithIndex__JBIZ(comparator, NATIVE, reserved, overwrites);
  }

  private static native long Java_org_rocksdb_SstFileWriter_newSstFileWriter__JJJB(
      long envOptions, long options, long comparator, byte kind);

  private static native long Java_org_rocksdb_WriteBatchWithIndex_newWriteBatchWithIndex__JBIZ(
      long comparator, byte kind, int reserved, boolean overwrites);

  private static native boolean Java_org_rocksdb_ComparatorOptions_useDirectBuffer(long options);

  private static native int Java_org_rocksdb_ComparatorOptions_maxReusedBufferSize(long options);

  private static native byte Java_org_rocksdb_ComparatorOptions_reusedSynchronisationType(long options);

  private static native void Java_org_rocksdb_RocksCallbackObject_disposeInternal(long callback);

  private static native void Java_org_rocksdb_Options_setComparatorHandle__JI(long options, int comparator);

  private static native void Java_org_rocksdb_ColumnFamilyOptions_setComparatorHandle__JI(long options, int comparator);

  private static native void Java_org_rocksdb_Options_setComparatorHandle__JJB(
      long options, long comparator, byte kind);

  private static native void Java_org_rocksdb_ColumnFamilyOptions_setComparatorHandle__JJB(
      long options, long comparator, byte kind);

  private static native void rocksdb_comparator_destroy(long comparator);
}
