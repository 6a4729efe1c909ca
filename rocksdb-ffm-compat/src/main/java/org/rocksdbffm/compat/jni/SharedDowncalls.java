/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.compat.jni;

import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import org.rocksdbffm.compat.support.CompiledApart;
import org.rocksdbffm.internal.foreign.Downcalls;
import org.rocksdbffm.internal.loader.NativeLibrary;

/**
 * Calls C functions with six words, by their address. A downcall consists of thirty methods of the JDK, which would be
 * compiled for each function and for each of its callers: so most functions share one method.
 */
public final class SharedDowncalls {
  private static final int SIX = 6;

  private SharedDowncalls() {}

  /** Whether functions with this type share the method. The relinker calls functions with six or more parameters. */
  static boolean serve(MethodType type) {
    boolean isShared = type.parameterCount() == SIX && type.returnType() == long.class;
    for (int i = 0; i < type.parameterCount(); i++) { // no stream, whose first lambda costs a start a dozen classes
      isShared &= type.parameterType(i) == long.class;
    }
    return isShared;
  }

  /** Returns a handle that calls the function at an address. */
  static MethodHandle link(MemorySegment function, MethodType type) {
    try {
      MethodHandle shared =
          MethodHandles.lookup()
              .findStatic(SharedDowncalls.class, "six", type.insertParameterTypes(SIX, MemorySegment.class));
      return MethodHandles.insertArguments(shared, SIX, function);
    } catch (ReflectiveOperationException e) {
      throw new AssertionError(e);
    }
  }

  /**
   * Returns the address of a function as a dynamic constant of glue, which is linked faster than an
   * {@code invokedynamic} instruction, and compiled to less code.
   */
  public static MemorySegment function(MethodHandles.Lookup caller, String symbol, Class<?> type) {
    return NativeLibrary.find(symbol);
  }

  /** Calls the function, which is the last argument because the relinker pushes it last. */
  @CompiledApart
  public static long six(long a, long b, long c, long d, long e, long f, MemorySegment function) throws Throwable {
    return (long) OfSix.HANDLE.invokeExact(function, a, b, c, d, e, f);
  }

  /** A nested class, so that a program that only finds functions links none. */
  private static final class OfSix {
    static final MethodHandle HANDLE = Downcalls.linkWords(SIX);
  }
}
