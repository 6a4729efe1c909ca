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
   * Detects the library by the dynamic linker of musl among the mapped files: {@code ldd} would cost a process, and
   * fails without a shell; the JDK's lookup of the C library's functions takes 10 ms at JVM start, and is used only
   * without {@code /proc}.
   */
  static Libc ofThisProcess() {
    if (!Platform.isLinux(System.getProperty("os.name"))) {
      return GNU;
    }
    try {
      return Files.readString(Path.of("/proc/self/maps"), StandardCharsets.ISO_8859_1).contains("/ld-musl-") ? MUSL : GNU;
    } catch (IOException e) {
      return ofFunctions(e);
    }
  }

  /**
   * Detects the C library by a function that only glibc has. The lookup stays empty if no descriptor was free at its
   * first use.
   */
  private static Libc ofFunctions(IOException unread) {
    Spare.require();
    SymbolLookup lookup = Linker.nativeLinker().defaultLookup();
    if (lookup.find("gnu_get_libc_version").isPresent()) {
      return GNU;
    }
    if (lookup.find("malloc").isPresent()) {
      return MUSL;
    }
    throw new NativeLibraryError("Cannot find out the C library of this process: " + unread, unread);
  }
}
