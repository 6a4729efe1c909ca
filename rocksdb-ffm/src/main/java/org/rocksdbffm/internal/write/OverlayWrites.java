/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.write;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.rocksdbffm.RocksDbException;
import org.rocksdbffm.internal.call.Call;
import org.rocksdbffm.internal.call.Locking;
import org.rocksdbffm.internal.call.Status;
import org.rocksdbffm.internal.db.NativeFamily;
import org.rocksdbffm.internal.foreign.EntityCalls;
import org.rocksdbffm.internal.foreign.HotCalls;
import org.rocksdbffm.internal.read.NativeReadOptions;
import org.rocksdbffm.internal.transaction.NativeOverlay;
import org.rocksdbffm.internal.transaction.NativeTransaction;
import org.rocksdbffm.internal.transaction.SnapshotUse;

/** Writes to a transaction or an indexed batch. Only a transaction locks the keys. */
public final class OverlayWrites extends WritePath {
  private final NativeOverlay overlay;

  // The options with which a transaction reads a key to compare it with its snapshot.
  private final NativeReadOptions readOptions;

  public OverlayWrites(NativeFamily family, NativeReadOptions readOptions, NativeOverlay overlay) {
    super(family);
    this.readOptions = readOptions;
    this.overlay = overlay;
  }

  @Override
  public Call enter() {
    return overlay.write(Call.enter(database.handle()), readOptions.pointer(), family);
  }

  @Override
  int apply(Call call, Operation operation, long value, long size) {
    long reader = call.readerAddress();
    long key = call.keyAddress();
    long kindAndKeySize = operation.withKeySize(call.keySize());
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
    if (written != 0 && NativeTransaction.count(reader) == before) { // nothing added: the size limit was exceeded
      Status.fail("Operation aborted: Memory limit reached", family.handle().toString());
    }
    return written;
  }

  @Override
  public void putEntity(MemorySegment key, EntityColumns columns) {
    EntityCalls.open();
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment slices = columns.slices(arena);
      MemorySegment keySlice = arena.allocate(ValueLayout.JAVA_LONG, 2);
      Call call = enter().withKey(key);
      try {
        family.rules().requirePlace(call.key(), call.keySize());
        keySlice.setAtIndex(ValueLayout.JAVA_LONG, 0, call.keyAddress());
        keySlice.setAtIndex(ValueLayout.JAVA_LONG, 1, call.keySize());
        SnapshotUse.lock(call, family, call.keyAddress(), call.keySize());
        long error = call.error.address();
        EntityCalls.put(call.readerAddress(), overlay.entitySource(), keySlice.address(), slices.address(), error);
        requireWritten(call, 0);
      } finally {
        call.exit();
      }
    }
  }

  /** Succeeds without a call: only an empty range deletion writes nothing, and an overlay has no range deletions. */
  @Override
  int applyNothing(Call call) {
    return 1;
  }

  @Override
  void requireNoError(Call call) {
    try {
      super.requireNoError(call);
    } catch (RocksDbException e) {
      throw SnapshotUse.recorded(e, family);
    }
  }
}
