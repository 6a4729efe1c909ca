/* Licensed under the Apache License, Version 2.0; see LICENSE. */

package org.rocksdbffm.internal.loader;

import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.UnaryOperator;

/** The engine and the stubs: found, verified and opened; and the C++ stubs, which are opened when they are needed. */
record LibraryPair(SharedLibrary engine, SharedLibrary stubs, CxxLibrary cxxStubs) {
  static final String STUB_PREFIX = "rocksdb_ffm_";
  private static final String CXX_STUBS = "rocksdb_ffm_cxx";

  static LibraryPair open(ClassLoader loader, UnaryOperator<String> properties, UnaryOperator<String> environment) {
    Platform platform = Platform.current();
    return open(platform, NativeJar.of(loader, platform, version()), properties, environment);
  }

  static LibraryPair open(
      Platform platform, NativeJar jar, UnaryOperator<String> properties, UnaryOperator<String> environment) {
    LibraryStore store = LibraryStore.of(platform, properties, environment);
    String chosen = properties.apply(NativeLibrary.PROPERTY);
    SharedLibrary engine =
        chosen == null || chosen.isBlank()
            ? packed(platform, jar, store)
            : chosen(Path.of(chosen).toAbsolutePath());
    SharedLibrary stubs = store.open(jar.library(platform.fileName("rocksdb_ffm")));
    store.log();
    return new LibraryPair(engine, stubs, new CxxLibrary(platform, jar, store, chosen));
  }

  MemorySegment find(String symbol) {
    if (symbol.startsWith(CXX_STUBS)) {
      return cxxStubs.open().find(symbol);
    }
    return (symbol.startsWith(STUB_PREFIX) ? stubs : engine).find(symbol);
  }

  private static SharedLibrary packed(Platform platform, NativeJar jar, LibraryStore store) {
    for (String library : platform.unnamedByEngine()) {
      SharedLibrary.openForAll(library);
    }
    return store.open(jar.library(platform.fileName("rocksdb")));
  }

  private static SharedLibrary chosen(Path file) {
    String asked = " (asked for by -D" + NativeLibrary.PROPERTY + ")";
    if (!Files.isRegularFile(file)) {
      throw new NativeLibraryError("There is no library " + file + asked + ". Name a file that exists.");
    }
    SharedLibrary engine = SharedLibrary.open(file, "put it elsewhere" + asked);
    if (engine.symbols().find("rocksdb_open").isEmpty()) {
      throw new NativeLibraryError(
          ("%s%s exports no rocksdb_open: it is not RocksDB, or was built without its C functions. Name a shared"
                  + " RocksDB library that exports rocksdb/c.h.")
              .formatted(file, asked));
    }
    EngineFunctions.require(engine, asked);
    return engine;
  }

  private static String version() {
    Module module = LibraryPair.class.getModule();
    String version =
        module.isNamed()
            ? module.getDescriptor().rawVersion().orElse(null)
            : LibraryPair.class.getPackage().getImplementationVersion();
    return version == null ? "<the version of rocksdb-ffm>" : version;
  }

  /**
   * The C++ stubs of the packed engine. Optional: missing on macOS, where they were never run, and in a jar that was
   * built without a C++ compiler. They need exactly the packed engine, because they call its C++ classes.
   */
  static final class CxxLibrary {
    private final Platform platform;
    private final NativeJar jar;
    private final LibraryStore store;
    private final String chosenEngine;
    private SharedLibrary opened;

    CxxLibrary(Platform platform, NativeJar jar, LibraryStore store, String chosenEngine) {
      this.platform = platform;
      this.jar = jar;
      this.store = store;
      this.chosenEngine = chosenEngine;
    }

    synchronized SharedLibrary open() {
      if (opened == null) {
        if (chosenEngine != null && !chosenEngine.isBlank()) {
          throw missing("they call C++ classes of the packed engine. Remove -D" + NativeLibrary.PROPERTY);
        }
        if (platform.isMac()) {
          throw missing("they were never run on macOS. Use Linux");
        }
        String fileName = platform.fileName(CXX_STUBS);
        if (!jar.has(fileName)) {
          throw missing("the native jar was built without a C++ compiler. Use the published jar, or build it with one");
        }
        Spare.require();
        opened = store.open(jar.library(fileName));
      }
      return opened;
    }

    private static NativeLibraryError missing(String reason) {
      return new NativeLibraryError(
          "Encryption, entities and resuming need the C++ stubs, which are missing here: %s.".formatted(reason));
    }
  }
}
