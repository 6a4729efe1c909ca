/* Licensed under the Apache License, Version 2.0; see LICENSE. */

package org.rocksdbffm.internal.loader;

import java.lang.foreign.MemorySegment;
import java.nio.file.Path;

/**
 * The native code of this class loader's RocksDB, opened on first use and never closed. Thread-safe. A use that cannot
 * open it says why, and the next one tries again.
 */
public final class NativeLibrary {
  static final String PROPERTY = "org.rocksdbffm.library";

  /** Some 200 KiB of the interpreter's frames, of which loading and linking take a part. */
  private static final int FRAMES_FOR_LOADING = 2000;

  private static volatile LibraryPair opened;

  private NativeLibrary() {}

  /**
   * Opens the libraries if nobody did yet. Fails before it tries if the stack has no room for that: a class whose
   * initialization ran out of stack stays unusable.
   */
  public static void load() {
    descend(FRAMES_FOR_LOADING);
    opened();
  }

  private static int descend(int frames) {
    return frames == 0 ? 0 : descend(frames - 1) + 1;
  }

  /** The address of a C function: of the stubs if it is named {@code rocksdb_ffm_...}, of the engine otherwise. */
  public static MemorySegment find(String symbol) {
    return opened().find(symbol);
  }

  /** Whether the engine exports a function, which is asked for those that only rocksdbjni's library has. */
  public static boolean has(String symbol) {
    return opened().engine().symbols().find(symbol).isPresent();
  }

  /** Whether the process has musl for its C library; nothing is opened for that. */
  public static boolean isMusl() {
    return Libc.ofThisProcess() == Libc.MUSL;
  }

  /** The file that the engine was loaded from. */
  public static Path engine() {
    return opened().engine().file();
  }

  /**
   * Whether the stubs follow a version of their contract: they export a name that ends in its number, for looking that
   * up takes a JVM that has just started less than linking the function that tells it.
   */
  public static boolean hasAbi(int version) {
    return opened().stubs().symbols().find("rocksdb_ffm_abi_" + version).isPresent();
  }

  /** The error for stubs that follow another version of the contract. */
  public static NativeLibraryError otherAbi(int expected, int found) {
    return new NativeLibraryError(
        ("The stubs in %s follow version %d of their contract and this rocksdb-ffm needs version %d. Use rocksdb-ffm"
                + " and rocksdb-ffm-native of one version.")
            .formatted(opened().stubs().file(), found, expected));
  }

  private static LibraryPair opened() {
    LibraryPair known = opened;
    return known != null ? known : open();
  }

  private static synchronized LibraryPair open() {
    if (opened == null) {
      try {
        opened = LibraryPair.open(NativeLibrary.class.getClassLoader(), System::getProperty, System::getenv);
      } catch (NativeLibraryError | VirtualMachineError e) {
        throw e;
      } catch (IllegalCallerException e) {
        throw new NativeLibraryError(forbidden(), e);
      } catch (Throwable e) {
        throw new NativeLibraryError("Cannot load RocksDB's native library: " + e, e);
      }
    }
    return opened;
  }

  private static String forbidden() {
    Module module = NativeLibrary.class.getModule();
    return "This JVM forbids native access to RocksDB. Start it with --enable-native-access="
        + (module.isNamed() ? module.getName() : "ALL-UNNAMED");
  }
}
