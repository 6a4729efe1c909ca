/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.foreign;

import static java.lang.invoke.MethodType.methodType;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodType;
import java.util.Objects;
import org.rocksdbffm.internal.loader.Linking;
import org.rocksdbffm.internal.loader.NativeLibrary;

/**
 * The few functions that are linked without a transition of the thread's state: each only reads a word or two, or
 * copies no more than a thread may do without the collector, never blocks and never calls back. A thread in such a
 * function holds up the garbage collector, so whatever may read a file, wait for a lock or run a user's code does not
 * belong here.
 */
public final class Critical {
  /** How much is copied at once, so that the collector waits for some tens of microseconds at most. */
  public static final int MOST_AT_ONCE = 1 << 20;

  private Critical() {}

  static long stackLeft() {
    try {
      return (long) StackLeft.HANDLE.invokeExact();
    } catch (Throwable e) {
      throw HotCalls.rethrown(e);
    }
  }

  public static long latestSequenceNumber(long db) {
    try {
      return (long) LatestSequenceNumber.HANDLE.invokeExact(db);
    } catch (Throwable e) {
      throw HotCalls.rethrown(e);
    }
  }

  public static long snapshotSequenceNumber(long snapshot) {
    try {
      return (long) SnapshotSequenceNumber.HANDLE.invokeExact(snapshot);
    } catch (Throwable e) {
      throw HotCalls.rethrown(e);
    }
  }

  /** Makes a batch of its serialized form, of {@link #MOST_AT_ONCE} bytes at most; the caller owns it. */
  public static MemorySegment batch(byte[] bytes, int size) {
    Objects.checkFromIndexSize(0, size, Math.min(bytes.length, MOST_AT_ONCE));
    try {
      return Memory.atAddress((long) Batch.HANDLE.invokeExact(EngineTable.TABLE, MemorySegment.ofArray(bytes), (long) size));
    } catch (Throwable e) {
      throw HotCalls.rethrown(e);
    }
  }

  private static MethodHandle link(String symbol, MethodType type) {
    return Downcalls.link(symbol, type, Linker.Option.critical(false));
  }

  /** The handle that makes batches. */
  static final class Batch {
    static final MethodHandle HANDLE =
        Linking.downcall(
                NativeLibrary.find("rocksdb_ffm_batch"),
                FunctionDescriptor.of(
                    ValueLayout.JAVA_LONG, ValueLayout.ADDRESS, ValueLayout.ADDRESS, ValueLayout.JAVA_LONG),
                Linker.Option.critical(true));

    private Batch() {}
  }

  /** The handle for what is left of the stack. */
  static final class StackLeft {
    static final MethodHandle HANDLE = link("rocksdb_ffm_stack_left", methodType(long.class));

    private StackLeft() {}
  }

  /** The handle for the number of a database's last write. */
  static final class LatestSequenceNumber {
    static final MethodHandle HANDLE =
        link("rocksdb_get_latest_sequence_number", methodType(long.class, long.class));

    private LatestSequenceNumber() {}
  }

  /** The handle for the number of the last write that a snapshot sees. */
  static final class SnapshotSequenceNumber {
    static final MethodHandle HANDLE =
        link("rocksdb_snapshot_get_sequence_number", methodType(long.class, long.class));

    private SnapshotSequenceNumber() {}
  }

  /** Copies a lot of bytes to a part of an array. */
  static void copy(long address, byte[] target, int offset, int length) {
    Objects.checkFromIndexSize(offset, length, target.length);
    MemorySegment array = MemorySegment.ofArray(target);
    copy(address, offset == 0 ? array : array.asSlice(offset), length);
  }

  /** Copies a lot of bytes to memory that may be written to, and does not end or shrink meanwhile. */
  static void copy(long address, MemorySegment target, long size) {
    Objects.checkFromIndexSize(0, size, target.byteSize());
    LargeCopy.copy(address, target, Math.min(MOST_AT_ONCE, size));
    for (long done = MOST_AT_ONCE; done < size; done += MOST_AT_ONCE) {
      LargeCopy.copy(address + done, target.asSlice(done), Math.min(MOST_AT_ONCE, size - done));
    }
  }

  /** C's own copying, which is faster than the JVM's for a lot of bytes; linked when there are some. */
  private static final class LargeCopy {
    private static final MethodHandle MEMCPY =
        Linking.downcall(
                Linker.nativeLinker().defaultLookup().findOrThrow("memcpy"),
                FunctionDescriptor.ofVoid(ValueLayout.ADDRESS, ValueLayout.JAVA_LONG, ValueLayout.JAVA_LONG),
                Linker.Option.critical(true));

    private LargeCopy() {}

    private static void copy(long address, MemorySegment target, long size) {
      try {
        MEMCPY.invokeExact(target, address, size);
      } catch (Throwable e) {
        throw HotCalls.rethrown(e);
      }
    }
  }
}
