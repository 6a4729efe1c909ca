/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal;

import java.lang.foreign.AddressLayout;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import org.rocksdbffm.internal.c.RocksDbC;

/**
 * The functions that programs call most, linked again so that a pointer is a number. For memory that the caller keeps
 * alive itself: the linker looks at three objects for each segment that it is given, which by then are in no near cache.
 */
final class Addressed {
  private Addressed() {}

  private static MethodHandle link(MemorySegment address, FunctionDescriptor descriptor) {
    MemoryLayout[] numbers =
        descriptor.argumentLayouts().stream().map(Addressed::number).toArray(MemoryLayout[]::new);
    return Linker.nativeLinker()
        .downcallHandle(
            address,
            descriptor
                .returnLayout()
                .map(result -> FunctionDescriptor.of(result, numbers))
                .orElseGet(() -> FunctionDescriptor.ofVoid(numbers)));
  }

  private static MemoryLayout number(MemoryLayout layout) {
    return layout instanceof AddressLayout ? ValueLayout.JAVA_LONG : layout;
  }

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

  /** See {@link RocksDbC#rocksdb_pinnableslice_destroy}. */
  static void release(long pin) {
    try {
      Release.HANDLE.invokeExact(pin);
    } catch (Throwable e) {
      throw rethrown(e);
    }
  }

  // Each in a class of its own, so that a program links what it calls.

  private static final class Get {
    static final MethodHandle HANDLE =
        link(RocksDbC.rocksdb_ffm_get$address(), RocksDbC.rocksdb_ffm_get$descriptor());
  }

  private static final class Scan {
    static final MethodHandle HANDLE =
        link(RocksDbC.rocksdb_ffm_scan$address(), RocksDbC.rocksdb_ffm_scan$descriptor());
  }

  private static final class Release {
    static final MethodHandle HANDLE =
        link(RocksDbC.rocksdb_pinnableslice_destroy$address(), RocksDbC.rocksdb_pinnableslice_destroy$descriptor());
  }
}
