/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.loader;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/**
 * Links C functions. A class links its function in its initializer, and the JVM never retries a failed initializer: a
 * heap that is full for a short time would disable the function for the whole process. So this waits for heap.
 */
public final class Linking {
  private static final int LONGEST_WAIT_MILLIS = 1024;

  private Linking() {}

  /** Links the function at an address. */
  public static MethodHandle downcall(MemorySegment address, FunctionDescriptor descriptor, Linker.Option... options) {
    for (int wait = 1; ; wait *= 2) {
      try {
        return downcallNow(address, descriptor, options);
      } catch (OutOfMemoryError e) {
        awaitHeap(wait, e);
      }
    }
  }

  /** Links functions with a type, whose address is the first argument of each call. */
  public static MethodHandle downcallByAddress(FunctionDescriptor descriptor) {
    for (int wait = 1; ; wait *= 2) {
      try {
        return Linker.nativeLinker().downcallHandle(descriptor);
      } catch (OutOfMemoryError e) {
        awaitHeap(wait, e);
      }
    }
  }

  /** Links the function without waiting, for callers with a retry loop. */
  public static MethodHandle downcallNow(MemorySegment address, FunctionDescriptor descriptor, Linker.Option... options) {
    return Linker.nativeLinker().downcallHandle(address, descriptor, options);
  }

  /** Sleeps {@code millis}, which the caller doubles each time; rethrows the error after the longest wait. */
  public static void awaitHeap(int millis, OutOfMemoryError thrown) {
    if (millis > LONGEST_WAIT_MILLIS) {
      throw thrown;
    }
    try {
      Thread.sleep(millis);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt(); // the remaining sleeps end immediately; the number of retries is unchanged
    }
  }
}
