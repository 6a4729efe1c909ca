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
 * The benchmarks' own native library: the work of the Java rows in C loops, {@code jmh/native/src/bench.h}. It reaches
 * the engine through a table of functions that are looked up where the core looks up its own, so both run the very
 * same loaded library.
 */
public final class NativeLoops {
  private static final Linker LINKER = Linker.nativeLinker();
  private static final SymbolLookup LIBRARY =
      SymbolLookup.libraryLookup(inBuild(System.mapLibraryName("rocksdb_ffm_bench")), Arena.global());
  private static final long FAILED = Long.MIN_VALUE;
  private static final MethodHandle FUNCTION = link("function", ADDRESS, JAVA_LONG);

  /** The engine's functions, a struct {@code bench_engine}: never changed, never freed. */
  static final MemorySegment ENGINE = engine();

  private NativeLoops() {}

  /** The program that reads one value without a JVM. */
  public static Path firstGetProgram() {
    return inBuild("first_get");
  }

  /** A file of the native build, which lies beside the classes. */
  private static Path inBuild(String name) {
    try {
      Path classes = Path.of(NativeLoops.class.getProtectionDomain().getCodeSource().getLocation().toURI());
      return classes.resolveSibling("native").resolve(name);
    } catch (URISyntaxException impossible) {
      throw new AssertionError(impossible);
    }
  }

  /** The library tells which functions it wants, in the order of its table. */
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

  /** A function of the library, without its prefix; it returns nothing where the result is null. */
  static MethodHandle link(String name, MemoryLayout result, MemoryLayout... parameters) {
    FunctionDescriptor descriptor =
        result == null ? FunctionDescriptor.ofVoid(parameters) : FunctionDescriptor.of(result, parameters);
    return LINKER.downcallHandle(LIBRARY.findOrThrow("bench_" + name), descriptor);
  }

  /** A loop, to be run by {@link #run}. */
  static MethodHandle loop(String name) {
    return link(name, JAVA_LONG, ADDRESS);
  }

  /** Runs a loop over what it works with, and returns its sum. */
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
