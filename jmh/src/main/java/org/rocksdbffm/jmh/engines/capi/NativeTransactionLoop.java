/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.jmh.engines.capi;

import static java.lang.foreign.ValueLayout.ADDRESS;

import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import org.openjdk.jmh.infra.Blackhole;
import org.rocksdbffm.jmh.work.KeyCycle;
import org.rocksdbffm.jmh.work.TransactionLoop;

/** A thread's transactions in C. */
final class NativeTransactionLoop implements TransactionLoop {
  private static final MethodHandle UPDATE = NativeLoops.loop("update");
  private static final MethodHandle BEGIN = NativeLoops.loop("begin");
  private static final MethodHandle WRITE_PENDING = NativeLoops.loop("write_pending");
  private static final MethodHandle GET_COPIED = NativeLoops.loop("transaction_get_copied");
  private static final MethodHandle GET_PINNED = NativeLoops.loop("transaction_get_pinned");
  private static final MethodHandle SCAN_BATCH = NativeLoops.loop("scan_batch");
  private static final MethodHandle END_TRANSACTION = NativeLoops.link("end_transaction", null, ADDRESS, ADDRESS);
  private static final MethodHandle END_BATCH = NativeLoops.link("end_batch", null, ADDRESS, ADDRESS);

  private final NativeBinding binding;
  private final NativeWork work;

  NativeTransactionLoop(
      NativeBinding binding, MemorySegment database, KeyCycle keys, byte[] value, int count, int pending) {
    this.binding = binding;
    work = new NativeWork(database, keys, value, count);
    work.run(BEGIN);
    for (int i = 0; i < pending; i++) {
      work.run(WRITE_PENDING);
    }
  }

  @Override
  public long update() {
    return work.run(UPDATE);
  }

  @Override
  public long get(Blackhole blackhole) {
    return work.run(GET_COPIED);
  }

  @Override
  public long pinned() {
    return work.run(GET_PINNED);
  }

  @Override
  public long scan() {
    return work.run(SCAN_BATCH);
  }

  /** If JMH has already closed the database, the open transaction is already destroyed. */
  @Override
  public void close() {
    if (!binding.isClosed()) {
      NativeLoops.call(END_TRANSACTION, NativeLoops.ENGINE, work.transaction());
    }
    NativeLoops.call(END_BATCH, NativeLoops.ENGINE, work.indexedBatch());
  }
}
