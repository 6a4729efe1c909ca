/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.compat.jni;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Variadic arguments, in the layouts of each platform's calling convention. */
class JniArgumentsTest {
  private final Arena arena = Arena.ofConfined();

  @AfterEach
  void close() {
    arena.close();
  }

  private MemorySegment words(long... words) {
    return arena.allocateFrom(ValueLayout.JAVA_LONG, words);
  }

  private static long bits(double number) {
    return Double.doubleToLongBits(number);
  }

  @Test
  void onX86WordsAndDoublesComeFromTheirRegistersAndThenFromTheStack() {
    MemorySegment registers = arena.allocate(176);
    registers.set(ValueLayout.JAVA_LONG, 40, 1); // the last of six registers
    registers.set(ValueLayout.JAVA_LONG, 160, bits(0.5)); // the last of eight registers
    MemorySegment list = arena.allocate(24);
    list.set(ValueLayout.JAVA_INT, 0, 40);
    list.set(ValueLayout.JAVA_INT, 4, 160);
    list.set(ValueLayout.JAVA_LONG, 8, words(2, bits(1.5), -3).address());
    list.set(ValueLayout.JAVA_LONG, 16, registers.address());
    assertReads(list.address(), "Linux", "amd64");
  }

  @Test
  void onArmWordsAndDoublesComeFromBeforeTheEndsOfTheirRegistersAndThenFromTheStack() {
    MemorySegment list = arena.allocate(32);
    list.set(ValueLayout.JAVA_LONG, 0, words(2, bits(1.5), -3).address());
    list.set(ValueLayout.JAVA_LONG, 8, words(1).address() + 8);
    list.set(ValueLayout.JAVA_LONG, 16, words(bits(0.5), 0).address() + 16);
    list.set(ValueLayout.JAVA_INT, 24, -8);
    list.set(ValueLayout.JAVA_INT, 28, -16);
    assertReads(list.address(), "Linux", "aarch64");
  }

  @Test
  void onS390WordsAndDoublesComeFromTheirRegistersByNumberAndThenFromTheStack() {
    MemorySegment registers = arena.allocate(160);
    registers.set(ValueLayout.JAVA_LONG, 16 + 4 * 8, 1); // the last of five registers
    registers.set(ValueLayout.JAVA_LONG, 128 + 3 * 8, bits(0.5)); // the last of four registers
    MemorySegment list = words(4, 3, words(2, bits(1.5), -3).address(), registers.address());
    assertReads(list.address(), "Linux", "s390x");
  }

  @Test
  void elsewhereOneComesAfterTheOther() {
    long list = words(1, bits(0.5), 2, bits(1.5), -3).address();
    assertReads(list, "Mac OS X", "aarch64");
    assertReads(list, "Linux", "riscv64");
    assertReads(list, "Linux", "ppc64le");
  }

  private static void assertReads(long list, String system, String machine) {
    JniArguments arguments = JniArguments.of(list, system, machine);
    assertEquals(1, arguments.nextWord());
    assertEquals(0.5, arguments.nextDouble());
    assertEquals(2, arguments.nextWord());
    assertEquals(1.5, arguments.nextDouble());
    assertEquals(-3, arguments.nextWord());
  }

  @Test
  void anUnknownMachineIsRefusedByName() {
    assertEquals(
        "no calling convention is listed for variadic functions on pdp11",
        assertThrows(UnsupportedOperationException.class, () -> JniArguments.of(0, "Unix", "pdp11")).getMessage());
  }
}
