/* Licensed under the Apache License, Version 2.0; see LICENSE. */

package org.rocksdbffm.internal.loader;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** C library functions that the JDK has no method for. Most are called once or twice in a process. */
final class Posix {
  private static final String ERRNO = "errno";
  private static final int EFFECTIVE = 2;
  private static final int RTLD_LAZY = 1;
  private static final int RTLD_GLOBAL_OF_LINUX = 0x100;

  private static final int CLOSE_ON_EXEC = 1;
  private static final int ALLOW_SEALING = 2;
  private static final int ADD_SEALS = 1033;
  private static final int ALL_SEALS = 15; // no further seals, no shrinking, no growing, no writing

  private Posix() {}

  /**
   * Returns the effective user id. Not {@code user.name}: in a container the user may have no name. Read from a file on
   * Linux, because linking the first C function takes 60 to 100 ms at JVM start.
   */
  static int effectiveUser() {
    try {
      for (String line : Files.readString(Path.of("/proc/self/status"), StandardCharsets.ISO_8859_1).split("\n")) {
        if (line.startsWith("Uid:")) {
          return Integer.parseUnsignedInt(line.split("\t")[EFFECTIVE]);
        }
      }
    } catch (IOException notLinux) {
      return geteuid();
    }
    return geteuid();
  }

  private static int geteuid() {
    return (int) call(function("geteuid", FunctionDescriptor.of(ValueLayout.JAVA_INT)));
  }

  /** Returns the dynamic linker's reason for not opening a library. */
  static String openError(Path library) {
    return open(library.toString(), RTLD_LAZY).orElse("the dynamic linker refused it at first");
  }

  /**
   * Opens a system library globally, by its name on Linux, so that libraries opened later find its functions without
   * depending on it. Returns the reason if it fails.
   */
  static Optional<String> openForAll(String library) {
    return open(library, RTLD_LAZY | RTLD_GLOBAL_OF_LINUX);
  }

  private static Optional<String> open(String library, int mode) {
    MethodHandle open =
        function("dlopen", FunctionDescriptor.of(ValueLayout.ADDRESS, ValueLayout.ADDRESS, ValueLayout.JAVA_INT));
    MethodHandle error = function("dlerror", FunctionDescriptor.of(ValueLayout.ADDRESS));
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment handle = (MemorySegment) call(open, arena.allocateFrom(library), mode);
      if (!handle.equals(MemorySegment.NULL)) {
        return Optional.empty();
      }
      MemorySegment text = (MemorySegment) call(error);
      boolean silent = text.equals(MemorySegment.NULL);
      return Optional.of(
          silent ? "the dynamic linker gives no reason" : text.reinterpret(Long.MAX_VALUE).getString(0));
    }
  }

  /** Creates an anonymous memory file of this process on Linux; returns its descriptor. The name is informational. */
  static int createMemoryFile(String name) throws IOException {
    FunctionDescriptor type =
        FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.ADDRESS, ValueLayout.JAVA_INT);
    try (Arena arena = Arena.ofConfined()) {
      return checked("memfd_create", type, arena.allocateFrom(name), CLOSE_ON_EXEC | ALLOW_SEALING);
    }
  }

  /** Makes a memory file immutable, also for this process. */
  static void seal(int descriptor) throws IOException {
    FunctionDescriptor type =
        FunctionDescriptor.of(
            ValueLayout.JAVA_INT, ValueLayout.JAVA_INT, ValueLayout.JAVA_INT, ValueLayout.JAVA_INT);
    checked("fcntl", type, List.of(Linker.Option.firstVariadicArg(2)), descriptor, ADD_SEALS, ALL_SEALS);
  }

  static void close(int descriptor) throws IOException {
    checked("close", FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.JAVA_INT), descriptor);
  }

  private static int checked(String name, FunctionDescriptor type, Object... arguments) throws IOException {
    return checked(name, type, List.of(), arguments);
  }

  /** Calls a function that returns -1 on failure; throws with the error number. */
  private static int checked(String name, FunctionDescriptor type, List<Linker.Option> options, Object... arguments)
      throws IOException {
    if (Linker.nativeLinker().defaultLookup().find(name).isEmpty()) {
      throw new IOException("the C library has no " + name);
    }
    StructLayout state = Linker.Option.captureStateLayout();
    List<Linker.Option> all = new ArrayList<>(options);
    all.add(Linker.Option.captureCallState(ERRNO));
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment captured = arena.allocate(state);
      List<Object> words = new ArrayList<>(List.of(captured));
      words.addAll(List.of(arguments));
      int result = (int) call(function(name, type, all.toArray(Linker.Option[]::new)), words.toArray());
      if (result == -1) {
        long place = state.byteOffset(MemoryLayout.PathElement.groupElement(ERRNO));
        throw new IOException(name + " fails with error " + captured.get(ValueLayout.JAVA_INT, place));
      }
      return result;
    }
  }

  static MethodHandle function(String name, FunctionDescriptor descriptor, Linker.Option... options) {
    Linker linker = Linker.nativeLinker();
    return function(linker.defaultLookup().findOrThrow(name), descriptor, options);
  }

  static MethodHandle function(MemorySegment address, FunctionDescriptor descriptor, Linker.Option... options) {
    return Linking.downcall(address, descriptor, options);
  }

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
