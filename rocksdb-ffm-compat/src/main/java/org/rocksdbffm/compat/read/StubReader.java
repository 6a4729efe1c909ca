/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.compat.read;

import java.lang.foreign.MemorySegment;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdbffm.compat.support.CompiledApart;
import org.rocksdbffm.compat.support.DefaultFamily;
import org.rocksdbffm.compat.support.Errors;
import org.rocksdbffm.internal.c.RocksDbC;
import org.rocksdbffm.internal.call.Call;
import org.rocksdbffm.internal.call.Status;
import org.rocksdbffm.internal.foreign.Codes;
import org.rocksdbffm.internal.foreign.EngineTable;
import org.rocksdbffm.internal.foreign.HotCalls;
import org.rocksdbffm.internal.foreign.Structs;
import org.rocksdbffm.internal.read.ReadPath;

/**
 * Reads one key through the core's stubs, which copy small values to the call's memory, and pin large ones. Takes raw
 * pointers to databases and column families, which the drop-in keeps open itself.
 */
public final class StubReader {
  // Words of the call's reader: the stub's struct, followed by the C API's structs around both pointers.
  private static final int ENGINE = word(Structs.READER_ENGINE);
  private static final int DB = word(Structs.READER_DB);
  private static final int OPTIONS = word(Structs.READER_OPTIONS);
  private static final int COLUMN_FAMILY = word(Structs.READER_COLUMN_FAMILY);
  private static final int DATABASE = word(Structs.SIZE_OF_READER);
  private static final int FAMILY = DATABASE + 1;

  /** The largest value that is copied to the call's memory; a caller's buffer may receive larger ones. */
  static final int COPY_LIMIT = ReadPath.COPY_LIMIT;

  /** The size of a missing value. */
  private static final long ABSENT = -1;

  private static final long DEFAULT_OPTIONS = rocksdb_readoptions_create();

  private StubReader() {}

  private static int word(long offset) {
    return (int) (offset / Long.BYTES);
  }

  /** Returns the given options, or the default ones for 0. */
  public static long options(long options) {
    return options == 0 ? DEFAULT_OPTIONS : options;
  }

  /** Returns the given column family, or the database's default one for 0. */
  public static long family(long db, long family) {
    return family == 0 ? DefaultFamily.of(db) : family;
  }

  /** Writes the parameters of a read, a struct {@code rocksdb_ffm_reader}, to the call, and returns their address. */
  static long prepare(Call call, long db, long options, long family) {
    return prepare(call, EngineTable.Counting.ADDRESS, db, options(options), family(db, family));
  }

  private static long prepare(Call call, long engine, long db, long options, long family) {
    if (call.readerWord(ENGINE) != engine) {
      prepareFor(call, engine);
    }
    call.readerWord(OPTIONS, options);
    call.readerWord(DATABASE, db);
    call.readerWord(FAMILY, family);
    return call.readerAddress();
  }

  /** Writes the words that are equal in all reads. */
  private static void prepareFor(Call call, long engine) {
    long reader = call.readerAddress();
    call.readerWord(DB, reader + (long) DATABASE * Long.BYTES);
    call.readerWord(COLUMN_FAMILY, reader + (long) FAMILY * Long.BYTES);
    call.readerWord(FAMILY + 1, 0); // the struct's second word: the engine does not own the handle
    call.readerWord(ENGINE, engine);
  }

  /** Returns the address of the struct in which {@link #prepare} wrapped the family. */
  static long familyIn(Call call) {
    return call.readerAddress() + (long) FAMILY * Long.BYTES;
  }

  /** Reads the call's key; false if not found. The call contains the value's address and size until its release. */
  @CompiledApart
  static boolean read(Call call, long db, long options, long family) throws RocksDBException {
    return read(call, prepare(call, db, options, family));
  }

  /** Reads in a transaction, including its uncommitted writes. */
  public static boolean readThrough(Call call, long transaction, long options, long family) throws RocksDBException {
    return read(call, prepare(call, EngineTable.CountingOfTransactions.ADDRESS, transaction, options, family));
  }

  /**
   * Locks the call's key in a transaction, waiting at most for its lock timeout, and reads like {@link #readThrough}.
   */
  public static boolean lockThrough(Call call, long transaction, long options, long family, boolean exclusive)
      throws RocksDBException {
    long reader = prepare(call, EngineTable.CountingOfTransactions.ADDRESS, transaction, options, family);
    long key = call.keyAddress();
    long size = call.keySize();
    long room = call.valueRoomAddress();
    long result = call.resultAddress();
    int found =
        exclusive
            ? HotCalls.getForUpdate(reader, key, size, room, COPY_LIMIT, result)
            : HotCalls.getToShare(reader, key, size, room, COPY_LIMIT, result);
    return isFound(call, found);
  }

  private static boolean read(Call call, long reader) throws RocksDBException {
    int found =
        HotCalls.get(
            reader,
            call.keyAddress(),
            call.keySize(),
            call.valueRoomAddress(),
            COPY_LIMIT,
            call.resultAddress());
    return isFound(call, found);
  }

  /**
   * Copies the value to the call's memory if it has at most {@code most} bytes, so that the engine needs no pin.
   * Returns the size, or {@link RocksDB#NOT_FOUND}.
   */
  static int readSmall(Call call, long db, long options, long family, int most) throws RocksDBException {
    return readInto(call, db, options, family, call.value(), Math.max(0, most));
  }

  /** Reads like {@link #readSmall}, but to the caller's memory. No release is needed. */
  static int readInto(Call call, long db, long options, long family, MemorySegment target, int most)
      throws RocksDBException {
    prepare(call, db, options, family);
    int found = RocksDbC.rocksdb_ffm_get_into(call.reader, call.key(), call.keySize(), target, most, call.result);
    return isFound(call, found) ? (int) call.size() : RocksDB.NOT_FOUND;
  }

  private static boolean isFound(Call call, int found) throws RocksDBException {
    if (found == Codes.FAILED) {
      throw Errors.of(Status.takeText(call.message()));
    }
    if (found == Codes.NOT_FOUND) {
      call.describe(0, 0, ABSENT);
    }
    return call.size() != ABSENT;
  }

  /** Releases the pin of the last read, if there is one. */
  public static void release(Call call) {
    long pin = call.pin();
    if (pin != 0) {
      HotCalls.release(pin);
    }
  }

  private static native long rocksdb_readoptions_create();
}
