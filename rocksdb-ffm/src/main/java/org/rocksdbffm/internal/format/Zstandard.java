/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.format;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import org.rocksdbffm.internal.format.Fields.Unreadable;
import org.rocksdbffm.internal.loader.Linking;
import org.rocksdbffm.internal.loader.NativeLibrary;

/** Decompresses with the Zstandard library that is linked into the engine. */
final class Zstandard {
  /** The first bytes of a frame. */
  static final int MAGIC = 0xFD2FB528;

  private static final int MOST_DOUBLINGS = 15; // a block that repeats one byte expands most
  private static final String SIZE = "ZSTD_getFrameContentSize";
  private static final String DECOMPRESS = "ZSTD_decompress";

  private final MethodHandle size;
  private final MethodHandle decompress;

  /** Throws if the engine's library does not export the functions. */
  Zstandard() {
    if (!NativeLibrary.has(SIZE) || !NativeLibrary.has(DECOMPRESS)) {
      throw new Unreadable("it is compressed");
    }
    ValueLayout pointer = ValueLayout.ADDRESS;
    ValueLayout number = ValueLayout.JAVA_LONG;
    size = Linking.downcall(NativeLibrary.find(SIZE), FunctionDescriptor.of(number, pointer, number));
    decompress = Linking.downcall(
        NativeLibrary.find(DECOMPRESS), FunctionDescriptor.of(number, pointer, number, pointer, number));
  }

  /** Decompresses a frame, which must contain its content size. */
  byte[] content(byte[] bytes, int from, int length) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment frame = arena.allocate(length);
      MemorySegment.copy(bytes, from, frame, ValueLayout.JAVA_BYTE, 0, length);
      long wanted = (long) size.invokeExact(frame, (long) length);
      if (wanted < 0 || wanted > Math.min(Integer.MAX_VALUE, (long) length << MOST_DOUBLINGS)) {
        throw new Unreadable("a compressed record does not say how large it is");
      }
      MemorySegment content = arena.allocate(wanted);
      long written = (long) decompress.invokeExact(content, wanted, frame, (long) length);
      if (written != wanted) {
        throw new Unreadable("a compressed record is damaged");
      }
      return content.toArray(ValueLayout.JAVA_BYTE);
    } catch (RuntimeException | Error e) {
      throw e;
    } catch (Throwable e) {
      throw new AssertionError(e); // C functions throw nothing
    }
  }
}
