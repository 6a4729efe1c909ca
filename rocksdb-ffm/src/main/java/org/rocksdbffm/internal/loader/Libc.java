/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.loader;

import java.lang.foreign.Linker;

/** The C library of a Linux process. */
enum Libc {
  GNU,
  MUSL;

  /** Known by a function that glibc alone has: starting {@code ldd} costs a process, and fails where there is no shell. */
  static Libc ofThisProcess() {
    boolean isGnu = Linker.nativeLinker().defaultLookup().find("gnu_get_libc_version").isPresent();
    return isGnu || !Platform.isLinux(System.getProperty("os.name")) ? GNU : MUSL;
  }
}
