/* Licensed under the Apache License, Version 2.0; see LICENSE. */

package org.rocksdbffm.internal.loader;

import java.util.List;

/** An operating system, processor and C library that the engine is built for; named as in the native jar. */
record Platform(String name) {
  private static final List<String> SUPPORTED =
      List.of(
          "linux-x86_64", "linux-x86_64-musl", "linux-aarch_64", "linux-aarch_64-musl", "linux-riscv64",
          "linux-riscv64-musl", "linux-ppcle_64", "linux-ppcle_64-musl", "linux-s390_64", "linux-s390_64-musl",
          "osx-x86_64", "osx-aarch_64");

  static Platform current() {
    String os = System.getProperty("os.name");
    return of(os, System.getProperty("os.arch"), Libc.ofThisProcess());
  }

  /** {@code libc} matters on Linux only. */
  static Platform of(String os, String processor, Libc libc) {
    String name = system(os) + "-" + architecture(processor);
    if (isLinux(os) && libc == Libc.MUSL) {
      name += "-musl";
    }
    if (!SUPPORTED.contains(name)) {
      throw new NativeLibraryError(unsupported(os, processor, name));
    }
    return new Platform(name);
  }

  /** Returns the file name of a library on this platform. */
  String fileName(String library) {
    return "lib" + library + (isMac() ? ".dylib" : ".so");
  }

  /** Returns the module name of this platform's native jar. */
  String moduleName() {
    return "org.rocksdbffm.natives." + name.replace('-', '_');
  }

  boolean isMac() {
    return name.startsWith("osx-");
  }

  /** Returns libraries whose functions the published engine calls without listing them as dependencies. */
  List<String> unnamedByEngine() {
    return name.equals("linux-riscv64") ? List.of("libatomic.so.1") : List.of();
  }

  private static String system(String os) {
    if (os.startsWith("Mac") || os.startsWith("Darwin")) {
      return "osx";
    }
    return isLinux(os) ? "linux" : os;
  }

  static boolean isLinux(String os) {
    return os.startsWith("Linux");
  }

  private static String architecture(String processor) {
    return switch (processor) {
      case "amd64", "x86_64", "x86-64" -> "x86_64";
      case "aarch64", "arm64" -> "aarch_64";
      case "ppc64le" -> "ppcle_64";
      case "s390x" -> "s390_64";
      default -> processor;
    };
  }

  private static String unsupported(String os, String processor, String name) {
    String message =
        "RocksDB has no native library for %s on %s (%s). Supported are: %s."
            .formatted(os, processor, name, String.join(", ", SUPPORTED));
    if (os.startsWith("Windows")) {
      message += " RocksDB's published library for Windows exports no C functions, so there is nothing to call there:"
          + " run the program on Linux, for example in WSL or a container.";
    }
    return message;
  }
}
