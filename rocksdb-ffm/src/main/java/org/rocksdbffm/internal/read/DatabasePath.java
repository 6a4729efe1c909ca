/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.read;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.ref.Reference;
import org.rocksdbffm.internal.c.RocksDbC;
import org.rocksdbffm.internal.call.Call;
import org.rocksdbffm.internal.call.Handle;
import org.rocksdbffm.internal.call.Status;
import org.rocksdbffm.internal.db.NativeFamily;
import org.rocksdbffm.internal.db.NativeSnapshot;
import org.rocksdbffm.internal.db.Parent;
import org.rocksdbffm.internal.foreign.Codes;
import org.rocksdbffm.internal.foreign.EngineTable;
import org.rocksdbffm.internal.foreign.EntityCalls;
import org.rocksdbffm.internal.foreign.HotCalls;
import org.rocksdbffm.internal.foreign.Memory;
import org.rocksdbffm.internal.foreign.StackRoom;
import org.rocksdbffm.internal.foreign.Structs;

/** Reads the database, optionally at a snapshot. */
final class DatabasePath extends ReadPath {
  private final NativeSnapshot snapshot; // null for the latest state
  private final Handle guardedSnapshot;

  // Liveness token: while this object is reachable, the snapshot counts as used.
  @SuppressWarnings({"unused", "FieldCanBeLocal"})
  private final Object snapshotToken;

  // A struct rocksdb_ffm_reader, freed with this object.
  private final MemorySegment reader;
  private final long readerAddress;

  DatabasePath(NativeFamily family, NativeReadOptions options, NativeSnapshot snapshot) {
    super(family, options);
    this.snapshot = snapshot;
    this.snapshotToken = snapshot == null ? null : snapshot.token();
    this.guardedSnapshot = snapshot == null ? null : snapshot.handle();
    reader = Arena.ofAuto().allocate(Structs.SIZE_OF_READER, Long.BYTES);
    readerAddress = reader.address();
    Memory.point(reader, Structs.READER_ENGINE, EngineTable.TABLE);
    Memory.point(reader, Structs.READER_DB, database().pointer());
    Memory.point(reader, Structs.READER_OPTIONS, options.pointer());
    Memory.point(reader, Structs.READER_COLUMN_FAMILY, family.pointer());
  }

  @Override
  ReadPath another(NativeReadOptions options, NativeSnapshot snapshot) {
    return of(family(), options, snapshot);
  }

  @Override
  ReadPath copy() {
    return new DatabasePath(family(), options().copy(), snapshot);
  }

  @Override
  void adopt(Call call) {} // this path's struct already contains the options

  @Override
  public Call enter() {
    return Call.enter(guardedDatabase, guardedFamily, guardedSnapshot);
  }

  @Override
  int get(Call call, long capacity) {
    return checked(call, ask(call, capacity));
  }

  private int ask(Call call, long capacity) {
    return HotCalls.get(
        readerAddress, call.keyAddress(), call.keySize(), call.valueRoomAddress(), capacity, call.resultAddress());
  }

  @Override
  int getCached(Call call, long capacity) {
    int found = ask(call, capacity);
    return found == Codes.FAILED && Status.takeIncomplete(call.message()) ? NOT_CACHED : checked(call, found);
  }

  @Override
  long fill(Call call, long capacity) {
    long room = call.value().address();
    int found = HotCalls.getInto(readerAddress, call.keyAddress(), call.keySize(), room, capacity, call.resultAddress());
    Reference.reachabilityFence(this);
    if (found == Codes.FAILED) {
      throw failure(call);
    }
    database().requireSound();
    return found == Codes.NOT_FOUND ? ABSENT : call.size();
  }

  @Override
  public boolean mayExist(Call call) {
    try {
      StackRoom.require(); // the first use links the function, which needs stack
      boolean may =
          RocksDbC.rocksdb_key_may_exist_cf(
                  database().pointer(),
                  options().pointer(),
                  family().pointer(),
                  call.key(),
                  call.keySize(),
                  MemorySegment.NULL,
                  MemorySegment.NULL,
                  MemorySegment.NULL,
                  0,
                  MemorySegment.NULL)
              != 0;
      database().requireSound();
      return may;
    } finally {
      Reference.reachabilityFence(this);
      call.exit();
    }
  }

  @Override
  void lock(Call call, NativeFamily family, long key, long size) {} // only transactions lock keys

  @Override
  MemorySegment reader(Call call) {
    return reader;
  }

  @Override
  int entitySource() {
    return EntityCalls.OF_DATABASE;
  }

  @Override
  int togetherIfPossible() {
    return options().mayReadFiles ? 0 : oneByOne();
  }

  @Override
  int oneByOne() {
    return Codes.ONE_BY_ONE;
  }

  @Override
  public Parent parent() {
    return database();
  }

  @Override
  public MemorySegment iterator(MemorySegment options) {
    long database = database().pointer().address();
    return Memory.atAddress(HotCalls.createIterator(database, options.address(), family().pointer().address()));
  }
}
