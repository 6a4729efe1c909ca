/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.compat.jni;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.ArrayList;
import java.util.List;
import org.rocksdbffm.internal.foreign.Memory;
import org.rocksdbffm.internal.foreign.Upcalls;

/**
 * A C function table, as JNI defines it for {@code JNIEnv} and {@code JavaVM}. Exceptions do not propagate to C: the
 * call stores the exception, and C code gets zero, as from JNI.
 *
 * <p>All functions have one type: as many parameters as the longest, all of type long, and a long as result. Linking
 * takes milliseconds for each type, and JNI has more than twenty. On all supported platforms, such arguments are passed
 * in registers, so missing arguments and unused bits of narrow ones have arbitrary values.
 */
final class JniTable {
  private static final MethodHandle ANSWER;

  // Keeps the functions' method handles reachable: the functions reference them only weakly. C code uses a table only
  // while it has a global reference, or while a thread is in a call; both keep the class loader, and so this list,
  // reachable.
  private static final List<MethodHandle> CODE = new ArrayList<>();

  // Keeps the functions. Never closed: they are freed when the class loader is unreachable.
  private static final Arena FUNCTIONS = Arena.ofAuto();

  static {
    MethodType words = MethodType.methodType(long.class, long.class, long.class, long.class, long.class, long.class);
    try {
      ANSWER =
          MethodHandles.lookup()
              .findStatic(JniTable.class, "answer", words.insertParameterTypes(0, Functions.class, int.class));
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private JniTable() {}

  /** Runs the functions of a table, by their index. */
  @FunctionalInterface
  interface Functions {
    /** Runs a function with its arguments after the first, which is the JNI object itself. */
    long answer(int place, long a, long b, long c, long d) throws Throwable;
  }

  /** Creates a JNI object, a pointer to a table of {@code count} functions, which lives as long as the class loader. */
  static synchronized long of(Functions functions, int count) {
    MemorySegment memory = Memory.allocate((1L + count) * Long.BYTES);
    memory.set(ValueLayout.JAVA_LONG, 0, memory.address() + Long.BYTES);
    for (int place = 0; place < count; place++) {
      MethodHandle function = MethodHandles.insertArguments(ANSWER, 0, functions, place);
      CODE.add(function);
      memory.setAtIndex(
          ValueLayout.JAVA_LONG, 1L
          + place, Upcalls.weakly(JniTable.class, "JNI's " + place, function, FUNCTIONS).address());
    }
    return memory.address();
  }

  private static long answer(Functions functions, int place, long self, long a, long b, long c, long d) {
    try {
      return functions.answer(place, a, b, c, d);
    } catch (Throwable e) {
      fail(e);
      return 0;
    }
  }

  private static void fail(Throwable failure) {
    JniCall call = JniCall.current();
    if (call == null) {
      JniCall.log(failure);
    } else {
      call.fail(failure);
    }
  }
}
