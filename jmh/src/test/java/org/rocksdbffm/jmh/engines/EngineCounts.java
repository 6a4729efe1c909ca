/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.jmh.engines;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import org.rocksdbffm.internal.loader.NativeLibrary;

/** The PerfContext counts of the calling thread, in the engine that this library and the C loops share. */
final class EngineCounts {
  private static final int USER_KEY_COMPARISONS = 0;
  private static final MethodHandle CREATE = link("create", ADDRESS);
  private static final MethodHandle METRIC = link("metric", JAVA_LONG, ADDRESS, JAVA_INT);
  private static final MethodHandle DESTROY = link("destroy", null, ADDRESS);

  private static final MethodHandle SET_LEVEL =
      link(NativeLibrary.find("rocksdb_set_perf_level"), FunctionDescriptor.ofVoid(JAVA_INT));
  private static final int COUNTING = 2;

  private EngineCounts() {}

  /** Enables the engine's counters of the calling thread, even if another class has disabled them. */
  static void begin() {
    try {
      SET_LEVEL.invokeExact(COUNTING);
    } catch (Throwable e) {
      throw new AssertionError(e);
    }
  }

  static long comparisons() {
    try {
      MemorySegment context = (MemorySegment) CREATE.invokeExact();
      long count = (long) METRIC.invokeExact(context, USER_KEY_COMPARISONS);
      DESTROY.invokeExact(context);
      return count;
    } catch (Throwable e) {
      throw new AssertionError(e);
    }
  }

  private static MethodHandle link(String name, MemoryLayout result, MemoryLayout... parameters) {
    FunctionDescriptor type =
        result == null ? FunctionDescriptor.ofVoid(parameters) : FunctionDescriptor.of(result, parameters);
    return link(NativeLibrary.find("rocksdb_perfcontext_" + name), type);
  }

  private static MethodHandle link(MemorySegment function, FunctionDescriptor type) {
    return Linker.nativeLinker().downcallHandle(function, type);
  }
}
