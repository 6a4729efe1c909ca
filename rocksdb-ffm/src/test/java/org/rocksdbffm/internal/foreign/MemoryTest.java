/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.foreign;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests copies of bytes from and to a native address. */
class MemoryTest {
  private static final int ROOM = 300;
  private static final int LARGEST = 200;
  private static final int BEFORE = 17; // so that words are at unaligned addresses

  /** Copies {@code size} bytes from the source to the target, at the offset {@code BEFORE} in both. */
  private interface Copying {
    void copy(MemorySegment source, byte[] sourceBytes, MemorySegment target, byte[] targetBytes, int size);
  }

  private static void assertCopies(boolean toArray, Copying copying) {
    try (Arena arena = Arena.ofConfined()) {
      for (int size = 0; size <= LARGEST; size++) {
        byte[] from = new byte[ROOM];
        new Random(size).nextBytes(from);
        MemorySegment source = arena.allocate(ROOM).copyFrom(MemorySegment.ofArray(from));
        byte[] array = new byte[ROOM];
        Arrays.fill(array, (byte) 7);
        MemorySegment target = arena.allocate(ROOM).fill((byte) 7);
        byte[] expected = array.clone();
        System.arraycopy(from, BEFORE, expected, BEFORE, size);

        copying.copy(source, from, target, array, size);

        assertArrayEquals(expected, toArray ? array : target.toArray(ValueLayout.JAVA_BYTE), size + " bytes");
      }
    }
  }

  @Test
  void anyNumberOfBytesIsCopiedIntoAnArray() {
    assertCopies(true, (source, from, target, array, size) ->
        Memory.copy(source.address() + BEFORE, array, BEFORE, size));
  }

  @ParameterizedTest
  @ValueSource(ints = {16 << 10, (16 << 10) + 1, 1 << 20, (1 << 20) + 1, (3 << 20) - 5})
  void aLotOfBytesIsCopiedIntoAnArrayAndNothingBesideIt(int size) {
    byte[] from = new byte[size];
    new Random(size).nextBytes(from);
    try (Arena arena = Arena.ofConfined()) {
      long source = arena.allocate(size).copyFrom(MemorySegment.ofArray(from)).address();
      for (int before : new int[] {0, BEFORE}) {
        byte[] array = new byte[before + size + 1];
        Memory.copy(source, array, before, size);
        assertArrayEquals(from, Arrays.copyOfRange(array, before, before + size));
        Arrays.fill(array, before, before + size, (byte) 0);
        assertArrayEquals(new byte[array.length], array);
      }
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 5, 100, 20_000})
  void nothingIsCopiedPastTheEndOfAnArray(int size) {
    try (Arena arena = Arena.ofConfined()) {
      long source = arena.allocate(size + 1).fill((byte) 1).address();
      byte[] array = new byte[size + BEFORE];
      assertThrows(IndexOutOfBoundsException.class, () -> Memory.copy(source, array, BEFORE, size + 1));
      assertThrows(IndexOutOfBoundsException.class, () -> Memory.copy(source, array, -1, size + 1));
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {16 << 10, (16 << 10) + 1, 1 << 20, (1 << 20) + 1, (3 << 20) - 5})
  void aLotOfBytesIsCopiedIntoASegmentAndNothingBesideIt(int size) {
    byte[] from = new byte[size];
    new Random(size).nextBytes(from);
    try (Arena arena = Arena.ofConfined()) {
      long source = arena.allocate(size).copyFrom(MemorySegment.ofArray(from)).address();
      MemorySegment target = arena.allocate(BEFORE + size + 1);
      Memory.copy(source, size, target.asSlice(BEFORE));
      assertEquals(-1, target.asSlice(BEFORE, size).mismatch(MemorySegment.ofArray(from)));
      target.asSlice(BEFORE, size).fill((byte) 0);
      assertEquals(-1, target.mismatch(arena.allocate(target.byteSize())));
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {5, 100, 20_000, 1 << 20})
  void nothingIsCopiedToASegmentThatMayNotBeWrittenTo(int size) throws Exception {
    Arena ended = Arena.ofConfined();
    try (Arena arena = Arena.ofConfined()) {
      long source = arena.allocate(size + 1).fill((byte) 1).address();
      MemorySegment target = arena.allocate(size);
      assertThrows(IndexOutOfBoundsException.class, () -> Memory.copy(source, size + 1, target));
      assertThrows(IllegalArgumentException.class, () -> Memory.copy(source, size, target.asReadOnly()));
      MemorySegment freed = ended.allocate(size);
      ended.close();
      assertThrows(IllegalStateException.class, () -> Memory.copy(source, size, freed));
      CompletableFuture.runAsync(
              () -> assertThrows(WrongThreadException.class, () -> Memory.copy(source, size, target)))
          .get();
      assertEquals(-1, target.mismatch(arena.allocate(size)));
    }
  }

  @Test
  void anyNumberOfBytesIsCopiedIntoASegment() {
    assertCopies(false, (source, from, target, array, size) ->
        Memory.copy(source.address() + BEFORE, size, target.asSlice(BEFORE)));
  }

  @Test
  void anyNumberOfBytesIsCopiedToAnAddress() {
    assertCopies(false, (source, from, target, array, size) ->
        Memory.copy(source.address() + BEFORE, size, target.address() + BEFORE));
  }

  @Test
  void anyNumberOfBytesIsCopiedFromAnArray() {
    assertCopies(false, (source, from, target, array, size) ->
        Memory.copy(from, BEFORE, size, target, BEFORE));
  }
}
