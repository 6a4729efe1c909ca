/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.db;

import java.lang.foreign.MemorySegment;
import java.util.concurrent.atomic.AtomicBoolean;
import org.rocksdbffm.internal.c.RocksDbC;
import org.rocksdbffm.internal.call.Call;
import org.rocksdbffm.internal.call.Handle;
import org.rocksdbffm.internal.call.HandledResource;
import org.rocksdbffm.internal.foreign.Critical;
import org.rocksdbffm.internal.foreign.StackRoom;
import org.rocksdbffm.internal.leak.LiveObjects;
import org.rocksdbffm.internal.leak.ReachabilityToken;

/** An engine snapshot; a child of its database. Thread-safe. */
public final class NativeSnapshot extends Child implements ReadPoint, HandledResource {
  private final Database database;
  private final MemorySegment snapshot;
  private final Handle handle;
  private final AtomicBoolean released = new AtomicBoolean();
  private final ReachabilityToken reachability = new ReachabilityToken(this);

  public static NativeSnapshot take(Database database) {
    StackRoom.require();
    try (Call _ = Call.enter(database.handle())) {
      NativeSnapshot snapshot = new NativeSnapshot(database);
      try {
        database.register(snapshot);
        return snapshot;
      } catch (Throwable e) {
        snapshot.release();
        throw e;
      }
    }
  }

  private NativeSnapshot(Database database) {
    this.database = database;
    this.handle = new Handle("snapshot of " + database.handle());
    this.snapshot = RocksDbC.rocksdb_create_snapshot(database.pointer());
    LiveObjects.SNAPSHOTS.made();
  }

  @Override
  public Handle handle() {
    return handle;
  }

  /** Sets the snapshot within a call, because the engine dereferences the pointer. */
  @Override
  public void setIn(MemorySegment readOptions) {
    try (Call _ = enter()) {
      RocksDbC.rocksdb_readoptions_set_snapshot(readOptions, snapshot);
    }
  }

  public long sequenceNumber() {
    try (Call _ = enter()) {
      return Critical.snapshotSequenceNumber(snapshot.address());
    }
  }

  private Call enter() {
    return Call.enter(database.handle(), null, handle);
  }

  /** Waits for the reads that use this snapshot, and releases it; idempotent. */
  public void close() {
    handle.close();
    reachability.end();
    database.endUnlessClosed(() -> {
      release();
      database.unregister(this);
    });
  }

  /** Returns the liveness token, which all objects hold through which a user reads at this snapshot. */
  public Object token() {
    return reachability.token();
  }

  @Override
  public void closeByParent() {
    handle.close();
    reachability.end();
    release();
  }

  private void release() {
    if (released.compareAndSet(false, true)) {
      RocksDbC.rocksdb_release_snapshot(database.pointer(), snapshot);
      LiveObjects.SNAPSHOTS.freed();
    }
  }
}
