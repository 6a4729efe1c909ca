/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.loader;

import java.io.IOException;
import java.lang.foreign.Linker;
import java.lang.foreign.SymbolLookup;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/** The C library of a Linux process. */
enum Libc {
  GNU,
  MUSL;

  /**
   * Detects the library by a function that only glibc has: {@code ldd} would cost a process, and fails without a shell.
   * Searches the mapped files if the JDK's lookup is empty, because no descriptor was free at its first use.
   */
  static Libc ofThisProcess() {
    if (!Platform.isLinux(System.getProperty("os.name"))) {
      return GNU;
    }
    Spare.require();
    SymbolLookup lookup = Linker.nativeLinker().defaultLookup();
    if (lookup.find("gnu_get_libc_version").isPresent()) {
      return GNU;
    }
    return lookup.find("malloc").isPresent() ? MUSL : ofMappedFiles();
  }

  private static Libc ofMappedFiles() {
    try {
      return Files.readString(Path.of("/proc/self/maps"), StandardCharsets.ISO_8859_1).contains("/ld-musl-") ? MUSL : GNU;
    } catch (IOException e) {
      throw new NativeLibraryError("Cannot find out the C library of this process: " + e, e);
    }
  }
}
