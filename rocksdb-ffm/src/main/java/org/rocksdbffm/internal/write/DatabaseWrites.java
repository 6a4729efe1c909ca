/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.write;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.rocksdbffm.internal.call.Call;
import org.rocksdbffm.internal.call.CopyGate;
import org.rocksdbffm.internal.call.Handle;
import org.rocksdbffm.internal.db.NativeFamily;
import org.rocksdbffm.internal.db.NativeWriter;
import org.rocksdbffm.internal.foreign.HotCalls;

/** Writes to the database with fixed write options. */
public final class DatabaseWrites extends WritePath {
  private final NativeWriteOptions options;

  // The handle that a write uses in addition to the database; null for none.
  private final Handle guarded;

  private final NativeWriter writer; // freed with this object
  private final long writerAddress;

  /** Creates a path that <em>shares</em> its arguments. */
  public DatabaseWrites(NativeFamily family, NativeWriteOptions options) {
    super(family);
    this.options = options;
    this.guarded =
        family.isDefault() ? null : options.skipsMissingFamilies ? family.handle() : family.writing();
    writer = new NativeWriter(Arena.ofAuto(), database, options.pointer(), family.pointer());
    writerAddress = writer.address();
  }

  /** Returns a path of the same family with other options. */
  public DatabaseWrites with(NativeWriteOptions options) {
    return options == this.options ? this : new DatabaseWrites(family, options);
  }

  @Override
  public Call enter() {
    return Call.enter(database.handle(), guarded, null);
  }

  @Override
  int apply(Call call, Operation operation, long value, long size) {
    long key = call.keyAddress();
    long kindAndKeySize = operation.withKeySize(call.keySize());
    long error = call.error.address();
    return options.isUnlogged()
        ? applyWithoutLog(key, kindAndKeySize, value, size, error)
        : HotCalls.change(writerAddress, key, kindAndKeySize, value, size, error);
  }

  private int applyWithoutLog(long key, long kindAndKeySize, long value, long size, long error) {
    try (CopyGate.Pass _ = database.copies().passWrite(true)) {
      return HotCalls.change(writerAddress, key, kindAndKeySize, value, size, error);
    }
  }

  @Override
  int applyNothing(Call call) {
    return write(call, new BatchBytes(0));
  }

  @Override
  public void putEntity(MemorySegment key, EntityColumns columns) {
    BatchBytes batch = new BatchBytes(0);
    batch.append(Operation.PUT_ENTITY, family.id(), key, MemorySegment.ofArray(columns.serialized()));
    try (Call _ = enter()) { // reports a closed family by name
      write(batch);
    }
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
}
