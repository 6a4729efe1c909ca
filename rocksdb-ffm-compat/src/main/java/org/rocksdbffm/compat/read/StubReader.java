/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.compat.read;

import java.lang.foreign.MemorySegment;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdbffm.compat.support.CompiledApart;
import org.rocksdbffm.compat.support.Errors;
import org.rocksdbffm.internal.call.Call;

/** Reads one key through the core's stubs, which copy small values to the call's memory, and pin large ones. */
public final class StubReader {
  private static final long DEFAULT_OPTIONS = rocksdb_readoptions_create();

  private StubReader() {}

  /** Returns the given options, or the default ones for 0. */
  public static long options(long options) {
    return options == 0 ? DEFAULT_OPTIONS : options;
  }

  /** Returns the given column family, or the database's default one for 0. */
  public static long family(long db, long family) {
    return family == 0 ? Java_org_rocksdb_RocksDB_getDefaultColumnFamily(db) : family;
  }

  /** Writes the parameters of a read to the call, and returns their address. */
  static long prepare(Call call, long db, long options, long family) {
    return RawReader.prepare(call, db, options(options), family(db, family));
  }

  /** Reads the call's key; false if not found. The call contains the value's address and size until its release. */
  @CompiledApart
  static boolean read(Call call, long db, long options, long family) throws RocksDBException {
    return isFound(call, RawReader.read(call, db, options(options), family(db, family)));
  }

  /**
   * Copies the value to the call's memory if it has at most {@code most} bytes, so that the engine needs no pin.
   * Returns the size, or {@link RocksDB#NOT_FOUND}.
   */
  static int readSmall(Call call, long db, long options, long family, int most) throws RocksDBException {
    return readInto(call, db, options, family, call.value(), Math.max(0, most));
  }

  /** Reads like {@link #readSmall}, but to the caller's memory. */
  static int readInto(Call call, long db, long options, long family, MemorySegment target, int most)
      throws RocksDBException {
    String failure = RawReader.readInto(call, db, options(options), family(db, family), target, most);
    return isFound(call, failure) ? (int) call.size() : RocksDB.NOT_FOUND;
  }

  /** Reads in a transaction, including its uncommitted writes. */
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
