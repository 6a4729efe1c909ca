/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.compat;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.rocksdb.RocksDBException;
import org.rocksdbffm.internal.Call;
import org.rocksdbffm.internal.Engine;
import org.rocksdbffm.internal.Memory;
import org.rocksdbffm.internal.Source;

/**
 * One read of the core's kind, for pointers as {@code org.rocksdb} has them: the stub copies a small value into the
 * call's memory and pins a large one.
 */
final class Reader {
  static final int FAILED = -1;
  static final int NOT_FOUND = 0;
  static final int PINNED = 2;

  private static final long DEFAULT_OPTIONS = rocksdb_readoptions_create();

  // A struct rocksdb_ffm_reader in the call's words, and behind it the database's and the family's wrappers.
  private static final int ENGINE = 0;
  private static final int DATABASE = 1;
  private static final int OPTIONS = 2;
  static final int FAMILY = 3;
  private static final int WRAPPERS = 4;

  private static final long DATA = 0;
  private static final long SIZE = 8;
  private static final long PIN = 16;
  private static final long ERROR = 24;

  private Reader() {}

  /** The options to read under where a method takes none, or null. */
  static long options(long options) {
    return options == 0 ? DEFAULT_OPTIONS : options;
  }

  /** The family where a method takes none, or null. */
  static long family(long db, long family) {
    return family == 0 ? Java_org_rocksdb_RocksDB_getDefaultColumnFamily(db) : family;
  }

  /** Writes a struct {@code rocksdb_ffm_reader} into the call's words, and says where it is. */
  static long prepare(Call call, long db, long options, long family) {
    MemorySegment words = call.words;
    words.setAtIndex(ValueLayout.JAVA_LONG, ENGINE, Engine.TABLE.address());
    words.setAtIndex(ValueLayout.JAVA_LONG, DATABASE, Scratch.wrap(call, WRAPPERS, db));
    words.setAtIndex(ValueLayout.JAVA_LONG, OPTIONS, options(options));
    words.setAtIndex(ValueLayout.JAVA_LONG, FAMILY, Scratch.wrap(call, WRAPPERS + 2, family(db, family)));
    return words.address();
  }

  /** Reads the call's key; what was found is described by the call's result until {@link #release}. */
  static int read(Call call, long db, long options, long family) throws RocksDBException {
    long reader = prepare(call, db, options, family);
    int found =
        rocksdb_ffm_get(
            reader,
            call.key().address(),
            call.keySize(),
            call.value().address(),
            Source.COPY_LIMIT,
            call.result.address());
    if (found == FAILED) {
      throw Errors.take(Memory.pointer(call.result, ERROR));
    }
    return found;
  }

  static long address(Call call) {
    return Memory.pointer(call.result, DATA);
  }

  static long size(Call call) {
    return Memory.pointer(call.result, SIZE);
  }

  /** Gives back what a read left pinned. */
  static void release(Call call, int found) {
    if (found == PINNED) {
      rocksdb_pinnableslice_destroy(Memory.pointer(call.result, PIN));
    }
  }

  private static native int rocksdb_ffm_get(
      long reader, long key, long keySize, long buffer, long capacity, long value);

  private static native void rocksdb_pinnableslice_destroy(long pin);

  private static native long rocksdb_readoptions_create();

  private static native long Java_org_rocksdb_RocksDB_getDefaultColumnFamily(long db);
}
