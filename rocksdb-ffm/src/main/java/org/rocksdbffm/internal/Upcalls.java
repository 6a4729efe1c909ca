/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal;

import java.lang.foreign.Arena;
import java.lang.foreign.Linker;
import java.lang.invoke.MethodHandle;

/** C function pointers to methods of Java, for code that was not written but made, as {@link Downcalls} are. */
public final class Upcalls {
  private Upcalls() {}

  /**
   * A function pointer that is never freed, as wide in its parameters and its result as the method. The method must
   * not throw: the JVM ends if it does.
   */
  public static long forever(String name, MethodHandle method) {
    return Linker.nativeLinker()
        .upcallStub(method, Downcalls.descriptor(name, method.type()), Arena.global())
        .address();
  }
}
