/* Licensed under the Apache License, Version 2.0; see LICENSE. */

package org.rocksdbffm.internal.loader;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** A library opened by the dynamic linker, and never closed: its code may run until the process ends. */
record SharedLibrary(Path file, SymbolLookup symbols) {
  /** The error texts of glibc and musl. */
  private static final List<String> NOT_EXECUTABLE = List.of("failed to map segment", "Operation not permitted");

  /** {@code remedy}: what to do if the file cannot be mapped where it is. */
  static SharedLibrary open(Path file, String remedy) {
    try {
      return new SharedLibrary(file, SymbolLookup.libraryLookup(file.toString(), Arena.global()));
    } catch (IllegalArgumentException notOpened) {
      throw error(file, Posix.openError(file), remedy, notOpened);
    }
  }

  /**
   * Opens a system library for libraries that call its functions without depending on it. Otherwise such a call would
   * end the process.
   */
  static void openForAll(String library) {
    Optional<String> error = Posix.openForAll(library);
    if (error.isPresent()) {
      throw new NativeLibraryError(
          ("The published RocksDB calls functions of %s, which cannot be loaded: %s. Install the system package that has"
                  + " it, on Debian and Ubuntu libatomic1.")
              .formatted(library, error.get()));
    }
  }

  MemorySegment find(String symbol) {
    Optional<MemorySegment> found = symbols.find(symbol);
    if (found.isEmpty()) {
      throw new NativeLibraryError(
          "There is no symbol %s in %s. The library is of another version than this one needs."
              .formatted(symbol, file));
    }
    return found.get();
  }

  private static NativeLibraryError error(Path file, String error, String remedy, Throwable cause) {
    String message = "Cannot load the native library %s: %s. ".formatted(file, error);
    if (NOT_EXECUTABLE.stream().anyMatch(error::contains)) {
      message += "It lies on a file system that is mounted noexec, or a security policy forbids code there: " + remedy + ".";
      return NativeLibraryError.ofPlace(message, cause);
    }
    if (error.contains(file.toString() + ":")) {
      return new NativeLibraryError(message + "The file is not a library for this system.", cause);
    }
    String missing = "It needs a library that is missing here: install the system package that has it.";
    return new NativeLibraryError(message + missing, cause);
  }
}
