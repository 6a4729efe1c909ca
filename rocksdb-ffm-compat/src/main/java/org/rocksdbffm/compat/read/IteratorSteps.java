/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.compat.read;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.Objects;
import org.rocksdb.AbstractRocksIterator;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksIterator;
import org.rocksdbffm.compat.lifetime.Guard;
import org.rocksdbffm.compat.lifetime.UpstreamFields;
import org.rocksdbffm.compat.scan.ReadAheadCursor;
import org.rocksdbffm.compat.support.CompiledApart;
import org.rocksdbffm.compat.support.Scratch;
import org.rocksdbffm.internal.call.Call;
import org.rocksdbffm.internal.foreign.Memory;

/**
 * Iterator methods that replace rocksdbjni's methods, which make one JNI call for each property of an entry. The
 * methods with a pointer are called by rocksdbjni's methods, which already hold the guard.
 */
public final class IteratorSteps {
  private IteratorSteps() {}

  private static ReadAheadCursor cursor(RocksIterator iterator) {
    Guard guard = UpstreamFields.guard(iterator);
    ReadAheadCursor cursor = guard.cursor();
    if (cursor == null) {
      cursor = make(iterator.getNativeHandle(), guard);
      guard.cursor(cursor);
    }
    return cursor;
  }

  @CompiledApart
  private static ReadAheadCursor make(long iterator, Guard guard) {
    if (guard.livesInBatch()) {
      return ReadAheadCursor.overBatch(iterator, guard::indexedBatchBelow);
    }
    return new ReadAheadCursor(
        iterator, Iterators.isTailing(iterator) ? ReadAheadCursor.Kind.GROWING : ReadAheadCursor.Kind.LASTING);
  }

  /** Returns the cursor of an open iterator, for reads that need no guard; null before the first move. */
  private static ReadAheadCursor openCursor(RocksIterator iterator) {
    return UpstreamFields.guard(iterator).openCursor();
  }

  /**
   * Returns the cursor if the value, or key, was copied to the Java heap, so that it is read without the guard;
   * otherwise null.
   */
  private static ReadAheadCursor cursorOfCopy(RocksIterator iterator, boolean value) {
    ReadAheadCursor cursor = openCursor(iterator);
    return cursor != null && cursor.isCopied(value) ? cursor : null;
  }

  /** Replaces rocksdbjni's method for all kinds of iterators. */
  public static boolean isValid(AbstractRocksIterator<?> iterator) {
    if (iterator instanceof RocksIterator rows) {
      ReadAheadCursor cursor = openCursor(rows);
      if (cursor != null && cursor.isOnRow()) {
        return true;
      }
    }
    return isValidInEngine(iterator);
  }

  @CompiledApart
  private static boolean isValidInEngine(AbstractRocksIterator<?> iterator) {
    Object used = Guard.use(UpstreamFields.guard(iterator), null);
    try {
      return UpstreamFields.isValid(iterator);
    } finally {
      Guard.leave(used);
    }
  }

  /** Replaces rocksdbjni's method for all kinds of iterators, including its assertion. */
  public static void next(AbstractRocksIterator<?> iterator) {
    assert iterator.isOwningHandle();
    if (iterator instanceof RocksIterator rows) {
      ReadAheadCursor cursor = openCursor(rows);
      if (cursor != null && cursor.nextCopied()) {
        return;
      }
    }
    nextInEngine(iterator);
  }

  @CompiledApart
  private static void nextInEngine(AbstractRocksIterator<?> iterator) {
    Object used = Guard.use(UpstreamFields.guard(iterator), null);
    try {
      UpstreamFields.next(iterator);
    } finally {
      Guard.leave(used);
    }
  }

  public static void previous(AbstractRocksIterator<?> iterator) {
    assert iterator.isOwningHandle();
    if (iterator instanceof RocksIterator rows) {
      ReadAheadCursor cursor = openCursor(rows);
      if (cursor != null && cursor.previousCopied()) {
        return;
      }
    }
    previousInEngine(iterator);
  }

  @CompiledApart
  private static void previousInEngine(AbstractRocksIterator<?> iterator) {
    Object used = Guard.use(UpstreamFields.guard(iterator), null);
    try {
      UpstreamFields.previous(iterator);
    } finally {
      Guard.leave(used);
    }
  }

  public static boolean isOnRow(RocksIterator iterator) {
    return cursor(iterator).isOnRow();
  }

  @CompiledApart
  public static void first(RocksIterator iterator) {
    cursor(iterator).first();
  }

  @CompiledApart
  public static void last(RocksIterator iterator) {
    cursor(iterator).last();
  }

  @CompiledApart
  public static void next(RocksIterator iterator) {
    cursor(iterator).next();
  }

  @CompiledApart
  public static void previous(RocksIterator iterator) {
    cursor(iterator).previous();
  }

