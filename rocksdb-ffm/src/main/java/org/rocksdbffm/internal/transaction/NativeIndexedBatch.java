/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.transaction;

import java.lang.foreign.MemorySegment;
import java.util.List;
import org.rocksdbffm.internal.c.RocksDbC;
import org.rocksdbffm.internal.call.Call;
import org.rocksdbffm.internal.call.Calls;
import org.rocksdbffm.internal.call.CopyGate;
import org.rocksdbffm.internal.call.ExclusiveUse;
import org.rocksdbffm.internal.call.Locking;
import org.rocksdbffm.internal.call.Status;
import org.rocksdbffm.internal.db.Database;
import org.rocksdbffm.internal.db.Parent;
import org.rocksdbffm.internal.foreign.EngineTable;
import org.rocksdbffm.internal.foreign.HotCalls;
import org.rocksdbffm.internal.foreign.Memory;
import org.rocksdbffm.internal.foreign.StackRoom;
import org.rocksdbffm.internal.foreign.Structs;
import org.rocksdbffm.internal.foreign.WrittenBytes;
import org.rocksdbffm.internal.leak.LiveObjects;

/** An engine write batch with an index of its keys; takes no locks. */
public final class NativeIndexedBatch extends NativeOverlay {
  private static final byte ONE_ENTRY_A_KEY = 1;

  private final MemorySegment batch;

  // A struct rocksdb_ffm_indexed_batch.
  private final MemorySegment place;

  private NativeIndexedBatch(Database database) {
    super(database, new ExclusiveUse("indexed batch of " + database.handle()));
    place = Memory.allocate(Structs.SIZE_OF_INDEXED_BATCH);
    batch = RocksDbC.rocksdb_writebatch_wi_create(0, ONE_ENTRY_A_KEY);
    Memory.point(place, Structs.INDEXED_BATCH_ENGINE, EngineTable.TABLE);
    Memory.point(place, Structs.INDEXED_BATCH_BATCH, batch);
    Memory.point(place, Structs.INDEXED_BATCH_DB, database.pointer());
  }

  public static NativeIndexedBatch make(Database database) {
    StackRoom.require();
    try (Call _ = Call.enter(database.handle())) {
      NativeIndexedBatch made = new NativeIndexedBatch(database);
      LiveObjects.INDEXED_BATCHES.made();
      database.register(made);
      return made;
    }
  }

  @Override
  Parent parent() {
    return database;
  }

  @Override
  long engine() {
    return EngineTable.OverBatches.ADDRESS;
  }

  @Override
  long place() {
    return place.address();
  }

  @Override
  Locking lockingOfWrites() {
    return Locking.NONE;
  }

  @Override
  public MemorySegment iterator(MemorySegment options, MemorySegment family) {
    MemorySegment below =
        Memory.atAddress(
            HotCalls.createIterator(database.pointer().address(), options.address(), family.address()));
    return RocksDbC.rocksdb_writebatch_wi_create_iterator_with_base_cf_readopts(batch, below, family, options);
  }

  @Override
  public WrittenBytes written() {
    return WrittenBytes.of(batch);
  }

  @Override
  void setNativeSavePoint() {
    RocksDbC.rocksdb_writebatch_wi_set_save_point(batch);
  }

  @Override
  void rollbackToNativeSavePoint(MemorySegment error) {
    RocksDbC.rocksdb_writebatch_wi_rollback_to_save_point(batch, error);
  }

  @Override
  void destroyNative() {
    RocksDbC.rocksdb_writebatch_wi_destroy(batch);
    Memory.free(place);
    LiveObjects.INDEXED_BATCHES.freed();
  }

  /** Writes the batch to the database atomically; the batch is unchanged. */
  public void write(MemorySegment writeOptions, boolean withoutLog) {
    try (Call call = enter();
        Calls _ = keepFamilies()) {
      try (CopyGate.Pass _ = database.copies().passWrite(withoutLog)) {
        RocksDbC.rocksdb_write_writebatch_wi(database.pointer(), writeOptions, batch, call.error);
      }
      Status.check(call.error, name());
      database.requireSound();
    }
  }

  /** Removes all writes, and closes the iterators. */
  public void clear() {
    try (Call _ = enter()) {
      closeChildren();
      RocksDbC.rocksdb_writebatch_wi_clear(batch);
      touched(List.of());
      forgetSavePoints();
    }
  }

  public int count() {
    try (Call _ = enter()) {
      return RocksDbC.rocksdb_writebatch_wi_count(batch);
    }
  }

  @Override
  public String name() {
    return "indexed batch of " + database.handle();
  }
}
