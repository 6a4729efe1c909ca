/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.loader;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.ValueLayout;

/** Freed memory that malloc keeps for later allocations. Only glibc has a function to return it. */
public final class FreedMemory {
  private static final String TRIM = "malloc_trim";

  private FreedMemory() {}

  /** Makes malloc return its whole pages to the operating system, which takes some milliseconds. */
  public static void giveBack() {
    if (NativeLibrary.has(TRIM)) {
      FunctionDescriptor type = FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.JAVA_LONG);
      Posix.call(Linking.downcall(NativeLibrary.find(TRIM), type), 0L);
    }
  }
}
