/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.jmh.engines.capi;

import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import org.openjdk.jmh.infra.Blackhole;
import org.rocksdbffm.jmh.work.GetLoop;
import org.rocksdbffm.jmh.work.KeyCycle;

/** A thread's gets in C. In C, gets into an array, a direct buffer and a segment are the same. */
public final class NativeGetLoop extends GetLoop {
  private static final MethodHandle COPIED = NativeLoops.loop("get_copied");
  private static final MethodHandle COPIED_IN_TIME = NativeLoops.loop("get_copied_in_time");
  private static final MethodHandle INTO = NativeLoops.loop("get_into");
  private static final MethodHandle PINNED = NativeLoops.loop("get_pinned");
  private static final MethodHandle FILL_OR_PIN = NativeLoops.loop("get_fill_or_pin");

  private final NativeWork work;
  private final NativeWork smallWork;
  private final MethodHandle copied;

  /** Creates a loop; optionally, each get of an array has a deadline. */
  NativeGetLoop(MemorySegment database, KeyCycle keys, int valueSize, int count, boolean deadline) {
    super(keys, count);
    copied = deadline ? COPIED_IN_TIME : COPIED;
    work = new NativeWork(database, keys, new byte[valueSize], count);
    smallWork = new NativeWork(database, keys, new byte[COPY_LIMIT], count);
  }

  @Override
  public long array(Blackhole blackhole) {
    return work.run(copied);
  }

  @Override
  public long intoArray() {
    return work.run(INTO);
  }

  @Override
  public long intoDirect() {
    return work.run(INTO);
  }

  @Override
  public long intoSegment() {
    return work.run(INTO);
  }

  @Override
  public long pinned() {
    return work.run(PINNED);
  }

  @Override
  public long fillOrPin() {
    return smallWork.run(FILL_OR_PIN);
  }

  /** Returns the value that the last get wrote to the caller's memory. */
  public byte[] value() {
    return work.value();
  }
}
