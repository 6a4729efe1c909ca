/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.rocksdbffm.internal.Boundaries.Range;
import org.rocksdbffm.internal.CheckedOrder.Contradiction;

/** Each of the means that finds out an order that is none, without the others. */
final class OrderChecksTest {
  private static final Arena MEMORY = Arena.ofAuto();

  /** An order of numbers. */
  private interface Numbers {
    int compare(int a, int b);
  }

  private static CheckedOrder order(Numbers numbers) {
    return new CheckedOrder(
        "the order", (frame, a, aSize, b, bSize) -> numbers.compare(Memory.bigEndianIntAt(a), Memory.bigEndianIntAt(b)));
  }

  /** One after the other, but the last before the first. */
  private static int around(int a, int b, int circle) {
    int distance = Math.floorMod(a - b, circle);
    return distance == 0 ? 0 : distance <= circle / 2 ? 1 : -1;
  }

  private static byte[] key(int number) {
    return ByteBuffer.allocate(Integer.BYTES).putInt(number).array();
  }

  private static MemorySegment at(int number) {
    MemorySegment memory = MEMORY.allocate(Integer.BYTES);
    MemorySegment.copy(MemorySegment.ofArray(key(number)), 0, memory, 0, Integer.BYTES);
    return memory;
  }

  @Test
  void keysStandInARowInWhateverOrderTheyCome() {
    List<Integer> numbers = new ArrayList<>(IntStream.range(0, 3000).boxed().toList());
    Collections.shuffle(numbers, new Random(1));
    KeyRow row = new KeyRow(order(Integer::compare));
    numbers.forEach(number -> row.add(null, key(number)));
    numbers.forEach(number -> row.add(null, key(number)));
    assertEquals(3000, row.size());
    for (int i = 0; i < row.size(); i++) {
      assertArrayEquals(key(i), row.get(i));
    }
  }

  @Test
  void aKeyWithoutAPlaceInARowIsFoundOut() {
    KeyRow row = new KeyRow(order((a, b) -> around(a, b, 3)));
    row.add(null, key(0));
    row.add(null, key(1));
    assertThrows(Contradiction.class, () -> row.add(null, key(2)));
    assertEquals(2, row.size());
  }

  @Test
  void witnessesFromEverywhereFindACircle() {
    Random random = new Random(2);
    Witnesses witnesses = new Witnesses(order((a, b) -> around(a, b, 1001)));
    assertThrows(
        Contradiction.class,
        () -> {
          for (int i = 0; i < 1000; i++) {
            witnesses.hear(null, at(random.nextInt(1001)).address(), Integer.BYTES);
          }
        });
    Witnesses ofAnOrder = new Witnesses(order(Integer::compare));
    for (int i = 0; i < 1000; i++) {
      ofAnOrder.hear(null, at(random.nextInt()).address(), Integer.BYTES);
    }
  }

  @Test
  void aDoubtFindsACircleAmongTheKeysOfTwoQuestions() {
    Numbers circle = (a, b) -> around(a, b, 3);
    for (int fourth : new int[] {0, 1, 2}) {
      Doubt doubt = new Doubt();
      CheckedOrder order = order(circle);
      doubt.keep(order, at(0).address(), 4, at(1).address(), 4, circle.compare(0, 1));
      assertThrows(
          Contradiction.class,
          () -> doubt.resolve(null, at(2).address(), 4, at(fourth).address(), 4, circle.compare(2, fourth)));
    }
    for (int i = 0; i < 256; i++) {
      int[] keys = {i & 3, i >> 2 & 3, i >> 4 & 3, i >> 6 & 3};
      Doubt doubt = new Doubt();
      doubt.keep(
          order(Integer::compare), at(keys[0]).address(), 4, at(keys[1]).address(), 4, Integer.compare(keys[0], keys[1]));
      assertDoesNotThrow(
          () ->
              doubt.resolve(
                  null, at(keys[2]).address(), 4, at(keys[3]).address(), 4, Integer.compare(keys[2], keys[3])));
    }
  }

  @Test
  void extremesFindAKeyBeforeTheFirstAndAfterTheLast() {
    Extremes extremes = new Extremes(order((a, b) -> a - b));
    extremes.hear(null, at(-2_000_000_000), 4);
    extremes.hear(null, at(2_000_000_000), 4);
    assertThrows(Contradiction.class, () -> extremes.hear(null, at(0), 4));
  }

  @Test
  void filesAnswerByTheirRowWhateverTheOrderSaysLater() {
    boolean[] reversed = {false};
    Boundaries boundaries =
        new Boundaries(order((a, b) -> reversed[0] ? Integer.compare(b, a) : Integer.compare(a, b)));
    boundaries.renew(null, List.of(new Range("1", 1, key(10), key(20)), new Range("2", 1, key(30), key(40))));
    reversed[0] = true;
    assertEquals(-1, boundaries.order(at(20).address(), 4, at(30).address(), 4));
    assertEquals(1, boundaries.order(at(40).address(), 4, at(10).address(), 4));
    assertEquals(0, boundaries.order(at(10).address(), 4, at(10).address(), 4));
    assertEquals(Ranks.UNKNOWN, boundaries.order(at(10).address(), 4, at(11).address(), 4));
    List<Range> added =
        List.of(
            new Range("1", 1, key(10), key(20)),
            new Range("2", 1, key(30), key(40)),
            new Range("3", 1, key(50), key(60)));
    assertThrows(Contradiction.class, () -> boundaries.renew(null, added));
    assertEquals(-1, boundaries.order(at(50).address(), 4, at(60).address(), 4), "as the engine has the files");
    assertEquals(-1, boundaries.order(at(40).address(), 4, at(50).address(), 4), "as the engine has the files");
  }

  @Test
  void aFileThatEndsBeforeItBeginsIsFoundOut() {
    Boundaries boundaries = new Boundaries(order(Integer::compare));
    assertThrows(Contradiction.class, () -> boundaries.renew(null, List.of(new Range("1", 1, key(2), key(1)))));
    assertEquals(-1, boundaries.order(at(2).address(), 4, at(1).address(), 4), "as the engine has the file");
  }

  @Test
  void disorderRepeatsItselfTheOtherWayRoundAndEndsALoop() {
    Disorder disorder = new Disorder();
    byte[] a = key(1);
    byte[] b = key(2);
    assertEquals(-1, disorder.smaller(this, 1, a, 2, b));
    assertEquals(1, disorder.smaller(this, 2, b, 1, a));
    assertEquals(-1, disorder.smaller(this, 1, a, 2, b));
    assertEquals(0, disorder.same(this, a, b));
    for (int i = 0; i < 1 << 20; i++) {
      disorder.same(this, a, b);
    }
    assertEquals(1, disorder.same(this, b, a));
    assertEquals(-1, disorder.same(this, a, b));
    assertEquals(0, disorder.same("another order", a, b));
  }

  @Test
  void disorderDoesNotGoOnAlongAnArray() {
    Disorder disorder = new Disorder();
    byte[] pivot = key(0);
    int smaller = 0;
    while (smaller < 100 && disorder.smaller(this, smaller + 1, key(smaller + 1), 1000, pivot) < 0) {
      smaller++;
    }
    assertEquals(2, smaller);
  }
}
