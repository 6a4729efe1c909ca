/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.write;

import java.lang.foreign.MemorySegment;
import java.lang.ref.Reference;
import org.rocksdbffm.internal.call.Call;
import org.rocksdbffm.internal.db.Database;
import org.rocksdbffm.internal.db.NativeFamily;
import org.rocksdbffm.internal.foreign.StackRoom;
import org.rocksdbffm.internal.read.ReadPath;

/**
 * Writes to one column family: to the database, or to an overlay. Thread-safe.
 *
 * <p>Each method with a {@link Call} parameter expects a call from {@link #enter} with the key copied into it, and
 * exits the call.
 */
public abstract sealed class WritePath permits DatabaseWrites, OverlayWrites {
  /** The limit of key and value together, because the engine counts their size in 32 bits. */
  private static final long MAX_ROW_SIZE = (1L << 32) - (1 << 16);

  final Database database;
  final NativeFamily family;

  WritePath(NativeFamily family) {
    this.database = family.database();
    this.family = family;
  }

  /** Enters a call that keeps the database and the family open, or uses the overlay exclusively. */
  public abstract Call enter();

  /** Writes an operation with the stub; returns whether the engine reported no error. */
  abstract int apply(Call call, Operation operation, long value, long size);

  /** Writes nothing, but fails as a write would. */
  abstract int applyNothing(Call call);

  /** Applies an operation that has only a key. */
  public void change(Call call, Operation operation) {
    try {
      write(call, operation, MemorySegment.NULL, 0);
    } finally {
      call.exit();
    }
  }

  /** Applies an operation with a value; for a range deletion, the value is the exclusive end. */
  public void change(Call call, Operation operation, byte[] value) {
    try {
      checkSize(call, value.length);
      call.copyValue(value);
      write(call, operation, call.value(), value.length);
    } finally {
      call.exit();
    }
  }

  /**
   * As above. The JVM copies the value, because it survives a mapped file that is truncated; see {@link ReadPath#into}.
   */
  public void change(Call call, Operation operation, MemorySegment value) {
    try {
      checkSize(call, value.byteSize());
      call.copyValue(value);
      write(call, operation, call.value(), value.byteSize());
    } finally {
      call.exit();
    }
  }

  private void write(Call call, Operation operation, MemorySegment value, long size) {
    boolean changesNothing =
        operation != Operation.PUT && operation != Operation.DELETE && !check(call, operation, value, size);
    family.rules().requirePlace(call.key(), call.keySize());
    if (changesNothing) {
      StackRoom.require(); // a class that is initialized at the end of a stack stays unusable
    }
    requireWritten(call, changesNothing ? applyNothing(call) : apply(call, operation, value.address(), size));
  }

  /** Returns false for an empty range, which the engine must not get: {@link BatchCheck#withoutEmptyRanges}. */
  private boolean check(Call call, Operation operation, MemorySegment value, long size) {
    if (operation == Operation.MERGE) {
      family.rules().requireMergeable(family.handle());
    } else if (operation == Operation.SINGLE_DELETE) {
      family.rules().requireSingleDeletes(family.handle());
    } else if (operation == Operation.DELETE_RANGE) {
      return BatchCheck.hasKeys(database, family, call.key(), call.keySize(), value, size);
    }
    return true;
  }

  /** Stores an entity under a key. */
  public abstract void putEntity(MemorySegment key, EntityColumns columns);

  final void requireWritten(Call call, int written) {
    Reference.reachabilityFence(this);
    try {
      if (written == 0) {
        requireNoError(call);
      }
    } finally {
      database.requireSound();
    }
  }

  void requireNoError(Call call) {
    database.check(call.error, family.handle().name());
  }

  private static void checkSize(Call call, long valueSize) {
    if (valueSize > MAX_ROW_SIZE - call.keySize()) {
      throw new IllegalArgumentException(
          "value: " + valueSize + " bytes, but key and value together have at most " + MAX_ROW_SIZE);
    }
  }
}
