/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.compat.jni;

import java.io.IOException;
import java.lang.System.Logger.Level;
import java.net.URL;
import java.util.Collections;
import java.util.List;
import org.rocksdb.NativeLibraryLoader;
import org.rocksdb.RocksDB;
import org.rocksdb.util.Environment;
import org.rocksdbffm.internal.loader.NativeLibrary;

/** Loads the core's native library instead of rocksdbjni's. */
public final class Loading {
  private Loading() {}

  /** Loads the library. Ignores the folder, because the core has one verified copy for all processes of a user. */
  public static void load(NativeLibraryLoader loader, String folder) throws IOException {
    try {
      NativeLibrary.load();
      endAtExit();
    } catch (Error e) { // rocksdbjni tries to load again only after an IOException
      throw new IOException(e.getMessage(), e);
    }
    List<URL> copies = copies(RocksDB.class.getClassLoader());
    if (copies.size() > 1) {
      System.getLogger("org.rocksdbffm.compat").log(Level.WARNING, warning(copies));
    }
  }

  /** Waits for a thread that loads the library, or loads it if that thread failed. Ignores interrupts. */
  public static void await() {
    NativeLibrary.load();
  }

  /** Installs the core's handler for the end of the process. Creating options first installs the engine's handler. */
  private static void endAtExit() {
    long options = rocksdb_options_create();
    rocksdb_ffm_end_at_exit(options);
    rocksdb_options_destroy(options);
  }

  /**
   * Whether the C library is musl. rocksdbjni's environment variable overrides the detection. rocksdbjni would start a
   * process to detect the C library, only to name a library that is not loaded here.
   */
  public static boolean isMusl() {
    String said = MUSL_ENVIRONMENT$(null);
    return "true".equalsIgnoreCase(said) || !"false".equalsIgnoreCase(said) && NativeLibrary.isMusl();
  }

  /** Returns the locations of {@code org.rocksdb} on the class path. There should be only one. */
  static List<URL> copies(ClassLoader loader) {
    try {
      return Collections.list(loader.getResources("org/rocksdb/RocksDB.class"));
    } catch (IOException e) {
      return List.of();
    }
  }

  /** Returns rocksdbjni's copy of the environment variable, a static field. */
  private static native String MUSL_ENVIRONMENT$(Environment none);

  private static native long rocksdb_options_create();

  private static native void rocksdb_ffm_end_at_exit(long options);

  private static native void rocksdb_options_destroy(long options);

  static String warning(List<URL> copies) {
    return "org.rocksdb is on the class path "
        + copies.size()
        + " times, and which one is used depends on the order: remove rocksdbjni where rocksdb-ffm-compat is. Found: "
        + copies;
  }
}
