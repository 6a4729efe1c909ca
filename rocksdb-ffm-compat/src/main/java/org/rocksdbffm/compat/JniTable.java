/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.compat;

import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Method;
import org.rocksdbffm.internal.Memory;
import org.rocksdbffm.internal.Upcalls;

/**
 * A table of C function pointers to methods of a class, in the places that JNI's specification gives them. The other
 * places all point to a function that fails the call. No function throws into C: what goes wrong is kept until the call
 * is over, and C gets a zero, as it does from JNI.
 */
final class JniTable {
  private JniTable() {}

  /** The place of a function in the table. */
  @Retention(RetentionPolicy.RUNTIME)
  @interface At {
    int value();
  }

  /** What points to a table of the methods of the lookup's class, which is all that JNI's objects are; never freed. */
  static long of(MethodHandles.Lookup lookup, int count) {
    try {
      MemorySegment memory = Memory.allocate((1L + count) * Long.BYTES);
      memory.set(ValueLayout.JAVA_LONG, 0, memory.address() + Long.BYTES);
      MethodHandle unknown =
          MethodHandles.lookup()
              .findStatic(JniTable.class, "unknown", MethodType.methodType(long.class, long.class));
      long other = pointer("unknown", unknown);
      for (int i = 0; i < count; i++) {
        memory.setAtIndex(ValueLayout.JAVA_LONG, 1L + i, other);
      }
      for (Method method : lookup.lookupClass().getDeclaredMethods()) {
        At place = method.getAnnotation(At.class);
        if (place != null) {
          memory.setAtIndex(
              ValueLayout.JAVA_LONG, 1L + place.value(), pointer(method.getName(), lookup.unreflect(method)));
        }
      }
      return memory.address();
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  /** A function that does what the method does, or returns 0 and fails the call. */
  private static long pointer(String name, MethodHandle method) throws ReflectiveOperationException {
    MethodHandle fail =
        MethodHandles.lookup()
            .findStatic(JniTable.class, "fail", MethodType.methodType(void.class, Throwable.class));
    MethodHandle failed = MethodHandles.collectArguments(MethodHandles.zero(method.type().returnType()), 0, fail);
    return Upcalls.forever(name, MethodHandles.catchException(method, Throwable.class, failed));
  }

  private static void fail(Throwable failure) {
    JniCall call = JniCall.current();
    if (call == null) {
      JniCall.log(failure);
    } else {
      call.fail(failure);
    }
  }

  private static long unknown(long object) {
    throw JniCall.current().unsupported();
  }
}
