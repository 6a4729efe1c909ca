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
 * A table of C function pointers, which is all that JNI's objects are. No function throws into C: what goes wrong is kept
 * until the call is over, and C gets a zero, as it does from JNI.
 *
 * <p>All are of one kind, which takes as many words as the widest and returns one: the JDK needs milliseconds for each
 * kind, and JNI has more than twenty. Words come and go in registers on every platform that has a native jar, so where C
 * has passed fewer or narrower ones there is something in the rest that means nothing.
 */
final class JniTable {
  private static final MethodHandle ANSWER;

  // The code that the functions lead to, and do not keep themselves. C knows the address of a table for as long as it knows
  // that of a Java object, which keeps the class loader, and while a thread is in a call, which keeps it too.
  private static final List<MethodHandle> CODE = new ArrayList<>();

  // Keeps the functions, which are freed with it.
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

  /** The code of the functions of a table, by their place. */
  @FunctionalInterface
  interface Functions {
    /** The words are those behind the first, which is the JNI object itself. */
    long answer(int place, long a, long b, long c, long d) throws Throwable;
  }

  /** Makes a JNI object, a pointer to a table of so many functions, which goes with the class loader. */
  static synchronized long of(Functions functions, int count) {
    MemorySegment memory = Memory.allocate((1L + count) * Long.BYTES);
    memory.set(ValueLayout.JAVA_LONG, 0, memory.address() + Long.BYTES);
    for (int place = 0; place < count; place++) {
      MethodHandle function = MethodHandles.insertArguments(ANSWER, 0, functions, place);
      CODE.add(function);
      memory.setAtIndex(
          ValueLayout.JAVA_LONG, 1L + place, Upcalls.weakly(JniTable.class, "JNI's " + place, function, FUNCTIONS).address());
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
