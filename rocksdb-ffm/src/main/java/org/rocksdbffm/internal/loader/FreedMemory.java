/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.loader;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;

/** Freed memory that malloc retains. Only glibc has a function to release it. */
public final class FreedMemory {
  private static final String TRIM = "malloc_trim";
  private static final MethodHandle HANDLE =
      Linker.nativeLinker().defaultLookup().find(TRIM).isEmpty()
          ? null
          : Posix.function(TRIM, FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.JAVA_LONG));

  private FreedMemory() {}

  /** Makes malloc return free pages to the operating system, which takes some milliseconds. */
  public static void giveBack() {
    if (HANDLE != null) {
      Posix.call(HANDLE, 0L);
    }
  }
}