  public static void seek(RocksIterator iterator, boolean backward, byte[] target, int offset, int length) {
    seek(iterator, backward, Scratch.enter(target, offset, length));
  }

  public static void seek(RocksIterator iterator, boolean backward, ByteBuffer target, int offset, int length) {
    seek(iterator, backward, Scratch.enter(target, offset, length));
  }

  /** Seeks the call's key, and exits the call. */
  @CompiledApart
  private static void seek(RocksIterator iterator, boolean backward, Call call) {
    try {
      if (backward) {
        cursor(iterator).seekForPrevious(call);
      } else {
        cursor(iterator).seek(call);
      }
    } finally {
      call.exit();
    }
  }

  public static byte[] array(RocksIterator iterator, boolean value) {
    ReadAheadCursor copy = cursorOfCopy(iterator, value);
    if (copy != null) {
      return copy.copied(value);
    }
    return arrayWhileUsed(iterator, value);
  }

  @CompiledApart
  private static byte[] arrayWhileUsed(RocksIterator iterator, boolean value) {
    Object used = Guard.use(UpstreamFields.guard(iterator), null);
    try {
      ReadAheadCursor cursor = readable(iterator);
      return cursor.isCopied(value)
          ? cursor.copied(value)
          : Memory.toArray(cursor.address(value), cursor.size(value));
    } finally {
      Guard.leave(used);
    }
  }

  /** Returns the cursor for reading a key or value. Off an entry, it shows the bytes that the engine left. */
  private static ReadAheadCursor readable(RocksIterator iterator) {
    ReadAheadCursor cursor = cursor(iterator);
    if (!cursor.isOnRow()) {
      Iterators.allowOffRow();
      cursor.showLeftOver(cursor.isOverBatch() ? null : Iterators.array(iterator.getNativeHandle(), false));
    }
    return cursor;
  }

  public static int copy(RocksIterator iterator, boolean value, byte[] target) {
    return copy(iterator, value, target, 0, target.length);
  }

  public static int copy(RocksIterator iterator, boolean value, byte[] target, int offset, int length) {
    Objects.checkFromIndexSize(offset, length, target.length);
    ReadAheadCursor copy = cursorOfCopy(iterator, value);
    if (copy != null) {
      return copy.copied(value, target, offset, length);
    }
    Object used = Guard.use(UpstreamFields.guard(iterator), null);
    try {
      ReadAheadCursor cursor = readable(iterator);
      if (cursor.isCopied(value)) {
        return cursor.copied(value, target, offset, length);
      }
      long address = cursor.address(value);
      long size = cursor.size(value);
      Memory.copy(address, target, offset, (int) Math.min(size, length));
      return (int) size;
    } finally {
      Guard.leave(used);
    }
  }

  /** Copies the key or value to a buffer, and sets the buffer's limit after the copied bytes. */
  public static int copy(RocksIterator iterator, boolean value, ByteBuffer target) {
    ReadAheadCursor copy = cursorOfCopy(iterator, value);
    long size = copy != null ? copy.copied(value, target) : copyWhileUsed(iterator, target, value);
    target.limit((int) Math.min(target.position() + size, target.limit()));
    return (int) size;
  }

  private static long copyWhileUsed(RocksIterator iterator, ByteBuffer target, boolean value) {
    Object used = Guard.use(UpstreamFields.guard(iterator), null);
    try {
      ReadAheadCursor cursor = readable(iterator);
      if (cursor.isCopied(value)) {
        return cursor.copied(value, target);
      }
      long address = cursor.address(value);
      long size = cursor.size(value);
      MemorySegment memory = MemorySegment.ofBuffer(target);
      Memory.copy(address, Math.min(size, memory.byteSize()), memory);
      return size;
    } finally {
      Guard.leave(used);
    }
  }

  /** Refreshes the iterator; if that fails, the iterator stays on its entry. */
  public static void refresh(RocksIterator iterator, long pointer) throws RocksDBException {
    ReadAheadCursor cursor = cursor(iterator);
    cursor.comeBack();
    Call call = Scratch.enter();
    try {
      rocksdb_iter_refresh(Scratch.wrap(call, 0, pointer), Scratch.error(call));
      Scratch.check(call);
    } finally {
      call.exit();
    }
    cursor.leaveRow();
  }

  public static void refresh(RocksIterator iterator, long pointer, long snapshot) throws RocksDBException {
    ReadAheadCursor cursor = cursor(iterator);
    cursor.comeBack();
    Java_org_rocksdb_RocksIterator_refresh1(pointer, snapshot);
    cursor.leaveRow();
  }

  private static native void Java_org_rocksdb_RocksIterator_refresh1(long iterator, long snapshot)
      throws RocksDBException;

  private static native void rocksdb_iter_refresh(long iterator, long error);
}
