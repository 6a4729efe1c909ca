/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.read;

import java.lang.foreign.MemorySegment;
import org.rocksdbffm.RocksDbException;
import org.rocksdbffm.internal.call.Call;
import org.rocksdbffm.internal.call.Locking;
import org.rocksdbffm.internal.db.NativeFamily;
import org.rocksdbffm.internal.db.NativeSnapshot;
import org.rocksdbffm.internal.db.Parent;
import org.rocksdbffm.internal.foreign.Codes;
import org.rocksdbffm.internal.foreign.EntityCalls;
import org.rocksdbffm.internal.foreign.HotCalls;
import org.rocksdbffm.internal.transaction.NativeOverlay;
import org.rocksdbffm.internal.transaction.SnapshotUse;

/** Reads the database through a transaction or an indexed batch; optionally locks each key that it reads. */
final class OverlayPath extends ReadPath {
  private final NativeOverlay overlay;
  private final Locking locking;

  OverlayPath(NativeFamily family, NativeReadOptions options, NativeOverlay overlay, Locking locking) {
    super(family, options);
    this.overlay = overlay;
    this.locking = locking;
  }

  @Override
  ReadPath another(NativeReadOptions options, NativeSnapshot snapshot) {
    return of(family(), options, overlay, locking);
  }

  @Override
  ReadPath copy() {
    return new OverlayPath(family(), options().copy(), overlay, locking);
  }

  @Override
  void adopt(Call call) {
    NativeOverlay.readWith(call, options().pointer().address());
  }

  @Override
  public Call enter() {
    MemorySegment options = options().pointer();
    NativeFamily family = family();
    Call call = Call.enter(guardedDatabase, guardedFamily, null);
    return overlay.read(call, locking, options, family);
  }

  @Override
  int get(Call call, long capacity) {
    lock(call, family(), call.keyAddress(), call.keySize());
    long reader = call.readerAddress();
    long key = call.keyAddress();
    long size = call.keySize();
    long room = call.valueRoomAddress();
    long result = call.resultAddress();
    return checked(
        call,
        switch (locking) {
          case NONE -> HotCalls.get(reader, key, size, room, capacity, result);
          case TO_SHARE -> HotCalls.getToShare(reader, key, size, room, capacity, result);
          case FOR_UPDATE -> HotCalls.getForUpdate(reader, key, size, room, capacity, result);
        });
  }

  /** As for the database, but the engine always pins the value here. */
  @Override
  long fill(Call call, long capacity) {
    int found = get(call, capacity);
    if (found == Codes.NOT_FOUND) {
      return ABSENT;
    }
    releasePin(call, found);
    return call.size();
  }

  /** Unlike for the database, true is certain, too. */
  @Override
  public boolean mayExist(Call call) {
    return contains(call);
  }

  @Override
  void lock(Call call, NativeFamily family, long key, long size) {
    SnapshotUse.lock(call, family, key, size);
  }

  @Override
  MemorySegment reader(Call call) {
    return call.reader;
  }

  @Override
  int entitySource() {
    return switch (locking) {
      case NONE -> overlay.entitySource();
      case TO_SHARE -> EntityCalls.TO_SHARE;
      case FOR_UPDATE -> EntityCalls.FOR_UPDATE;
    };
  }

  @Override
  boolean readsTogetherByCxx() {
    return locking == Locking.NONE && options().mayReadFiles && EntityCalls.areAvailable();
  }

  @Override
  int togetherIfPossible() {
    return oneByOne();
  }

  @Override
  int oneByOne() {
    return switch (locking) {
      case NONE -> Codes.ONE_BY_ONE;
      case TO_SHARE -> Codes.TO_SHARE;
      case FOR_UPDATE -> Codes.FOR_UPDATE;
    };
  }

  @Override
  public Parent parent() {
    return overlay;
  }

  @Override
  public MemorySegment iterator(MemorySegment options) {
    return overlay.iterator(options, family().pointer());
  }

  @Override
  RocksDbException failure(Call call) {
    return SnapshotUse.recorded(super.failure(call), family());
  }

  @Override
  public String toString() {
    return super.toString() + " in " + overlay;
  }
}
