/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.compat.read;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.rocksdb.RocksDBException;
import org.rocksdbffm.compat.support.Buffers;
import org.rocksdbffm.compat.support.CompiledApart;
import org.rocksdbffm.compat.support.Mode;
import org.rocksdbffm.compat.support.Scratch;
import org.rocksdbffm.internal.call.Call;
import org.rocksdbffm.internal.foreign.Memory;

/** Opens and moves iterators, including iterators over SST files, and reads their entries. */
public final class Iterators {
  /** Tailing iterators, which also return entries written after their creation. */
  private static final Set<Long> TAILING = ConcurrentHashMap.newKeySet();

  private static final String DELETED_RANGES =
      "setTailing: as with rocksdbjni, a tailing iterator shows rows of ranges that deleteRange deleted; open an "
      + "iterator"
          + " without it, and refresh() that";

  private static volatile boolean isTailingUsed; // whether read options were ever made tailing

  private Iterators() {}

  public static void setTailing(long options, boolean isTailing) {
    isTailingUsed |= isTailing;
    rocksdb_readoptions_set_tailing(options, isTailing);
  }

  static boolean isTailing(long iterator) {
    return isTailingUsed && TAILING.contains(iterator);
  }

  @CompiledApart
  public static long open(long db, long family, long options) {
    boolean isTailing = allowTailing(options);
    long iterator = Java_org_rocksdb_RocksDB_iterator(db, family, options);
    if (isTailing) {
      TAILING.add(iterator);
    }
    return iterator;
  }

  /**
   * Whether an iterator will be tailing. The engine detects that a tailing iterator meets range deletions, but drops
   * the error.
   */
  private static boolean allowTailing(long options) {
    boolean isTailing = isTailingUsed && rocksdb_readoptions_get_tailing(options);
    if (isTailing && Mode.isStrict()) {
      throw new UnsupportedOperationException(DELETED_RANGES);
    }
    if (isTailing) {
      Mode.warnOnce("tailing", DELETED_RANGES);
    }
    return isTailing;
  }

  /** Opens the iterators of several families together. */
  public static long[] open(long db, long[] families, long options) throws RocksDBException {
    boolean isTailing = allowTailing(options);
    long[] iterators = Java_org_rocksdb_RocksDB_iterators(db, families, options);
    if (isTailing) {
      for (long iterator : iterators) {
        TAILING.add(iterator);
      }
    }
    return iterators;
  }

  @CompiledApart
  public static void dispose(long iterator) {
    if (isTailingUsed) {
      TAILING.remove(iterator);
    }
    Java_org_rocksdb_RocksIterator_disposeInternalJni(iterator);
  }

  public static void seek(long iterator, boolean backward, byte[] target, int offset, int length) {
    seek(Scratch.enter(target, offset, length), iterator, backward);
  }

  public static void seek(long iterator, boolean backward, ByteBuffer target, int offset, int length) {
    seek(Scratch.enter(target, offset, length), iterator, backward);
  }

  /** Seeks the call's key, and exits the call. */
  private static void seek(Call call, long iterator, boolean backward) {
    try {
      long wrapper = Scratch.wrap(call, 0, iterator);
      if (backward) {
        rocksdb_iter_seek_for_prev(wrapper, call.key().address(), call.keySize());
      } else {
        rocksdb_iter_seek(wrapper, call.key().address(), call.keySize());
      }
    } finally {
      call.exit();
    }
  }

  /** Does nothing off an entry, because the engine would crash. */
  public static void step(long iterator, boolean backward) {
    Call call = Scratch.enter();
    try {
      long wrapper = Scratch.wrap(call, 0, iterator);
      if (!rocksdb_iter_valid(wrapper)) {
        return;
      }
      if (backward) {
        rocksdb_iter_prev(wrapper);
      } else {
        rocksdb_iter_next(wrapper);
      }
    } finally {
      call.exit();
    }
  }

  public static byte[] array(long iterator, boolean value) {
    Call call = Scratch.enter();
    try {
      return Memory.toArray(at(call, iterator, value), call.sizeInCell());
    } finally {
      call.exit();
    }
  }

  public static int copy(long iterator, boolean value, byte[] target, int offset, int length) {
    return copy(iterator, value, MemorySegment.ofArray(target).asSlice(offset, length));
  }

  public static int copy(long iterator, boolean value, ByteBuffer target, int offset, int length) {
    return copy(iterator, value, Buffers.part(target, offset, length));
  }

  private static int copy(long iterator, boolean value, MemorySegment target) {
    Call call = Scratch.enter();
    try {
      long address = at(call, iterator, value);
      long size = call.sizeInCell();
      Memory.copy(address, Math.min(size, target.byteSize()), target);
      return (int) size;
    } finally {
      call.exit();
    }
  }

  /** Returns the address of the current key or value. The size is in the call's size cell. */
  private static long at(Call call, long iterator, boolean value) {
    long wrapper = Scratch.wrap(call, 0, iterator);
    if (!rocksdb_iter_valid(wrapper)) {
      return leftOver(call, wrapper, value);
    }
    return value
        ? rocksdb_iter_value(wrapper, call.sizeCell.address())
        : rocksdb_iter_key(wrapper, call.sizeCell.address());
  }

  /**
   * Returns the key or value that the engine shows when the iterator is off an entry: the last key or the target of the
   * seek, and an empty value.
   */
  private static long leftOver(Call call, long wrapper, boolean value) {
    allowOffRow();
    long address = value ? 0 : rocksdb_iter_key(wrapper, call.sizeCell.address());
    if (value || call.sizeInCell() < 0) { // the engine subtracts eight from the size of an empty key
      call.sizeCell.set(ValueLayout.JAVA_LONG, 0, 0);
    }
    return address;
  }

  static void allowOffRow() {
    if (Mode.isStrict()) {
      throw new IllegalStateException("the iterator is not on a row: ask isValid() first");
    }
    Mode.warnOnce(
        "iterator off a row",
        "an iterator was asked for a row where isValid() is false: as with rocksdbjni, the key is the last one or the"
            + " target of the seek, and the value is empty");
  }

  // These return the iterator itself instead of the C API's struct, which would have to be stored until the iterator is
  // destroyed: many iterators read only a few entries.

  private static native long Java_org_rocksdb_RocksDB_iterator(long db, long family, long options);

  private static native long[] Java_org_rocksdb_RocksDB_iterators(long db, long[] families, long options)
      throws RocksDBException;

  private static native boolean rocksdb_readoptions_get_tailing(long options);

  private static native void rocksdb_readoptions_set_tailing(long options, boolean isTailing);

  private static native void Java_org_rocksdb_RocksIterator_disposeInternalJni(long iterator);

  private static native boolean rocksdb_iter_valid(long iterator);

  private static native void rocksdb_iter_next(long iterator);

  private static native void rocksdb_iter_prev(long iterator);

  private static native void rocksdb_iter_seek(long iterator, long key, long size);

  private static native void rocksdb_iter_seek_for_prev(long iterator, long key, long size);

  private static native long rocksdb_iter_key(long iterator, long size);

  private static native long rocksdb_iter_value(long iterator, long size);
}
