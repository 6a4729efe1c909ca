/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.foreign;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.lang.ref.Reference;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.function.Consumer;
import org.rocksdbffm.internal.options.table.OptionText;

/**
 * Reads and writes native memory by its address. Segments made here have no lifetime, so they never leave the
 * library; users get segments of {@link #view}, which live as long as their arena.
 */
public final class Memory {
  /** The whole address space, for copying from an address without making a segment for it. */
  private static final MemorySegment EVERYTHING = MemorySegment.NULL.reinterpret(Long.MAX_VALUE);

  /** The most bytes that are copied word by word. */
  public static final int FEW_BYTES = 63;

  private static final int MANY_BYTES = 16 << 10;
  private static final int FEW_BYTES_OF_BUFFER = 32;
  private static final VarHandle WORDS = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.nativeOrder());

  private static final ValueLayout.OfInt BIG_ENDIAN_INT =
      ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);
  private static final ValueLayout.OfLong BIG_ENDIAN_LONG =
      ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);

  private Memory() {}

  /** Allocates memory that the caller <em>owns</em> until {@link #free}; not zeroed. */
  public static MemorySegment allocate(long size) {
    long address = HotCalls.allocate(size);
    if (address == 0) {
      throw new OutOfMemoryError("no native memory for " + size + " bytes");
    }
    try {
      return MemorySegment.ofAddress(address).reinterpret(size);
    } catch (OutOfMemoryError e) {
      free(address);
      throw e;
    }
  }

  public static void free(MemorySegment memory) {
    free(memory.address());
  }

  public static void free(long address) {
    HotCalls.free(address);
  }

  /** Returns a segment of the bytes at an address, which the caller keeps valid. */
  public static MemorySegment at(long address, long size) {
    return EVERYTHING.asSlice(address, size);
  }

  public static long pointer(MemorySegment memory, long offset) {
    return memory.get(ValueLayout.JAVA_LONG, offset);
  }

  /** Reads a pointer from memory, to pass it to the engine. */
  public static MemorySegment pointee(MemorySegment memory, long offset) {
    return MemorySegment.ofAddress(pointer(memory, offset));
  }

  /** Returns a pointer for an address. */
  public static MemorySegment atAddress(long address) {
    return MemorySegment.ofAddress(address);
  }

  /** Writes the address as a long: faster at JVM start than a pointer layout. */
  public static void point(MemorySegment memory, long offset, MemorySegment target) {
    memory.set(ValueLayout.JAVA_LONG, offset, target.address());
  }

  public static byte byteAt(long address) {
    return EVERYTHING.get(ValueLayout.JAVA_BYTE, address);
  }

  /** Big-endian, so that unsigned numbers compare as keys do that are sorted as unsigned bytes. */
  public static int bigEndianIntAt(long address) {
    return EVERYTHING.get(BIG_ENDIAN_INT, address);
  }

  public static long bigEndianLongAt(long address) {
    return EVERYTHING.get(BIG_ENDIAN_LONG, address);
  }

  public static boolean isSame(long a, long aSize, long b, long bSize) {
    return aSize == bSize && MemorySegment.mismatch(EVERYTHING, a, a + aSize, EVERYTHING, b, b + bSize) < 0;
  }

  public static long longAt(long address) {
    return EVERYTHING.get(ValueLayout.JAVA_LONG, address);
  }

  public static void longTo(long address, long value) {
    EVERYTHING.set(ValueLayout.JAVA_LONG, address, value);
  }

  public static void byteTo(long address, byte value) {
    EVERYTHING.set(ValueLayout.JAVA_BYTE, address, value);
  }

  public static byte[] toArray(long address, long size) {
    byte[] bytes = new byte[arrayLength(size)];
    copy(address, bytes, 0, bytes.length);
    return bytes;
  }

  // A few bytes are copied word by word; the last word may overlap the one before. For more the JVM calls a stub,
  // which costs more than a short copy. Temporary segments would not always be optimized away.

  public static void copy(long address, byte[] target, int offset, int length) {
    if (length >= MANY_BYTES) {
      LargeCopy.copy(address, target, offset, length);
    } else if (length > FEW_BYTES) {
      MemorySegment.copy(EVERYTHING, ValueLayout.JAVA_BYTE, address, target, offset, length);
    } else if (length >= Long.BYTES) {
      int last = length - Long.BYTES;
      for (int i = 0; i < last; i += Long.BYTES) {
        WORDS.set(target, offset + i, wordAt(address + i));
      }
      WORDS.set(target, offset + last, wordAt(address + last));
    } else {
      for (int i = 0; i < length; i++) {
        target[offset + i] = byteAt(address + i);
      }
    }
  }

  /** Returns eight bytes of an array, in native byte order. */
  public static long word(byte[] source, int offset) {
    return (long) WORDS.get(source, offset);
  }

  /** Copies to the start of a direct buffer in native byte order, which has enough room. */
  public static void copyToStart(byte[] source, int offset, int length, ByteBuffer target) {
    if (length > FEW_BYTES) {
      target.put(0, source, offset, length);
    } else if (length >= Long.BYTES) {
      int last = length - Long.BYTES;
      for (int i = 0; ; i = Math.min(i + Long.BYTES, last)) { // one putLong in the loop means less code to compile
        target.putLong(i, (long) WORDS.get(source, offset + i));
        if (i == last) {
          return;
        }
      }
    } else {
      for (int i = 0; i < length; i++) {
        target.put(i, source[offset + i]);
      }
    }
  }

  /** Copies {@code length} bytes from the start of a direct buffer in native byte order. */
  public static void copyFromStart(ByteBuffer source, byte[] target, int offset, int length) {
    if (length > FEW_BYTES) {
      source.get(0, target, offset, length);
    } else if (length >= Long.BYTES) {
      int last = length - Long.BYTES;
      for (int i = 0; ; i = Math.min(i + Long.BYTES, last)) {
        WORDS.set(target, offset + i, source.getLong(i));
        if (i == last) {
          return;
        }
      }
    } else {
      for (int i = 0; i < length; i++) {
        target[offset + i] = source.get(i);
      }
    }
  }

  /** Copies to native memory that has enough room. */
  public static void copy(byte[] source, int offset, int length, long target) {
    copy(source, offset, length, EVERYTHING, target);
  }

  public static void copy(byte[] source, int offset, int length, MemorySegment target, long place) {
    if (length > FEW_BYTES) {
      MemorySegment.copy(source, offset, target, ValueLayout.JAVA_BYTE, place, length);
    } else if (length >= Long.BYTES) {
      int last = length - Long.BYTES;
      for (int i = 0; i < last; i += Long.BYTES) {
        target.set(ValueLayout.JAVA_LONG_UNALIGNED, place + i, (long) WORDS.get(source, offset + i));
      }
      target.set(ValueLayout.JAVA_LONG_UNALIGNED, place + last, (long) WORDS.get(source, offset + last));
    } else {
      for (int i = 0; i < length; i++) {
        target.set(ValueLayout.JAVA_BYTE, place + i, source[offset + i]);
      }
    }
  }

  /** The word view of buffers; a separate class, because few programs need it at start. */
  private static final class OfBuffers {
    static final VarHandle WORDS = MethodHandles.byteBufferViewVarHandle(long[].class, ByteOrder.nativeOrder());
  }

  /** Copies to a buffer at its position, without moving the position. */
  public static void copy(byte[] source, int offset, int length, ByteBuffer target) {
    int place = target.position();
    if (length < Long.BYTES || length > FEW_BYTES_OF_BUFFER) {
      target.put(place, source, offset, length);
      return;
    }
    int last = length - Long.BYTES;
    for (int i = 0; i < last; i += Long.BYTES) {
      OfBuffers.WORDS.set(target, place + i, (long) WORDS.get(source, offset + i));
    }
    OfBuffers.WORDS.set(target, place + last, (long) WORDS.get(source, offset + last));
  }

  /**
   * Mapped and read-only targets are copied by the JVM, which survives a truncated file and refuses to write
   * read-only memory.
   */
  public static void copy(long address, long size, MemorySegment target) {
    if (size >= MANY_BYTES && target.isNative() && !target.isMapped() && !target.isReadOnly()) {
      LargeCopy.copy(address, target, size);
    } else {
      MemorySegment.copy(EVERYTHING, address, target, 0, size);
    }
  }

  /**
   * Copies by the JVM to memory of any kind. If a mapped file was truncated below its mapping, this throws
   * InternalError.
   */
  public static void copyByJvm(long address, long size, MemorySegment target) {
    MemorySegment.copy(EVERYTHING, address, target, 0, size);
  }

  /** Copies to writable memory, which must not overlap the source. */
  public static void copy(long address, long size, long target) {
    if (size > FEW_BYTES) {
      MemorySegment.copy(EVERYTHING, address, EVERYTHING, target, size);
    } else if (size >= Long.BYTES) {
      long last = size - Long.BYTES;
      for (long i = 0; i < last; i += Long.BYTES) {
        copyWord(address + i, target + i);
      }
      copyWord(address + last, target + last);
    } else {
      for (long i = 0; i < size; i++) {
        byteTo(target + i, byteAt(address + i));
      }
    }
  }

  private static void copyWord(long address, long target) {
    EVERYTHING.set(ValueLayout.JAVA_LONG_UNALIGNED, target, wordAt(address));
  }

  private static long wordAt(long address) {
    return EVERYTHING.get(ValueLayout.JAVA_LONG_UNALIGNED, address);
  }

  /** Decodes the C string at an address. */
  public static String string(long address) {
    return EVERYTHING.getString(address);
  }

  /** Returns whether the C string at an address starts with an ASCII text. */
  public static boolean startsWith(long address, String text) {
    for (int i = 0; i < text.length(); i++) {
      if (EVERYTHING.get(ValueLayout.JAVA_BYTE, address + i) != text.charAt(i)) {
        return false;
      }
    }
    return true;
  }

  /**
   * Allocates a C string. Refuses a NUL, which would end it early, and half a surrogate pair, which would become "?".
   */
  public static MemorySegment string(String text, Arena arena) {
    if (text.indexOf('\0') >= 0) {
      throw new IllegalArgumentException(
          "'" + text.replace("\0", "\\0") + "' has a NUL character, where a name or value ends");
    }
    if (!OptionText.isWellFormed(text)) {
      throw new IllegalArgumentException("'" + text + "' has half of a surrogate pair, which UTF-8 cannot express");
    }
    return string(text.getBytes(StandardCharsets.UTF_8), arena);
  }

  /** Allocates a C string of bytes that contain no NUL. */
  public static MemorySegment string(byte[] bytes, Arena arena) {
    MemorySegment copy = arena.allocate(bytes.length + 1L); // zeroed, so it ends with a NUL
    copy(bytes, 0, bytes.length, copy, 0);
    return copy;
  }

  /** Allocates an array of pointers to C strings. */
  public static MemorySegment strings(Collection<String> texts, Arena arena) {
    List<MemorySegment> targets = new ArrayList<>();
    for (String text : texts) {
      targets.add(string(text, arena));
    }
    return pointers(targets, arena);
  }

  /** Allocates an array of pointers, which has a valid address even if it is empty. */
  public static MemorySegment pointers(List<MemorySegment> targets, Arena arena) {
    MemorySegment pointers = arena.allocate(ValueLayout.JAVA_LONG, Math.max(1, targets.size()));
    for (int i = 0; i < targets.size(); i++) {
      point(pointers, (long) i * Long.BYTES, targets.get(i));
    }
    return pointers;
  }

  /** Decodes the C strings of an array of pointers. */
  public static List<String> strings(long array, long count) {
    List<String> strings = new ArrayList<>();
    for (long i = 0; i < count; i++) {
      strings.add(string(longAt(array + i * Long.BYTES)));
    }
    return strings;
  }

  private static int arrayLength(long size) {
    if (size > Integer.MAX_VALUE - 8) {
      throw new OutOfMemoryError("a value of " + size + " bytes does not fit into an array: read it pinned");
    }
    return (int) size;
  }

  /**
   * Returns a read-only segment of memory that stays valid at least until the arena is closed. Separate from the
   * other {@code view}, so that the compiler sees only one allocation and can remove it.
   */
  public static MemorySegment view(long address, long size, Arena arena) {
    return MemorySegment.ofAddress(address).reinterpret(size, arena, null).asReadOnly();
  }

  /** Returns an engine object that is destroyed when the arena is closed, the last one first. */
  public static MemorySegment until(Arena arena, Consumer<MemorySegment> destroy, MemorySegment object) {
    return object.reinterpret(arena, destroy);
  }

  /** Keeps collected memory reachable until an arena is closed, for views with the arena's lifetime. */
  public static void keep(MemorySegment memory, Arena arena) {
    memory.reinterpret(arena, ignored -> Reference.reachabilityFence(memory));
  }

  /**
   * Whether all segments of an arena reference one scope object: then no thread can read them once the scope is
   * unreachable.
   */
  public static boolean segmentsHoldScope() {
    try (Arena arena = Arena.ofConfined()) {
      return view(0, 0, arena).scope() == arena.scope();
    }
  }

  /** Returns a read-only segment of memory that {@code cleanup} releases when the arena is closed or collected. */
  public static MemorySegment view(long address, long size, Arena arena, Runnable cleanup) {
    return MemorySegment.ofAddress(address).reinterpret(size, arena, ignored -> cleanup.run()).asReadOnly();
  }

  /** Returns an exception with the parameter's name, for the JDK's exception about an inaccessible segment. */
  public static RuntimeException inaccessible(String parameter, RuntimeException thrown) {
    return thrown instanceof WrongThreadException
        ? new WrongThreadException(parameter + ": the segment is confined to another thread", thrown)
        : new IllegalStateException(parameter + ": the segment's arena is closed", thrown);
  }
}
