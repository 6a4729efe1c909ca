/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.foreign;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import org.junit.jupiter.api.Test;
import org.rocksdbffm.tools.ChildJvm;

/** Tests C functions that call Java methods. */
class UpcallsTest {
  @Test
  void whatTheCodeThrowsDoesNotReachC() {
    assertEquals("0 and 0\n", ChildJvm.of(Thrower.class).run().assertExit(0).output());
  }

  /** Calls functions whose Java methods throw; one of them overflows the stack. */
  static final class Thrower {
    private static final FunctionDescriptor TYPE = FunctionDescriptor.of(ValueLayout.JAVA_LONG, ValueLayout.JAVA_LONG);

    private Thrower() {}

    public static void main(String[] arguments) throws Throwable {
      MemorySegment failing = Upcalls.to(MethodHandles.lookup(), "fail");
      MemorySegment endless = Upcalls.to(MethodHandles.lookup(), "callItself");
      Upcalls.hold();
      System.out.println(call(failing) + " and " + call(endless));
    }

    private static long call(MemorySegment function) throws Throwable {
      MethodHandle caller = Linker.nativeLinker().downcallHandle(function, TYPE);
      return (long) caller.invokeExact(7L);
    }

    @SuppressWarnings("unused") // C calls it
    private static long fail(long id) {
      throw new IllegalStateException("the code of " + id + " fails");
    }

    @SuppressWarnings({"unused", "InfiniteRecursion"}) // C calls it
    private static long callItself(long id) {
      return callItself(id + 1) + 1;
    }
  }
}
