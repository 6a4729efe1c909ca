/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.loader;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/**
 * The linking of C functions. A class links its function while it is initialized, and the JVM never tries again where
 * that failed: the function would be lost to the process because the heap was full for a moment. So this waits for heap.
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

  /** Links the function without waiting, for a caller that waits itself, and makes anew all that it takes. */
  public static MethodHandle downcallNow(MemorySegment address, FunctionDescriptor descriptor, Linker.Option... options) {
    return Linker.nativeLinker().downcallHandle(address, descriptor, options);
  }

  /** Waits for so many milliseconds, of which there are twice as many each time; throws what was thrown after the last. */
  public static void awaitHeap(int millis, OutOfMemoryError thrown) {
    if (millis > LONGEST_WAIT_MILLIS) {
      throw thrown;
    }
    try {
      Thread.sleep(millis);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt(); // the next waits end at once; the tries are as many
    }
  }
}
