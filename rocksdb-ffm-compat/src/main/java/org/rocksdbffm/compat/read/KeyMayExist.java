/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.compat.read;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import org.rocksdb.RocksDBException;
import org.rocksdbffm.compat.support.Buffers;
import org.rocksdbffm.compat.support.Scratch;
import org.rocksdbffm.internal.call.Call;
import org.rocksdbffm.internal.foreign.Memory;

/** Checks whether a key may exist, which is cheaper than reading it, and returns the value if it is in memory. */
public final class KeyMayExist {
  private static final byte NO = 0;
  private static final byte WITHOUT_VALUE = 1;
  private static final byte WITH_VALUE = 2;

  private KeyMayExist() {}

  public static boolean may(long db, long family, long options, byte[] key, int offset, int length) {
    Call call = Scratch.enter(key, offset, length);
    try {
      return ask(call, db, family, options, false) != NO;
    } finally {
      call.exit();
    }
  }

  /** Unlike other native methods of rocksdbjni, this one gets the key's limit, not its length. */
  public static boolean mayDirect(long db, long family, long options, ByteBuffer key, int position, int limit) {
    Call call = Scratch.enter(key, position, limit - position);
    try {
      return ask(call, db, family, options, false) != NO;
    } finally {
      call.exit();
    }
  }

  /** Returns two arrays: one byte that classifies the answer, and the value or null. */
  public static byte[][] value(long db, long family, long options, byte[] key, int offset, int length)
      throws RocksDBException {
    Call call = Scratch.enter(key, offset, length);
    try {
      byte known = ask(call, db, family, options, true);
      byte[] value = null;
      if (known == WITH_VALUE) {
        long address = Memory.pointer(call.result, 0);
        try {
          value = Reads.array(address, call.sizeInCell());
        } finally {
          rocksdb_free(address);
        }
      }
      return new byte[][] {{known}, value};
    } finally {
      call.exit();
    }
  }

  /** Returns two numbers: the kind of answer, and the value's full size. Copies the bytes of the value that fit. */
  public static int[] valueDirect(
      long db,
      long family,
      long options,
      ByteBuffer key,
      int offset,
      int length,
      ByteBuffer value,
      int valueOffset,
      int valueLength) {
    MemorySegment target = Buffers.part(value, valueOffset, valueLength);
    Call call = Scratch.enter(key, offset, length);
    try {
      byte known = ask(call, db, family, options, true);
      long size = 0;
      if (known == WITH_VALUE) {
        size = call.sizeInCell();
        long address = Memory.pointer(call.result, 0);
        try {
          Memory.copy(address, Math.min(size, valueLength), target);
        } finally {
          rocksdb_free(address);
        }
      }
      return new int[] {known, (int) size};
    } finally {
      call.exit();
    }
  }

  /** Calls the engine. The call's result contains the address of a found value, which the caller frees. */
  private static byte ask(Call call, long db, long family, long options, boolean withValue) {
    call.found.set(ValueLayout.JAVA_BYTE, 0, (byte) 0);
    call.result.set(ValueLayout.JAVA_LONG, 0, 0L);
    boolean may =
        rocksdb_key_may_exist_cf(
            Scratch.wrap(call, 0, db),
            StubReader.options(options),
            Scratch.wrap(call, 2, StubReader.family(db, family)),
            call.key().address(),
            call.keySize(),
            withValue ? call.result.address() : 0,
            withValue ? call.sizeCell.address() : 0,
            0,
            0,
            withValue ? call.found.address() : 0);
    if (!may) {
      return NO;
    }
    return call.found.get(ValueLayout.JAVA_BYTE, 0) == 0 ? WITHOUT_VALUE : WITH_VALUE;
  }

  private static native boolean rocksdb_key_may_exist_cf(
      long db,
      long options,
      long family,
      long key,
      long keySize,
      long value,
      long valueSize,
      long timestamp,
      long timestampSize,
      long found);

  private static native void rocksdb_free(long memory);
}
