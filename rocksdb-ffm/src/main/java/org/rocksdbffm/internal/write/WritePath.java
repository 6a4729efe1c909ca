/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.write;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.ref.Reference;
import org.rocksdbffm.RocksDbException;
import org.rocksdbffm.internal.call.Call;
import org.rocksdbffm.internal.call.CopyGate;
import org.rocksdbffm.internal.call.Handle;
import org.rocksdbffm.internal.call.Locking;
import org.rocksdbffm.internal.call.Status;
import org.rocksdbffm.internal.db.Database;
import org.rocksdbffm.internal.db.NativeFamily;
import org.rocksdbffm.internal.db.NativeWriter;
import org.rocksdbffm.internal.foreign.HotCalls;
import org.rocksdbffm.internal.foreign.StackRoom;
import org.rocksdbffm.internal.jfr.FlightRecords;
import org.rocksdbffm.internal.read.NativeReadOptions;
import org.rocksdbffm.internal.read.ReadPath;
import org.rocksdbffm.internal.transaction.NativeOverlay;
import org.rocksdbffm.internal.transaction.NativeTransaction;
import org.rocksdbffm.internal.transaction.SnapshotUse;

/**
 * Writes to one column family with fixed write options. Thread-safe.
 *
 * <p>Each method with a {@link Call} parameter expects a call from {@link #enter} with the key copied into it, and
 * exits the call.
 */
public final class WritePath {
  /** The limit of key and value together, because the engine counts their size in 32 bits. */
  private static final long MAX_ROW_SIZE = (1L << 32) - (1 << 16);

  private final Database database;
  private final NativeFamily family;
  private final NativeWriteOptions options;
  private final NativeReadOptions readOptions;

  // The handle that a write uses in addition to the database; null for none.
  private final Handle guarded;

  private final NativeWriter writer; // freed with this object
  private final long writerAddress;

  /** Creates a path that <em>shares</em> its arguments. */
  public WritePath(ReadPath path, NativeWriteOptions options) {
    this.database = path.database();
    this.family = path.family();
    this.options = options;
    this.readOptions = path.options();
    this.guarded =
        family.isDefault() ? null : options.skipsMissingFamilies ? family.handle() : family.writing();
    writer = new NativeWriter(Arena.ofAuto(), database, options.pointer(), family.pointer());
    writerAddress = writer.address();
  }

  /** Returns a path of the same family with other options. */
  public WritePath with(ReadPath path, NativeWriteOptions options) {
    return options == this.options ? this : new WritePath(path, options);
  }

  private Call enter() {
    Call call = Call.enter(database.handle());
    if (guarded != null) {
      call.alsoUse(guarded, null);
    }
    return call;
  }

  public Call enter(NativeOverlay overlay) {
    return overlay == null ? enter() : overlay.write(Call.enter(database.handle()), readOptions.pointer(), family);
  }

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
      requireWritten(call, write(call, new BatchBytes(0)));
      return;
    }
    long key = call.keyAddress();
    long kindAndKeySize = operation.withKeySize(call.keySize());
    long error = call.error.address();
    int written =
        call.isOverlaid()
            ? changeOverlay(call, operation, kindAndKeySize, value.address(), size)
            : options.isUnlogged()
                ? changeWithoutLog(key, kindAndKeySize, value.address(), size, error)
                : HotCalls.change(writerAddress, key, kindAndKeySize, value.address(), size, error);
    requireWritten(call, written);
  }

  private int changeWithoutLog(long key, long kindAndKeySize, long value, long size, long error) {
    try (CopyGate.Pass _ = database.copies().passWrite(true)) {
      return HotCalls.change(writerAddress, key, kindAndKeySize, value, size, error);
    }
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

  /** Writes to a batch or transaction; only a transaction locks the key. */
  private int changeOverlay(Call call, Operation operation, long kindAndKeySize, long value, long size) {
    long reader = call.readerAddress();
    long key = call.keyAddress();
    long error = call.error.address();
    if (call.locking() == Locking.NONE) {
      return HotCalls.changeInBatch(reader, key, kindAndKeySize, value, size, error);
    }
    SnapshotUse.lock(call, family, key, call.keySize());
    if (operation != Operation.SINGLE_DELETE) {
      return HotCalls.changeInTransaction(reader, key, kindAndKeySize, value, size, error);
    }
    int before = NativeTransaction.count(reader);
    int written = HotCalls.changeInTransaction(reader, key, kindAndKeySize, value, size, error);
    if (written != 0 && NativeTransaction.count(reader) == before) { // C hides that the limit was exceeded
      Status.fail("Operation aborted: Memory limit reached", family.handle().toString());
    }
    return written;
  }

  /** Writes a batch atomically. */
  public void write(BatchBytes batch) {
    Call call = Call.enter(database.handle());
    try (BatchCheck check = new BatchCheck(database, options.skipsMissingFamilies)) {
      if (database.isOrderedInJava()) {
        batch.forEach(check);
      } else {
        batch.check(check);
      }
      requireWritten(call, write(call, check.withoutEmptyRanges(batch)));
    } finally {
      call.exit();
    }
  }

  private int write(Call call, BatchBytes batch) {
    long bytes = batch.inEngine(call).address();
    try (CopyGate.Pass _ = database.copies().passWrite(options.isUnlogged())) {
      return HotCalls.write(writerAddress, bytes, call.error.address());
    }
  }

  private void requireWritten(Call call, int written) {
    Reference.reachabilityFence(this);
    try {
      if (written == 0) {
        requireNoError(call);
      }
    } finally {
      database.requireSound();
    }
  }

  private void requireNoError(Call call) {
    try {
      Status.check(call.error, family.handle().name());
    } catch (RocksDbException e) {
      if (call.isOverlaid() && e.isConflict()) {
        FlightRecords.conflicted(family.handle().name(), e.getMessage());
      }
      throw e;
    }
  }

  private static void checkSize(Call call, long valueSize) {
    if (valueSize > MAX_ROW_SIZE - call.keySize()) {
      throw new IllegalArgumentException(
          "value: " + valueSize + " bytes, but key and value together have at most " + MAX_ROW_SIZE);
    }
  }
}
