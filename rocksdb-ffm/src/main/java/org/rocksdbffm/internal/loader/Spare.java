/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.loader;

import java.io.File;
import java.io.FileInputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * Checks that file descriptors and heap are free before the JDK or a class is initialized. The JVM never retries an
 * initializer that failed, the JDK keeps an empty lookup where it could not open its library, and a class loader drops
 * a jar that it could not open: the process would do without them until it ends.
 */
public final class Spare {
  private static final int DESCRIPTORS = 16;
  private static final int MOST_JARS = 64;
  private static final int CHUNKS = 16;
  private static final int CHUNK = 64 << 10;
  private static final String DEVICE = "/dev/null";

  private Spare() {}

  /** Throws if too few descriptors are free, each jar of the class path included, or too little heap. */
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

  /** Whether there is room for what is first used now; for callers that do without it. */
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
      return new File(DEVICE).canRead() ? open.size() : most; // without the device nothing is known
    } finally {
      open.forEach(Spare::close);
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
