/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal;

import static java.lang.invoke.MethodType.methodType;

import java.lang.invoke.MethodHandle;
import org.rocksdbffm.internal.c.RocksDbC;

/**
 * The functions that programs call most, linked so that a pointer is a number. For memory that the caller keeps alive
 * itself: the linker looks at three objects for each segment that it is given, which by then are in no near cache.
 */
final class Addressed {
  private Addressed() {}

  private static RuntimeException rethrown(Throwable thrown) {
    if (thrown instanceof Error error) {
      throw error;
    }
    if (thrown instanceof RuntimeException exception) {
      throw exception;
    }
    throw new AssertionError(thrown);
  }

  /** See {@link RocksDbC#rocksdb_ffm_get}. */
  static int get(long reader, long key, long keySize, long buffer, long capacity, long value) {
    try {
      return (int) Get.HANDLE.invokeExact(reader, key, keySize, buffer, capacity, value);
    } catch (Throwable e) {
      throw rethrown(e);
    }
  }

  /** See {@link RocksDbC#rocksdb_ffm_scan}. */
  static long scan(long cursor, int move, long target, long targetSize, long rowLimit, int backward) {
    try {
      return (long) Scan.HANDLE.invokeExact(cursor, move, target, targetSize, rowLimit, backward);
    } catch (Throwable e) {
      throw rethrown(e);
    }
  }

  /** Lets go of what a get has pinned. */
  static void release(long pin) {
    try {
      Release.HANDLE.invokeExact(pin);
    } catch (Throwable e) {
      throw rethrown(e);
    }
  }

  // Each in a class of its own, so that a program links what it calls. By name, because to ask the bindings for the
  // address is to link the function there as well, which every program would wait for at its first get.

  /** A get's handle. */
  static final class Get {
    static final MethodHandle HANDLE =
        Downcalls.link(
            "rocksdb_ffm_get",
            methodType(int.class, long.class, long.class, long.class, long.class, long.class, long.class));

    private Get() {}
  }

  /** The handle of a step of a scan. */
  static final class Scan {
    static final MethodHandle HANDLE =
        Downcalls.link(
            "rocksdb_ffm_scan",
            methodType(long.class, long.class, int.class, long.class, long.class, long.class, int.class));

    private Scan() {}
  }

  /** A release's handle. */
  static final class Release {
    static final MethodHandle HANDLE =
        Downcalls.link("rocksdb_pinnableslice_destroy", methodType(void.class, long.class));

    private Release() {}
  }
}
