/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.compat.jni;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Locale;
import org.rocksdbffm.internal.foreign.Memory;

/** The variadic arguments of a C function, a {@code va_list}, whose layout depends on the platform. */
public sealed interface JniArguments {
  /** Returns the next argument that is not a floating-point number, widened to a long. */
  long nextWord();

  double nextDouble();

  /** Reads a {@code va_list} in the layout of this platform. */
  static JniArguments at(long list) {
    return of(list, System.getProperty("os.name"), System.getProperty("os.arch"));
  }

  static JniArguments of(long list, String system, String machine) {
    boolean mac = system.toLowerCase(Locale.ROOT).startsWith("mac");
    return switch (machine) {
      case "amd64", "x86_64" -> new SystemV(Memory.at(list, 24));
      case "aarch64" -> mac ? new Slots(list) : new Aapcs(Memory.at(list, 32));
      case "s390x" -> new S390(Memory.at(list, 32));
      case "ppc64le", "riscv64" -> new Slots(list);
      default -> throw new UnsupportedOperationException(
          "no calling convention is listed for variadic functions on " + machine);
    };
  }

  private static long word(long address) {
    return Memory.pointer(Memory.at(address, Long.BYTES), 0);
  }

  /** A layout with all arguments in consecutive words. */
  final class Slots implements JniArguments {
    private long next;

    private Slots(long next) {
      this.next = next;
    }

    @Override
    public long nextWord() {
      long address = next;
      next += Long.BYTES;
      return word(address);
    }

    @Override
    public double nextDouble() {
      return Double.longBitsToDouble(nextWord());
    }
  }

  /** Returns the offset of the next argument in the saved registers, and advances it; -1 if they are used up. */
  private static long takeOffset(MemorySegment list, long field, int end, int step) {
    int offset = list.get(ValueLayout.JAVA_INT, field);
    if (offset >= end) {
      return -1;
    }
    list.set(ValueLayout.JAVA_INT, field, offset + step);
    return Integer.toUnsignedLong(offset);
  }

  private static long takeFromMemory(MemorySegment list, long field) {
    long address = Memory.pointer(list, field);
    list.set(ValueLayout.JAVA_LONG, field, address + Long.BYTES);
    return word(address);
  }

  /** x86-64: two offsets into the saved registers, the address of stack arguments, the address of saved registers. */
  record SystemV(MemorySegment list) implements JniArguments {
    @Override
    public long nextWord() {
      return next(0, 48, 8);
    }

    @Override
    public double nextDouble() {
      return Double.longBitsToDouble(next(4, 176, 16));
    }

    private long next(long field, int end, int step) {
      long offset = takeOffset(list, field, end, step);
      return offset < 0 ? takeFromMemory(list, 8) : word(Memory.pointer(list, 16) + offset);
    }
  }

  /**
   * AArch64: the address of stack arguments, the ends of the saved registers, and two negative offsets from these ends.
   */
  record Aapcs(MemorySegment list) implements JniArguments {
    @Override
    public long nextWord() {
      return next(24, 8, 8);
    }

    @Override
    public double nextDouble() {
      return Double.longBitsToDouble(next(28, 16, 16));
    }

    private long next(long field, long saved, int step) {
      int offset = list.get(ValueLayout.JAVA_INT, field);
      if (offset >= 0) {
        return takeFromMemory(list, 0);
      }
      list.set(ValueLayout.JAVA_INT, field, offset + step);
      return word(Memory.pointer(list, saved) + offset);
    }
  }

  /** s390x: the numbers of used registers, the address of stack arguments, the address of saved registers. */
  record S390(MemorySegment list) implements JniArguments {
    @Override
    public long nextWord() {
      return next(0, 5, 16);
    }

    @Override
    public double nextDouble() {
      return Double.longBitsToDouble(next(8, 4, 128));
    }

    private long next(long field, int registers, int first) {
      long used = Memory.pointer(list, field);
      if (used >= registers) {
        return takeFromMemory(list, 16);
      }
      list.set(ValueLayout.JAVA_LONG, field, used + 1);
      return word(Memory.pointer(list, 24) + first + used * Long.BYTES);
    }
  }
}
