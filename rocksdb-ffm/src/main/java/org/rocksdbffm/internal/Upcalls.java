/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal;

import java.lang.foreign.Arena;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.reflect.Method;
import java.util.Arrays;

/**
 * C functions whose code is in Java. There is one for each of a few static methods, made once and never freed, so
 * that none can be called after its end; which object is meant is told by a number that the engine passes. A pointer
 * is a {@code long}, so nothing is allocated on the way.
 *
 * <p>An exception that leaves such a method ends the JVM, so none may.
 */
public final class Upcalls {
  private Upcalls() {}

  /** The C function that is the static method with that name, of which there is one in the class. */
  public static MemorySegment to(MethodHandles.Lookup lookup, String name) {
    Class<?> type = lookup.lookupClass();
    try {
      Method method =
          Arrays.stream(type.getDeclaredMethods()).filter(its -> its.getName().equals(name)).findFirst().orElseThrow();
      return MemorySegment.ofAddress(forever(name, lookup.unreflect(method)));
    } catch (IllegalAccessException e) {
      throw new AssertionError(e);
    }
  }

  /** The address of a C function that does what the method does, as wide in its parameters and its result. */
  public static long forever(String name, MethodHandle method) {
    return Linker.nativeLinker()
        .upcallStub(method, Downcalls.descriptor(name, method.type()), Arena.global())
        .address();
  }
}
