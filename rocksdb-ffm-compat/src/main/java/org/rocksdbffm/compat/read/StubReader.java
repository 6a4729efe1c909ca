/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.compat.read;

import java.lang.foreign.MemorySegment;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdbffm.compat.support.CompiledApart;
import org.rocksdbffm.compat.support.Errors;
import org.rocksdbffm.internal.call.Call;

/** One read through the core: a small value is copied into the call's memory, and a large one pinned. */
public final class StubReader {
  private static final long DEFAULT_OPTIONS = rocksdb_readoptions_create();

  private StubReader() {}

  /** The options to read under where a method takes none, or null. */
  public static long options(long options) {
    return options == 0 ? DEFAULT_OPTIONS : options;
  }

  /** The family where a method takes none, or null. */
  public static long family(long db, long family) {
    return family == 0 ? Java_org_rocksdb_RocksDB_getDefaultColumnFamily(db) : family;
  }

  /** Has the call say where to read; returns the address at which it does. */
  static long prepare(Call call, long db, long options, long family) {
    return RawReader.prepare(call, db, options(options), family(db, family));
  }

  /** Reads the call's key; false if there is none. The call has the value's address and size, until it is released. */
  @CompiledApart
  static boolean read(Call call, long db, long options, long family) throws RocksDBException {
    return isFound(call, RawReader.read(call, db, options(options), family(db, family)));
  }

  /**
   * Reads the value of the call's key into the call's room for values, if it has at most so many bytes: the engine then
   * makes no pin. Returns its size, or {@link RocksDB#NOT_FOUND}.
   */
  static int readSmall(Call call, long db, long options, long family, int most) throws RocksDBException {
    return readInto(call, db, options, family, call.value(), Math.max(0, most));
  }

  /** Reads as {@link #readSmall} does, into memory of the caller's. */
  static int readInto(Call call, long db, long options, long family, MemorySegment target, int most)
      throws RocksDBException {
    String failure = RawReader.readInto(call, db, options(options), family(db, family), target, most);
    return isFound(call, failure) ? (int) call.size() : RocksDB.NOT_FOUND;
  }

  /** Reads as a transaction sees it. */
  public static boolean readThrough(Call call, long transaction, long options, long family) throws RocksDBException {
    return isFound(call, RawReader.readThrough(call, transaction, options, family));
  }

  private static boolean isFound(Call call, String failure) throws RocksDBException {
    if (failure != null) {
      throw Errors.of(failure);
    }
    return RawReader.isFound(call);
  }

  private static native long rocksdb_readoptions_create();

  private static native long Java_org_rocksdb_RocksDB_getDefaultColumnFamily(long db);
}
