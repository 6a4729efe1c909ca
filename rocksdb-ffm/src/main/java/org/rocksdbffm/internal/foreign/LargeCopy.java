/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.foreign;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.util.Objects;
import org.rocksdbffm.internal.loader.Linking;
import org.rocksdbffm.internal.loader.NativeLibrary;

/**
 * Copies between arrays and native memory by C, which is faster than the JVM for a lot of bytes. As in {@link Critical}
 * the thread holds up the garbage collector, so no more is copied at once than a thread may do without it.
 */
public final class LargeCopy {
  /** How much is copied at once, so that the collector waits for some tens of microseconds at most. */
  public static final int MOST_AT_ONCE = 1 << 20;

  private LargeCopy() {}

  /** Makes a batch of its serialized form, of {@link #MOST_AT_ONCE} bytes at most; the caller owns it. */
  public static MemorySegment batch(byte[] bytes, int size) {
    Objects.checkFromIndexSize(0, size, Math.min(bytes.length, MOST_AT_ONCE));
    try {
      return Memory.atAddress((long) Batch.HANDLE.invokeExact(EngineTable.TABLE, MemorySegment.ofArray(bytes), (long) size));
    } catch (Throwable e) {
      throw Downcalls.rethrown(e);
    }
  }

  /** Copies a lot of bytes to a part of an array. */
  static void copy(long address, byte[] target, int offset, int length) {
    Objects.checkFromIndexSize(offset, length, target.length);
    MemorySegment array = MemorySegment.ofArray(target);
    copy(address, offset == 0 ? array : array.asSlice(offset), length);
  }

  /** Copies a lot of bytes to memory that may be written to, and that neither ends nor shrinks before it is done. */
  static void copy(long address, MemorySegment target, long size) {
    Objects.checkFromIndexSize(0, size, target.byteSize());
    copyPart(address, target, Math.min(MOST_AT_ONCE, size));
    for (long done = MOST_AT_ONCE; done < size; done += MOST_AT_ONCE) {
      copyPart(address + done, target.asSlice(done), Math.min(MOST_AT_ONCE, size - done));
    }
  }

  private static void copyPart(long address, MemorySegment target, long size) {
    try {
      Copy.HANDLE.invokeExact(target, address, size);
    } catch (Throwable e) {
      throw Downcalls.rethrown(e);
    }
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

  /** The handle of {@code memcpy}. */
  static final class Copy {
    static final MethodHandle HANDLE =
        Linking.downcall(
                Linker.nativeLinker().defaultLookup().findOrThrow("memcpy"),
                FunctionDescriptor.ofVoid(ValueLayout.ADDRESS, ValueLayout.JAVA_LONG, ValueLayout.JAVA_LONG),
                Linker.Option.critical(true));

    private Copy() {}
  }
}
