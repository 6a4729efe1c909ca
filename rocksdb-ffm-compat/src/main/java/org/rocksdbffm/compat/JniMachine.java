/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.compat;

import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandles;
import org.rocksdbffm.compat.JniTable.At;
import org.rocksdbffm.internal.Memory;
import org.rocksdbffm.internal.Upcalls;

/**
 * The functions of a {@code JavaVM}, by which the engine calls Java later and on any thread: it attaches itself, calls,
 * and detaches itself, which is a call of its own here.
 */
final class JniMachine {
  private static final int COUNT = 8;

  static final long MACHINE = machine();

  private static final int OK = 0;
  private static final int DETACHED = -2;

  private JniMachine() {}

  private static long machine() {
    Upcalls.endAtExit();
    return JniTable.of(MethodHandles.lookup(), COUNT);
  }

  @At(4)
  private static int attachCurrentThread(long machine, long result, long arguments) {
    JniCall.attach();
    return environment(result);
  }

  @At(5)
  private static int detachCurrentThread(long machine) {
    JniCall.detach();
    return OK;
  }

  @At(6)
  private static int getEnv(long machine, long result, int version) {
    return JniCall.current() == null ? DETACHED : environment(result);
  }

  private static int environment(long result) {
    Memory.at(result, Long.BYTES).set(ValueLayout.JAVA_LONG, 0, JniFunctions.ENVIRONMENT);
    return OK;
  }
}
