/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.transaction;

import java.lang.foreign.MemorySegment;
import org.rocksdbffm.RocksDbException;
import org.rocksdbffm.internal.c.RocksDbC;
import org.rocksdbffm.internal.call.Call;
import org.rocksdbffm.internal.call.ExclusiveUse;
import org.rocksdbffm.internal.call.Locking;
import org.rocksdbffm.internal.call.Status;
import org.rocksdbffm.internal.db.Database;
import org.rocksdbffm.internal.db.NativeFamily;
import org.rocksdbffm.internal.db.NativeSnapshot;
import org.rocksdbffm.internal.foreign.Codes;
import org.rocksdbffm.internal.foreign.HotCalls;
import org.rocksdbffm.internal.foreign.Memory;
import org.rocksdbffm.internal.foreign.StackRoom;
import org.rocksdbffm.internal.jfr.FlightRecords;

/**
 * The exclusive use of a transaction that refuses to lock keys that were changed since its snapshot.
 *
 * <p>The engine checks that by a read without a buffer for the value. If that read merges operands from a table file,
 * the engine writes the result nevertheless, and ends the process. So if the database has a merge operator, this class
 * takes the snapshot instead of the engine, which then checks nothing. Once a key is locked, its value at the snapshot
 * is compared with the latest.
 */
public final class SnapshotUse extends ExclusiveUse {
  private final NativeSnapshot snapshot; // null if the engine takes it

  private SnapshotUse(Database database, NativeSnapshot snapshot) {
    super(TransactionRegistry.of(database).name());
    this.snapshot = snapshot;
  }

  static SnapshotUse of(Database database) {
    return new SnapshotUse(database, database.merges() ? NativeSnapshot.take(database) : null);
  }

  /** Returns the snapshot taken here for a transaction; null if absent. */
  static NativeSnapshot snapshot(ExclusiveUse transaction) {
    return transaction instanceof SnapshotUse snapshotUse ? snapshotUse.snapshot : null;
  }

  static void releaseNative(ExclusiveUse transaction) {
    if (snapshot(transaction) != null) {
      snapshot(transaction).close();
    }
  }

  /** Locks a key before a call that would lock it; throws if the key was changed since the snapshot. */
  public static void lock(Call call, NativeFamily family, long key, long size) {
    if (call.overlay() instanceof SnapshotUse snapshotUse
        && call.locking() != Locking.NONE
        && family.rules().mergeable()) {
      snapshotUse.lockUnchanged(call, family, key, size);
    }
  }

  private void lockUnchanged(Call call, NativeFamily family, long key, long size) {
    if (snapshot == null) {
      throw new IllegalStateException(
          family.handle() + " has merges, and was made after the snapshot of this transaction: begin another");
    }
    NativeOverlay.readFrom(call, family);
    long reader = call.readerAddress();
    long result = call.resultAddress();
    int latest =
        call.locking() == Locking.TO_SHARE
            ? HotCalls.getToShare(reader, key, size, 0, 0, result)
            : HotCalls.getForUpdate(reader, key, size, 0, 0, result);
    try (Found found = Found.of(call, family, latest)) {
      if (hasChanged(call, family, key, size, found)) {
        throw recorded(Status.parse(RocksDbException.Code.BUSY.prefix() + "changed since the snapshot", family.name()), family);
      }
    }
  }

  /**
   * Compares the latest value with the value at the snapshot. For keys that the transaction has written, both reads
   * return its write.
   */
  private boolean hasChanged(Call call, NativeFamily family, long key, long size, Found latest) {
    StackRoom.require();
    MemorySegment atSnapshot = RocksDbC.rocksdb_readoptions_create();
    long options = NativeOverlay.readWith(call, atSnapshot.address());
    try {
      snapshot.setIn(atSnapshot);
      int before = HotCalls.get(call.readerAddress(), key, size, 0, 0, call.resultAddress());
      try (Found found = Found.of(call, family, before)) {
        return !latest.equalsValue(found);
      }
    } finally {
      NativeOverlay.readWith(call, options);
      RocksDbC.rocksdb_readoptions_destroy(atSnapshot);
    }
  }

  /** Records a failure that is a conflict, and returns it. */
  public static RocksDbException recorded(RocksDbException failure, NativeFamily family) {
    if (failure.isConflict()) {
      FlightRecords.conflicted(family.name(), failure.getMessage());
    }
    return failure;
  }

  /** The pinned value of a read; <em>owns</em> the pin. */
  private record Found(boolean isThere, MemorySegment value, long pin) implements AutoCloseable {
    static Found of(Call call, NativeFamily family, int found) {
      if (found == Codes.FAILED) {
        throw recorded(Status.takeMessage(call.message(), family.name()), family);
      }
      boolean isPinned = found == Codes.PINNED;
      MemorySegment value = isPinned ? Memory.at(call.address(), call.size()) : MemorySegment.NULL;
      return new Found(found != Codes.NOT_FOUND, value, isPinned ? call.pin() : 0);
    }

    boolean equalsValue(Found other) {
      return isThere == other.isThere && value.mismatch(other.value) < 0;
    }

    @Override
    public void close() {
      if (pin != 0) {
        HotCalls.release(pin);
      }
    }
  }
}
