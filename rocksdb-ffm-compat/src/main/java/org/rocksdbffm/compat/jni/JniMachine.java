/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.compat.jni;

import java.lang.foreign.ValueLayout;
import org.rocksdbffm.internal.foreign.Memory;

/**
 * The functions of a {@code JavaVM}, with which the engine calls Java on its threads. It attaches the thread, calls,
 * and detaches the thread; this is one {@link JniCall}.
 */
final class JniMachine {
  private static final int COUNT = 8;

  static final long MACHINE = JniTable.of(JniMachine::answer, COUNT);

  private static final int OK = 0;
  private static final int DETACHED = -2;

  private JniMachine() {}

  private static long answer(int place, long result, long b, long c, long d) {
    return switch (place) {
      case 4 -> attachCurrentThread(result);
      case 5 -> detachCurrentThread();
      case 6 -> getEnv(result);
      default -> throw JniCall.current().unsupported();
    };
  }

  private static int attachCurrentThread(long result) {
    JniCall.attach();
    return environment(result);
  }

  private static int detachCurrentThread() {
    JniCall.detach();
    return OK;
  }

  private static int getEnv(long result) {
    return JniCall.current() == null ? DETACHED : environment(result);
  }

  private static int environment(long result) {
    Memory.at(result, Long.BYTES).set(ValueLayout.JAVA_LONG, 0, JniFunctions.ENVIRONMENT);
    return OK;
  }
}
