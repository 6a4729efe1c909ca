/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.dropin;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.rocksdbffm.internal.c.RocksDbC;
import org.rocksdbffm.internal.c.rocksdb_ffm_reader;
import org.rocksdbffm.internal.c.rocksdb_ffm_value;
import org.rocksdbffm.internal.call.Call;
import org.rocksdbffm.internal.call.Status;
import org.rocksdbffm.internal.foreign.EngineTable;
import org.rocksdbffm.internal.foreign.HotCalls;
import org.rocksdbffm.internal.foreign.Memory;
import org.rocksdbffm.internal.foreign.StackRoom;
import org.rocksdbffm.internal.read.ReadPath;

/** Reads of a database and a family that the drop-in knows by their raw pointers, and keeps itself. */
public final class RawReader {
  // In the call's words: the stub's struct, and behind it the C API's around the two pointers.
  private static final long DATABASE = rocksdb_ffm_reader.sizeof();
  private static final long FAMILY = DATABASE + Long.BYTES;

  /** Values up to this size may be read into a call's memory; one of any size, into a buffer of the caller's. */
  public static final int COPY_LIMIT = ReadPath.COPY_LIMIT;

  /** The size of a value that there is none of. */
  public static final long ABSENT = -1;

  private RawReader() {}

  /** Writes a struct {@code rocksdb_ffm_reader} into the call's words. */
  public static void prepare(Call call, long db, long options, long family) {
    MemorySegment words = call.words;
    long at = words.address();
    words.set(ValueLayout.JAVA_LONG, DATABASE, db);
    words.set(ValueLayout.JAVA_LONG, FAMILY, family);
    words.set(ValueLayout.JAVA_LONG, FAMILY + Long.BYTES, 0L); // it is not the engine's to keep
    words.set(ValueLayout.JAVA_LONG, rocksdb_ffm_reader.engine$offset(), EngineTable.Counting.TABLE.address());
    words.set(ValueLayout.JAVA_LONG, rocksdb_ffm_reader.db$offset(), at + DATABASE);
    words.set(ValueLayout.JAVA_LONG, rocksdb_ffm_reader.options$offset(), options);
    words.set(ValueLayout.JAVA_LONG, rocksdb_ffm_reader.column_family$offset(), at + FAMILY);
  }

  /** Where {@link #prepare} put the family that it wrapped. */
  public static long family(Call call) {
    return call.words.address() + FAMILY;
  }

  /**
   * Reads the call's key. The call describes the value that was found until {@link #release}.
   *
   * @return null if the read did not fail; the engine's message if it did
   */
  public static String read(Call call, long db, long options, long family) {
    prepare(call, db, options, family);
    return read(call);
  }

  /** Reads the call's key as a transaction sees it, whose pointer takes the place of the database's. */
  public static String readThrough(Call call, long transaction, long options, long family) {
    prepare(call, transaction, options, family);
    call.words.set(
        ValueLayout.JAVA_LONG, rocksdb_ffm_reader.engine$offset(), EngineTable.OfTransactions.TABLE.address());
    return read(call);
  }

  private static String read(Call call) {
    int found =
        HotCalls.get(
            call.words.address(),
            call.keyAddress(),
            call.keySize(),
            call.valueRoomAddress(),
            COPY_LIMIT,
            call.resultAddress());
    return failure(call, found);
  }

  private static String failure(Call call, int found) {
    if (found == RocksDbC.ROCKSDB_FFM_FAILED()) {
      long message = Memory.pointer(call.result, rocksdb_ffm_value.error$offset());
      if (message == 0) {
        throw StackRoom.exhausted();
      }
      return Status.takeText(message);
    }
    if (found == RocksDbC.ROCKSDB_FFM_NOT_FOUND()) {
      call.result.set(ValueLayout.JAVA_LONG, rocksdb_ffm_value.size$offset(), ABSENT);
    }
    return null;
  }

  /**
   * Reads the call's key into memory, unless the value is larger than that: then the call has its size, and nothing was
   * copied. There is nothing to release.
   */
  public static String readInto(Call call, long db, long options, long family, MemorySegment target, long capacity) {
    prepare(call, db, options, family);
    int found =
        RocksDbC.rocksdb_ffm_get_into(call.words, call.key(), call.keySize(), target, capacity, call.result);
    return failure(call, found);
  }

  /** Describes what was read in another way: a value and its pin, or nothing. */
  public static void describe(Call call, long pin, long address, long size) {
    call.result.set(ValueLayout.JAVA_LONG, rocksdb_ffm_value.pin$offset(), pin);
    call.result.set(ValueLayout.JAVA_LONG, rocksdb_ffm_value.data$offset(), address);
    call.result.set(ValueLayout.JAVA_LONG, rocksdb_ffm_value.size$offset(), pin == 0 ? ABSENT : size);
  }

  /** Whether the last read of the call found its key. */
  public static boolean isFound(Call call) {
    return call.size() != ABSENT;
  }

  /** Gives back what a read left pinned, if it did. */
  public static void release(Call call) {
    long pin = call.pin();
    if (pin != 0) {
      HotCalls.release(pin);
    }
  }
}
