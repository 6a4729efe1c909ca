/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.compat.jni;

import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import org.rocksdbffm.compat.support.CompiledApart;
import org.rocksdbffm.internal.foreign.Downcalls;

/**
 * Calls C functions with words, by their address. A downcall consists of thirty methods of the JDK, which would be
 * compiled for each function and for each of its callers: so most functions share these two methods.
 */
final class SharedDowncalls {
  private static final int SIX = 6;
  private static final int EIGHT = 8;

  private SharedDowncalls() {}

  /** Whether functions with this type share a method. The relinker calls functions with six or more parameters. */
  static boolean serve(MethodType type) {
    int count = type.parameterCount();
    boolean isShared = (count == SIX || count == EIGHT) && type.returnType() == long.class;
    for (int i = 0; i < count; i++) { // no stream, whose first lambda costs a start a dozen classes
      isShared &= type.parameterType(i) == long.class;
    }
    return isShared;
  }

  /** Returns a handle that calls the function at an address. */
  static MethodHandle link(MemorySegment function, MethodType type) {
    String method = type.parameterCount() == SIX ? "six" : "eight";
    try {
      return MethodHandles.lookup()
          .findStatic(SharedDowncalls.class, method, type.insertParameterTypes(0, MemorySegment.class))
          .bindTo(function);
    } catch (ReflectiveOperationException e) {
      throw new AssertionError(e);
    }
  }

  @CompiledApart
  static long six(MemorySegment function, long a, long b, long c, long d, long e, long f) throws Throwable {
    return (long) OfSix.HANDLE.invokeExact(function, a, b, c, d, e, f);
  }

  @CompiledApart
  static long eight(MemorySegment function, long a, long b, long c, long d, long e, long f, long g, long h)
      throws Throwable {
    return (long) OfEight.HANDLE.invokeExact(function, a, b, c, d, e, f, g, h);
  }

  // nested classes, so that a program links only the functions that it calls

  private static final class OfSix {
    static final MethodHandle HANDLE = Downcalls.linkWords(SIX);
  }

  private static final class OfEight {
    static final MethodHandle HANDLE = Downcalls.linkWords(EIGHT);
  }
}
