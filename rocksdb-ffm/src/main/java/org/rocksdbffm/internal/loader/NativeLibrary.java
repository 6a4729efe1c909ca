/* Licensed under the Apache License, Version 2.0; see LICENSE. */

package org.rocksdbffm.internal.loader;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.channels.FileChannel;
import java.nio.file.Path;

/**
 * The native code of this class loader's RocksDB, opened on first use and never closed. If opening fails, the use
 * throws, and the next one retries. Thread-safe.
 */
public final class NativeLibrary {
  static final String PROPERTY = "org.rocksdbffm.library";

  /** Some 200 KiB of interpreter frames, more than loading and linking need. */
  private static final int FRAMES_FOR_LOADING = 2000;

  private static final String TRIM = "malloc_trim";

  private static volatile LibraryPair opened;

  private NativeLibrary() {}

  /**
   * Opens the libraries unless they are open. Throws before trying if the stack is too small: a class whose
   * initialization ran out of stack stays unusable.
   */
  public static void load() {
    descend(FRAMES_FOR_LOADING);
    opened();
  }

  private static int descend(int frames) {
    return frames == 0 ? 0 : descend(frames - 1) + 1;
  }

  /**
   * Returns the address of a C function: of the stubs if it is named {@code rocksdb_ffm_...}, otherwise of the engine.
   * The C++ stubs, {@code rocksdb_ffm_cxx_...}, are opened at the first call; it throws if they are missing.
   */
  public static MemorySegment find(String symbol) {
    return opened().find(symbol);
  }

  /** Whether the engine exports a function; asked for functions that only rocksdbjni's library has. */
  public static boolean has(String symbol) {
    return opened().engine().symbols().find(symbol).isPresent();
  }

  /** Whether the process uses musl; opens no library. */
  public static boolean isMusl() {
    return Libc.ofThisProcess() == Libc.MUSL;
  }

  /** Returns the file of the engine. */
  public static Path engine() {
    return opened().engine().file();
  }

  /**
   * Whether the stubs have this ABI version. They export a symbol with the version in its name, because at JVM start a
   * symbol lookup is faster than linking a function.
   */
  public static boolean hasAbi(int version) {
    return opened().stubs().symbols().find("rocksdb_ffm_abi_" + version).isPresent();
  }

  /** Returns the error for stubs with another ABI version. */
  public static NativeLibraryError otherAbi(int expected, int found) {
    return new NativeLibraryError(
        ("The stubs in %s follow version %d of their contract and this rocksdb-ffm needs version %d. Use rocksdb-ffm"
                + " and rocksdb-ffm-native of one version.")
            .formatted(opened().stubs().file(), found, expected));
  }

  /** Makes malloc return free pages to the operating system, which takes milliseconds; only glibc can. */
  public static void trimMemory() {
    if (has(TRIM)) {
      FunctionDescriptor type = FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.JAVA_LONG);
      Posix.call(Posix.function(find(TRIM), type), 0L); // the JDK's lookup would need a free descriptor
    }
  }

  private static LibraryPair opened() {
    LibraryPair known = opened;
    return known != null ? known : open();
  }

  private static synchronized LibraryPair open() {
    if (opened == null) {
      try {
        Spare.require();
        LibraryPair pair = LibraryPair.open(NativeLibrary.class.getClassLoader(), System::getProperty, System::getenv);
        FileChannel.open(pair.engine().file()).close(); // initializes the JDK's channels, which lock folders
        opened = pair;
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
