/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.loader;

import java.lang.foreign.Linker;

/** The C library of a Linux process. */
enum Libc {
  GNU,
  MUSL;

  /**
   * Detects glibc by a function that only glibc has: running {@code ldd} needs a process, and fails without a shell.
   */
  static Libc ofThisProcess() {
    boolean isGnu = Linker.nativeLinker().defaultLookup().find("gnu_get_libc_version").isPresent();
    return isGnu || !Platform.isLinux(System.getProperty("os.name")) ? GNU : MUSL;
  }
}
