/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.util.Optional;

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

  /**
   * Has the process end without waiting for the engine's threads. One that has called Java belongs to the JVM, whose
   * end it waits for, while the engine's destructors wait for it: for ever. Where the C library has no way to be told
   * so late how the process ends, nothing is done.
   */
  public static void endAtExit() {
    Linker linker = Linker.nativeLinker();
    Optional<MemorySegment> register = linker.defaultLookup().find("on_exit");
    if (register.isPresent()) {
      MemorySegment end = linker.defaultLookup().find("_exit").orElseThrow();
      FunctionDescriptor type =
          FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.ADDRESS, ValueLayout.ADDRESS);
      try {
        linker.downcallHandle(register.get(), type).invokeWithArguments(end, MemorySegment.NULL);
      } catch (Throwable e) {
        throw new AssertionError(e);
      }
    }
  }
}
