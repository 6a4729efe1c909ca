/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.util.Objects;
import org.rocksdbffm.internal.c.RocksDbC;

/**
 * The few functions that are linked without a transition of the thread's state: each only reads a word or two, or
 * copies no more than a thread may do without the collector, never blocks and never calls back. A thread in such a
 * function holds up the garbage collector, so whatever may read a file, wait for a lock or run a user's code does not
 * belong here.
 */
final class Critical {
  private static final MethodHandle LATEST_SEQUENCE_NUMBER =
      link(
          RocksDbC.rocksdb_get_latest_sequence_number$address(),
          RocksDbC.rocksdb_get_latest_sequence_number$descriptor());
  private static final MethodHandle SNAPSHOT_SEQUENCE_NUMBER =
      link(
          RocksDbC.rocksdb_snapshot_get_sequence_number$address(),
          RocksDbC.rocksdb_snapshot_get_sequence_number$descriptor());

  private static final MethodHandle STACK_LEFT =
      link(RocksDbC.rocksdb_ffm_stack_left$address(), RocksDbC.rocksdb_ffm_stack_left$descriptor());

  private Critical() {}

  static long stackLeft() {
    try {
      return (long) STACK_LEFT.invokeExact();
    } catch (Error | RuntimeException e) {
      throw e;
    } catch (Throwable e) {
      throw new AssertionError(e);
    }
  }

  private static MethodHandle link(MemorySegment address, FunctionDescriptor descriptor) {
    return Linker.nativeLinker().downcallHandle(address, descriptor, Linker.Option.critical(false));
  }

  static long latestSequenceNumber(MemorySegment db) {
    try {
      return (long) LATEST_SEQUENCE_NUMBER.invokeExact(db);
    } catch (Error | RuntimeException e) {
      throw e;
    } catch (Throwable e) {
      throw new AssertionError(e);
    }
  }

  static long snapshotSequenceNumber(MemorySegment snapshot) {
    try {
      return (long) SNAPSHOT_SEQUENCE_NUMBER.invokeExact(snapshot);
    } catch (Error | RuntimeException e) {
      throw e;
    } catch (Throwable e) {
      throw new AssertionError(e);
    }
  }

  /** Copies a lot of bytes to a part of an array. */
  static void copy(long address, byte[] target, int offset, int length) {
    Objects.checkFromIndexSize(offset, length, target.length);
    for (int done = 0; done < length; done += LargeCopy.MOST_AT_ONCE) {
      LargeCopy.copy(address + done, target, offset + done, Math.min(LargeCopy.MOST_AT_ONCE, length - done));
    }
  }

  /** C's own copying, which is faster than the JVM's for a lot of bytes; linked when there are some. */
  private static final class LargeCopy {
    /** So that the collector waits for some tens of microseconds at most. */
    private static final int MOST_AT_ONCE = 1 << 20;

    private static final MethodHandle MEMCPY =
        Linker.nativeLinker()
            .downcallHandle(
                Linker.nativeLinker().defaultLookup().findOrThrow("memcpy"),
                FunctionDescriptor.ofVoid(ValueLayout.ADDRESS, ValueLayout.JAVA_LONG, ValueLayout.JAVA_LONG),
                Linker.Option.critical(true));

    private LargeCopy() {}

    private static void copy(long address, byte[] target, int offset, int length) {
      MemorySegment array = MemorySegment.ofArray(target);
      MemorySegment part = offset == 0 ? array : array.asSlice(offset);
      try {
        MEMCPY.invokeExact(part, address, (long) length);
      } catch (Error | RuntimeException e) {
        throw e;
      } catch (Throwable e) {
        throw new AssertionError(e);
      }
    }
  }
}
