/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.jmh.engines.capi;

import static java.lang.foreign.ValueLayout.ADDRESS;

import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import org.rocksdbffm.jmh.work.KeyCycle;
import org.rocksdbffm.jmh.work.WriteLoop;

/** A thread's writes in C. */
final class NativeWriteLoop implements WriteLoop {
  private static final MethodHandle PUT = NativeLoops.loop("put");
  private static final MethodHandle MERGE = NativeLoops.loop("merge");
  private static final MethodHandle DELETE = NativeLoops.loop("delete");
  private static final MethodHandle FILL_BATCH = NativeLoops.loop("fill_batch");
  private static final MethodHandle WRITE_BATCH = NativeLoops.loop("write_batch");
  private static final MethodHandle CREATE = NativeLoops.link("batch_create", ADDRESS, ADDRESS);
  private static final MethodHandle DESTROY = NativeLoops.link("batch_destroy", null, ADDRESS, ADDRESS);

  private final MemorySegment batch;
  private final NativeWork work;

  NativeWriteLoop(MemorySegment database, KeyCycle keys, byte[] value, int count) {
    batch = (MemorySegment) NativeLoops.call(CREATE, NativeLoops.ENGINE);
    work = new NativeWork(database, keys, value, count);
    work.batch(batch);
  }

  @Override
  public long put() {
    return work.run(PUT);
  }

  @Override
  public long putDirect() {
    return work.run(PUT);
  }

  @Override
  public long delete() {
    return work.run(DELETE);
  }

  @Override
  public long merge() {
    return work.run(MERGE);
  }

  @Override
  public long fillBatch() {
    return work.run(FILL_BATCH);
  }

  @Override
  public long writeBatch() {
    return work.run(WRITE_BATCH);
  }

  /** JMH may have closed the database already. */
  @Override
  public void close() {
    NativeLoops.call(DESTROY, NativeLoops.ENGINE, batch);
  }
}
