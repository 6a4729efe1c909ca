/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.compat.read;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdbffm.compat.support.Buffers;
import org.rocksdbffm.compat.support.Scratch;
import org.rocksdbffm.internal.call.Call;
import org.rocksdbffm.internal.foreign.Memory;

/** Reads single keys. Reads single keys. A pointer of 0 represents the default column family, or default options. */
public final class Reads {
  private Reads() {}

  public static byte[] get(long db, long options, byte[] key, int offset, int length, long family)
      throws RocksDBException {
    Call call = Scratch.enter(key, offset, length);
    try {
      return found(call, StubReader.read(call, db, options, family));
    } finally {
      call.exit();
    }
  }

  /** Returns the value of a read as an array; null if not found. */
  public static byte[] found(Call call, boolean isFound) throws RocksDBException {
    if (!isFound) {
      return null;
    }
    try {
      return array(call);
    } finally {
      StubReader.release(call);
    }
  }

  /** Copies the bytes of a value that fit, and returns its full size. */
  public static int found(Call call, boolean isFound, byte[] value, int offset, int length) {
    if (!isFound) {
      return RocksDB.NOT_FOUND;
    }
    try {
      long size = call.size();
      Memory.copy(call.address(), value, offset, (int) Math.min(size, length));
      return (int) size;
    } finally {
      StubReader.release(call);
    }
  }

  public static int found(Call call, boolean isFound, MemorySegment target) {
    if (!isFound) {
      return RocksDB.NOT_FOUND;
    }
    try {
      long size = call.size();
      Memory.copy(call.address(), Math.min(size, target.byteSize()), target);
      return (int) size;
    } finally {
      StubReader.release(call);
    }
  }

  private static byte[] array(Call call) throws RocksDBException {
    requireArray(call.size());
    return call.toArray();
  }

  /** Copies a value to an array. Throws rocksdbjni's exception if the value is too large for an array. */
  static byte[] array(long address, long size) throws RocksDBException {
    requireArray(size);
    return Memory.toArray(address, size);
  }

  private static void requireArray(long size) throws RocksDBException {
    if (size > Integer.MAX_VALUE - 8) {
      throw new RocksDBException("Requested array size exceeds VM limit");
    }
  }

  public static int get(
      long db,
      long options,
      byte[] key,
      int offset,
      int length,
      byte[] value,
      int valueOffset,
      int valueLength,
      long family)
      throws RocksDBException {
    Call call = Scratch.enter(key, offset, length);
    try {
      if (valueLength <= StubReader.COPY_LIMIT) {
        int size = StubReader.readSmall(call, db, options, family, valueLength);
        if (isAll(size, valueLength)) {
          Memory.copy(call.value().address(), value, valueOffset, Math.clamp(size, 0, valueLength));
          return size;
        }
      }
      return found(call, StubReader.read(call, db, options, family), value, valueOffset, valueLength);
    } finally {
      call.exit();
    }
  }

  public static int getDirect(
      long db,
      long options,
      ByteBuffer key,
      int offset,
      int length,
      ByteBuffer value,
      int valueOffset,
      int valueLength,
      long family)
      throws RocksDBException {
    Call call = Scratch.enter(key, offset, length);
    try {
      if (valueLength <= StubReader.COPY_LIMIT) {
        int size = StubReader.readSmall(call, db, options, family, valueLength);
        if (isAll(size, valueLength)) {
          call.copyFromRoom(value, valueOffset, Math.clamp(size, 0, valueLength));
          return size;
        }
      }
      MemorySegment target = Buffers.part(value, valueOffset, valueLength);
      if (valueLength > StubReader.COPY_LIMIT && Buffers.isForTheEngineToWrite(target)) {
        int size = StubReader.readInto(call, db, options, family, target, valueLength);
        if (isAll(size, valueLength)) {
          return size;
        }
      }
      return found(call, StubReader.read(call, db, options, family), target);
    } finally {
      call.exit();
    }
  }

  /**
   * Whether the caller needs no other read. A value that is larger than the target is truncated, and needs another
   * read.
   */
  private static boolean isAll(int size, int room) {
    return room == 0 || size >= RocksDB.NOT_FOUND && size <= room;
  }

  public static boolean exists(long db, long family, long options, byte[] key, int offset, int length)
      throws RocksDBException {
    Call call = Scratch.enter(key, offset, length);
    try {
      return exists(call, db, family, options);
    } finally {
      call.exit();
    }
  }

  /** rocksdbjni passes a limit here, not a length. */
  public static boolean existsDirect(long db, long family, long options, ByteBuffer key, int position, int limit)
      throws RocksDBException {
    Call call = Scratch.enter(key, position, limit - position);
    try {
      return exists(call, db, family, options);
    } finally {
      call.exit();
    }
  }

  private static boolean exists(Call call, long db, long family, long options) throws RocksDBException {
    if (!StubReader.read(call, db, options, family)) {
      return false;
    }
    StubReader.release(call);
    return true;
  }
}
