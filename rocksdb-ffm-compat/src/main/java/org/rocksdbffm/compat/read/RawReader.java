/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.compat.read;

import java.lang.foreign.MemorySegment;
import org.rocksdbffm.internal.c.RocksDbC;
import org.rocksdbffm.internal.c.rocksdb_ffm_reader;
import org.rocksdbffm.internal.call.Call;
import org.rocksdbffm.internal.call.Status;
import org.rocksdbffm.internal.foreign.Codes;
import org.rocksdbffm.internal.foreign.EngineTable;
import org.rocksdbffm.internal.foreign.HotCalls;
import org.rocksdbffm.internal.foreign.Structs;
import org.rocksdbffm.internal.read.ReadPath;

/** Reads through raw pointers to databases and column families, which the drop-in keeps open itself. */
public final class RawReader {
  // Words of the call's reader: the stub's struct, followed by the C API's structs around both pointers.
  private static final int ENGINE = word(Structs.READER_ENGINE);
  private static final int DB = word(Structs.READER_DB);
  private static final int OPTIONS = word(Structs.READER_OPTIONS);
  private static final int COLUMN_FAMILY = word(Structs.READER_COLUMN_FAMILY);
  private static final int DATABASE = word(Structs.SIZE_OF_READER);
  private static final int FAMILY = DATABASE + 1;

  /** The largest value that is copied to the call's memory; a caller's buffer may receive larger ones. */
  public static final int COPY_LIMIT = ReadPath.COPY_LIMIT;

  /** The size of a missing value. */
  public static final long ABSENT = -1;

  private RawReader() {}

  private static int word(long offset) {
    return (int) (offset / Long.BYTES);
  }

  /** Writes a struct {@code rocksdb_ffm_reader}, and returns its address. */
  public static long prepare(Call call, long db, long options, long family) {
    return prepare(call, EngineTable.Counting.ADDRESS, db, options, family);
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
    call.readerWord(FAMILY + 1, 0); // the engine does not own it
    call.readerWord(ENGINE, engine);
  }

  /** Returns the address of the struct in which {@link #prepare} wrapped the family. */
  public static long family(Call call) {
    return call.readerAddress() + (long) FAMILY * Long.BYTES;
  }

  /**
   * Reads the call's key. The call describes the value until {@link #release}.
   *
   * @return null if the read succeeded, otherwise the engine's message
   */
  public static String read(Call call, long db, long options, long family) {
    return read(call, prepare(call, db, options, family));
  }

  /** Reads the call's key in a transaction, whose pointer is passed instead of the database's. */
  public static String readThrough(Call call, long transaction, long options, long family) {
    return read(call, prepare(call, EngineTable.CountingOfTransactions.ADDRESS, transaction, options, family));
  }

  private static String read(Call call, long reader) {
    int found =
        HotCalls.get(
            reader,
            call.keyAddress(),
            call.keySize(),
            call.valueRoomAddress(),
            COPY_LIMIT,
            call.resultAddress());
    return failure(call, found);
  }

  private static String failure(Call call, int found) {
    if (found == Codes.FAILED) {
      return Status.takeText(call.message());
    }
    if (found == Codes.NOT_FOUND) {
      call.describe(0, 0, ABSENT);
    }
    return null;
  }

  /**
   * Reads the call's key into memory. If the value is larger than {@code capacity}, nothing is copied, and the call has
   * its size. No release is needed.
   */
  public static String readInto(Call call, long db, long options, long family, MemorySegment target, long capacity) {
    prepare(call, db, options, family);
    int found =
        RocksDbC.rocksdb_ffm_get_into(call.reader, call.key(), call.keySize(), target, capacity, call.result);
    return failure(call, found);
  }

  /** Sets the description of a value that was read in another way: its pin, address and size, or a missing value. */
  public static void describe(Call call, long pin, long address, long size) {
    call.describe(pin, address, pin == 0 ? ABSENT : size);
  }

  /** Whether the last read of the call found its key. */
  public static boolean isFound(Call call) {
    return call.size() != ABSENT;
  }

  /** Releases the pin of the last read, if there is one. */
  public static void release(Call call) {
    long pin = call.pin();
    if (pin != 0) {
      HotCalls.release(pin);
    }
  }
}
