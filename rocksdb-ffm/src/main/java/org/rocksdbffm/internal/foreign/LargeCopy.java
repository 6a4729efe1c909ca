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
 * Copies between arrays and native memory with {@code memcpy}, which is faster than the JVM for many bytes. As in
 * {@link Critical}, the thread delays the garbage collector, so a call copies only a limited size.
 */
public final class LargeCopy {
  /** The maximum number of bytes of one call, so that the collector waits some tens of microseconds at most. */
  public static final int MOST_AT_ONCE = 1 << 20;

  private LargeCopy() {}

  /** Creates a write batch from its serialized form, of {@link #MOST_AT_ONCE} bytes at most; the caller owns it. */
  public static MemorySegment batch(byte[] bytes, int size) {
    Objects.checkFromIndexSize(0, size, Math.min(bytes.length, MOST_AT_ONCE));
    try {
      return Memory.atAddress((long) Batch.HANDLE.invokeExact(EngineTable.TABLE, MemorySegment.ofArray(bytes), (long) size));
    } catch (Throwable e) {
      throw Downcalls.rethrown(e);
    }
  }

  /** Copies many bytes to a part of an array. */
  static void copy(long address, byte[] target, int offset, int length) {
    Objects.checkFromIndexSize(offset, length, target.length);
    MemorySegment array = MemorySegment.ofArray(target);
    copy(address, offset == 0 ? array : array.asSlice(offset), length);
  }

  /** Copies many bytes to memory that is writable, and stays mapped and valid during the copy. */
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

  /** Holder of the handle that creates batches. */
  static final class Batch {
    static final MethodHandle HANDLE =
        Linking.downcall(
                NativeLibrary.find("rocksdb_ffm_batch"),
                FunctionDescriptor.of(
                    ValueLayout.JAVA_LONG, ValueLayout.ADDRESS, ValueLayout.ADDRESS, ValueLayout.JAVA_LONG),
                Linker.Option.critical(true));

    private Batch() {}
  }

  /** Holder of the handle of {@code memcpy}. */
  static final class Copy {
    static final MethodHandle HANDLE =
        Linking.downcall(
                NativeLibrary.find("memcpy"), // the engine's library depends on the C library
                FunctionDescriptor.ofVoid(ValueLayout.ADDRESS, ValueLayout.JAVA_LONG, ValueLayout.JAVA_LONG),
                Linker.Option.critical(true));

    private Copy() {}
  }
}
