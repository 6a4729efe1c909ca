/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.loader;

import java.io.File;
import java.io.FileInputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * Checks that file descriptors and heap are free before classes of the JDK or this library are initialized. Failures
 * would last until the process ends: the JVM never retries a failed initializer, the JDK keeps an empty symbol lookup
 * if it could not open its library, and a class loader drops a jar that it could not open.
 */
public final class Spare {
  private static final int DESCRIPTORS = 16;
  private static final int MOST_JARS = 64;
  private static final int CHUNKS = 16;
  private static final int CHUNK = 64 << 10;
  private static final String DEVICE = "/dev/null";

  private Spare() {}

  /** Throws if too few descriptors, including one for each jar of the class path, or too little heap is free. */
  public static void require() {
    int wanted = DESCRIPTORS + Math.min(MOST_JARS, System.getProperty("java.class.path", "").split(File.pathSeparator).length);
    int free = free(wanted);
    if (free < wanted) {
      throw new NativeLibraryError(
          ("Too many open files: the first use of RocksDB needs %d file descriptors, and %d are free. Close files, or raise"
                  + " the limit (ulimit -n); the next use tries again.")
              .formatted(wanted, free));
    }
    requireHeap();
  }

  /** Throws if the heap has no room for the classes of a first use. */
  public static void requireHeap() {
    byte[][] room = new byte[CHUNKS][];
    for (int i = 0; i < CHUNKS; i++) {
      room[i] = new byte[CHUNK];
    }
  }

  /** Whether enough descriptors and heap are free for a first use; does not throw. */
  static boolean isThere() {
    try {
      requireHeap();
      return free(DESCRIPTORS) == DESCRIPTORS;
    } catch (OutOfMemoryError full) {
      return false;
    }
  }

  private static int free(int most) {
    List<FileInputStream> open = new ArrayList<>(most);
    try {
      while (open.size() < most) {
        open.add(new FileInputStream(DEVICE));
      }
    } catch (IOException none) {
      return new File(DEVICE).canRead() ? open.size() : most; // without the device, the number is unknown
    } finally {
      for (FileInputStream file : open) {
        close(file);
      }
    }
    return most;
  }

  private static void close(FileInputStream file) {
    try {
      file.close();
    } catch (IOException e) {
      throw new AssertionError(e); // nothing was written
    }
  }
}
