/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.jmh.engines.capi;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandle;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.rocksdbffm.internal.loader.NativeLibrary;

/**
 * The benchmarks' native library: the loops of the Java rows in C, {@code jmh/native/src/bench.h}. It calls the engine
 * through a table of function pointers, looked up in the library that the core has loaded.
 */
public final class NativeLoops {
  private static final Linker LINKER = Linker.nativeLinker();
  private static final SymbolLookup LIBRARY =
      SymbolLookup.libraryLookup(inBuild(System.mapLibraryName("rocksdb_ffm_bench")), Arena.global());
  private static final long FAILED = Long.MIN_VALUE;
  private static final MethodHandle FUNCTION = link("function", ADDRESS, JAVA_LONG);

  /** The engine's functions, a struct {@code bench_engine}, which is never changed or freed. */
  static final MemorySegment ENGINE = engine();

  private NativeLoops() {}

  /** Returns the program that reads one value without a JVM. */
  public static Path firstGetProgram() {
    return inBuild("first_get");
  }

  /** Returns a file of the native build, in a folder next to the classes. */
  private static Path inBuild(String name) {
    try {
      Path classes = Path.of(NativeLoops.class.getProtectionDomain().getCodeSource().getLocation().toURI());
      return classes.resolveSibling("native").resolve(name);
    } catch (URISyntaxException impossible) {
      throw new AssertionError(impossible);
    }
  }

  /** Looks up the functions that the library lists, in the order of its table. */
  private static MemorySegment engine() {
    List<MemorySegment> functions = new ArrayList<>();
    for (String name = function(0); name != null; name = function(functions.size())) {
      functions.add(NativeLibrary.find(name));
    }
    MemorySegment table = Arena.global().allocate(ADDRESS, functions.size());
    for (int i = 0; i < functions.size(); i++) {
      table.setAtIndex(ADDRESS, i, functions.get(i));
    }
    return table;
  }

  private static String function(long index) {
    MemorySegment name = (MemorySegment) call(FUNCTION, index);
    return name.equals(MemorySegment.NULL) ? null : name.reinterpret(Long.MAX_VALUE).getString(0);
  }

  /** Links a function of the library, named without prefix; void if the result is null. */
  static MethodHandle link(String name, MemoryLayout result, MemoryLayout... parameters) {
    FunctionDescriptor descriptor =
        result == null ? FunctionDescriptor.ofVoid(parameters) : FunctionDescriptor.of(result, parameters);
    return LINKER.downcallHandle(LIBRARY.findOrThrow("bench_" + name), descriptor);
  }

  /** Links a loop, for {@link #run}. */
  static MethodHandle loop(String name) {
    return link(name, JAVA_LONG, ADDRESS);
  }

  /** Runs a loop with a struct of its data, and returns its sum. */
  static long run(MethodHandle loop, MemorySegment work) {
    long sum;
    try {
      sum = (long) loop.invokeExact(work);
    } catch (RuntimeException | Error e) {
      throw e;
    } catch (Throwable impossible) {
      throw new AssertionError(impossible);
    }
    if (sum == FAILED) {
      throw new IllegalStateException("The engine failed in a native loop, which has printed why");
    }
    return sum;
  }

  /** Calls a function that is not measured. */
  static Object call(MethodHandle function, Object... arguments) {
    try {
      return function.invokeWithArguments(arguments);
    } catch (RuntimeException | Error e) {
      throw e;
    } catch (Throwable impossible) {
      throw new AssertionError(impossible);
    }
  }
}
