/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.order;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.rocksdbffm.internal.callback.CallbackFrame;
import org.rocksdbffm.internal.foreign.Memory;
import org.rocksdbffm.internal.order.CheckedComparator.Contradiction;
import org.rocksdbffm.internal.order.FileBounds.Range;

/** Tests separately each check that detects a comparator which is not a total order. */
final class CheckedComparatorTest {
  private static final Arena MEMORY = Arena.ofAuto();

  /** An order of numbers. */
  private interface Numbers {
    int compare(int a, int b);
  }

  private static CheckedComparator order(Numbers numbers) {
    return new CheckedComparator(
        "the order",
        (frame, a, aSize, b, bSize) -> numbers.compare(Memory.bigEndianIntAt(a), Memory.bigEndianIntAt(b)));
  }

  /** A circular comparator: each key comes after the previous one, and the last comes before the first. */
  private static int around(int a, int b, int circle) {
    int distance = Math.floorMod(a - b, circle);
    return distance == 0 ? 0 : distance <= circle / 2 ? 1 : -1;
  }

  /** A comparator that is wrong for distant numbers. */
  private static int overflowing(int a, int b) {
    return a - b;
  }

  private static void assertFound(String message, Executable code) {
    String found = assertThrows(Contradiction.class, code).getMessage();
    assertTrue(found.contains(message), found);
  }

  private static KeySample sampleOf(int most) {
    return new KeySample(most, KeySample.LONG);
  }

  private static void offer(KeySample sample, CheckedComparator order, int number) {
    sample.offer(null, order, at(number).address(), Integer.BYTES);
  }

  private static int compare(CheckedComparator order, int a, int b) {
    MemorySegment keyA = at(a);
    MemorySegment keyB = at(b);
    return order.compare(CallbackFrame.next(), keyA.address(), Integer.BYTES, keyB.address(), Integer.BYTES);
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
    ConsistentKeys row = new ConsistentKeys(order(Integer::compare));
    numbers.forEach(number -> row.add(null, key(number)));
    numbers.forEach(number -> row.add(null, key(number)));
    assertEquals(3000, row.size());
    for (int i = 0; i < row.size(); i++) {
      assertArrayEquals(key(i), row.get(i));
    }
  }

  @Test
  void aKeyWithoutAPlaceInARowIsFoundOut() {
    ConsistentKeys row = new ConsistentKeys(order((a, b) -> around(a, b, 3)));
    row.add(null, key(0));
    row.add(null, key(1));
    assertThrows(Contradiction.class, () -> row.add(null, key(2)));
    assertEquals(2, row.size());
  }

  @Test
  void keysThatAnOrderTakesForTheSameBothHaveAPlaceInARow() {
    ConsistentKeys row = new ConsistentKeys(order((a, b) -> 0));
    row.add(null, key(0));
    row.add(null, key(1));
    row.add(null, key(1));
    assertEquals(2, row.size());
  }

  @Test
  void aSampleOfKeysFromEverywhereFindsACircle() {
    Random random = new Random(2);
    KeySample sample = sampleOf(32);
    CheckedComparator circle = order((a, b) -> around(a, b, 1001));
    assertThrows(
        Contradiction.class,
        () -> {
          for (int i = 0; i < 1000; i++) {
            offer(sample, circle, random.nextInt(1001));
          }
        });
    KeySample ofAnOrder = sampleOf(32);
    CheckedComparator order = order(Integer::compare);
    for (int i = 0; i < 1000; i++) {
      offer(ofAnOrder, order, random.nextInt());
    }
  }

  @Test
  void aSampleHasFewKeysAndNotJustTheOutermostAndTheLatest() {
    Set<Integer> asked = new TreeSet<>();
    KeySample sample = sampleOf(32);
    CheckedComparator order =
        order(
            (a, b) -> {
              asked.add(b);
              return Integer.compare(a, b);
            });
    for (int i = 0; i < 1000; i++) {
      offer(sample, order, i);
    }
    asked.clear();
    offer(sample, order, 1000);
    assertEquals(32, asked.size());
    assertTrue(asked.containsAll(Set.of(0, 999)), asked.toString());
    assertTrue(asked.stream().anyMatch(number -> 0 < number && number < 900), asked.toString());
  }

  /** Compares the sample with a list from which keys are removed as new ones are added. */
  @Test
  void aSampleIsInOrderWhateverComesAndGoes() {
    for (int most : new int[] {2, 3, 4, 7}) {
      List<Integer> compared = new ArrayList<>();
      CheckedComparator order =
          order(
              (a, b) -> {
                compared.add(b);
                return Integer.compare(a, b);
              });
      Random random = new Random(most);
      KeySample sample = sampleOf(most);
      List<Integer> model = new ArrayList<>();
      int leaving = 1;
      for (int i = 0; i < 2000; i++) {
        int number = random.nextInt(100);
        compared.clear();
        offer(sample, order, number);
        boolean isThere = model.contains(number);
        assertEquals(isThere ? model.subList(0, model.indexOf(number) + 1) : model, compared);
        if (!isThere) {
          model.add(number);
          Collections.sort(model);
          if (model.size() > most) {
            model.remove(leaving);
            leaving = 1 + leaving % (most - 1);
          }
        }
      }
    }
  }

  @Test
  void theOutermostKeysOfASampleStay() {
    CheckedComparator order = order(CheckedComparatorTest::overflowing);
    for (int side : new int[] {-1, 1}) {
      KeySample sample = sampleOf(32);
      offer(sample, order, side * 2_000_000_000);
      for (int i = 0; i < 100; i++) {
        offer(sample, order, i);
      }
      assertFound("goes in circles", () -> offer(sample, order, -side * 2_000_000_000));
    }
  }

  @Test
  void aSamplePassesOverLongKeysAndThoseThatItsOwnCodeOffers() {
    List<Integer> asked = new ArrayList<>();
    KeySample sample = sampleOf(2);
    CheckedComparator[] order = new CheckedComparator[1];
    order[0] =
        order(
            (a, b) -> {
              asked.add(a);
              offer(sample, order[0], 77);
              sample.require(null, order[0], at(78), Integer.BYTES);
              return Integer.compare(a, b);
            });
    offer(sample, order[0], 1);
    offer(sample, order[0], 5);
    sample.offer(null, order[0], 0, KeySample.LONG + 1);
    sample.require(null, order[0], MemorySegment.NULL, KeySample.LONG + 1);
    offer(sample, order[0], 3);
    assertEquals(List.of(5, 3, 3), asked);
  }

  /** Tries all possible answers for the pairs of four keys; exchanged keys give the negative answer. */
  @Test
  void aSampleFindsEachCircleAmongFourKeysAndNothingElse() {
    int[][] pairs = {{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 3}};
    for (int said = 0; said < 729; said++) {
      int[][] answers = new int[4][4];
      int left = said;
      for (int[] pair : pairs) {
        answers[pair[0]][pair[1]] = left % 3 - 1;
        answers[pair[1]][pair[0]] = 1 - left % 3;
        left /= 3;
      }
      CheckedComparator order = order((a, b) -> answers[a][b]);
      KeySample sample = sampleOf(4);
      Executable offerAll = () -> IntStream.range(0, 4).forEach(number -> offer(sample, order, number));
      if (isOrder(answers)) {
        assertDoesNotThrow(offerAll);
      } else {
        assertThrows(Contradiction.class, offerAll);
      }
    }
  }

  private static boolean isOrder(int[][] answers) {
    for (int a = 0; a < 4; a++) {
      for (int b = 0; b < 4; b++) {
        for (int c = 0; c < 4; c++) {
          if (a != b && answers[a][b] == 0 || answers[a][b] < 0 && answers[b][c] < 0 && answers[a][c] >= 0) {
            return false;
          }
        }
      }
    }
    return true;
  }

  @Test
  void aKeyBeforeTheFirstAndAfterTheLastIsNotToBeWritten() {
    for (int side : new int[] {-1, 1}) {
      CheckedComparator order = order(CheckedComparatorTest::overflowing);
      order.check(null, at(side * 2_000_000_000), 4);
      order.check(null, at(-side * 2_000_000_000), 4);
      assertFound("goes in circles", () -> order.check(null, at(0), 4));
    }
  }

  @Test
  void theEndsOfFilesAreAmongTheFirstAndTheLast() {
    CheckedComparator order = order(CheckedComparatorTest::overflowing);
    new FileBounds(order).renew(null, List.of(new Range("1", 1, key(-2_000_000_000), key(0))));
    assertFound("goes in circles", () -> order.check(null, at(2_000_000_000), 4));
  }

  @Test
  void aDoubtedAnswerIsAskedTheOtherWayRound() {
    for (int calls : new int[] {0, 1, 2, 500, 1023}) {
      boolean[] contradicts = {false};
      CheckedComparator order = order((a, b) -> contradicts[0] ? -1 : Integer.compare(a, b));
      for (int i = 0; i < calls; i++) {
        assertEquals(-1, compare(order, 1, 2));
      }
      contradicts[0] = true;
      assertFound("contradicts itself", () -> compare(order, 1, 2));
    }
  }

  @Test
  void someAnswersAreDoubtedForEver() {
    int[] calls = {0};
    CheckedComparator order = order((a, b) -> calls[0] > 10_000 ? -1 : Integer.compare(a, b));
    assertFound(
        "contradicts itself",
        () -> {
          for (; calls[0] < 12_000; calls[0]++) {
            compare(order, 1, 2);
          }
        });
  }

  @Test
  void afterTheFirstAnswersAllThreadsTogetherWriteNothing() throws IllegalAccessException {
    CheckedComparator order = order(Integer::compare);
    for (int i = 0; i < 4096; i++) {
      compare(order, 1, 2);
    }
    List<Object> before = numbersIn(order);
    for (int i = 0; i < 4096; i++) {
      compare(order, 1, 2);
    }
    assertFalse(before.isEmpty());
    assertEquals(before, numbersIn(order));
  }

  private static List<Object> numbersIn(CheckedComparator order) throws IllegalAccessException {
    List<Object> numbers = new ArrayList<>();
    for (Field field : CheckedComparator.class.getDeclaredFields()) {
      if (!Modifier.isStatic(field.getModifiers()) && field.getType().isPrimitive()) {
        field.setAccessible(true);
        numbers.add(field.get(order));
      }
    }
    return numbers;
  }

  @Test
  void someAnswersOfThreadsThatAskLittleAreDoubted() throws InterruptedException {
    AtomicInteger asked = new AtomicInteger();
    CheckedComparator order =
        order(
            (a, b) -> {
              asked.incrementAndGet();
              return Integer.compare(a, b);
            });
    for (int i = 0; i < 4096; i++) {
      compare(order, 1, 2);
    }
    asked.set(0);
    int questions = 0;
    for (int thread = 0; thread < 1000; thread++) {
      Thread.startVirtualThread(
              () -> {
                for (int i = 0; i < 20; i++) {
                  compare(order, 1, 2);
                }
              })
          .join();
      questions += 20;
    }
    int more = asked.get() - questions;
    assertTrue(questions / 256 < more && more < questions / 8, () -> more + " questions more were asked");
  }

  @Test
  void aDoubtLastsUntilTheNextQuestion() {
    CheckedComparator order = order((a, b) -> around(a, b, 3));
    assertEquals(-1, compare(order, 0, 1));
    assertFound("goes in circles", () -> compare(order, 1, 2));
  }

  @Test
  void differentKeysAreNotTheSame() {
    CheckedComparator order = order((a, b) -> 0);
    assertEquals(0, compare(order, 1, 1));
    assertFound("for the same key", () -> compare(order, 1, 2));
  }

  /** Asks for neighbouring keys, and for a key that comes before all others: no check of pairs detects the circle. */
  @Test
  void bothKeysOfSomeAnswersAreOfferedToTheSampleForEver() {
    for (int before : new int[] {0, 10_000}) {
      for (int side : new int[] {0, 1}) {
        int circle = 1001 + 10 * before;
        CheckedComparator order =
            order((a, b) -> a < 0 || b < 0 ? Integer.compare(Math.max(a, -1), Math.max(b, -1)) : around(a, b, circle));
        for (int i = 0; i < before; i++) {
          compare(order, -1, 0);
        }
        assertFound(
            "goes in circles",
            () -> {
              for (int i = 0; i < circle; i++) {
                compare(order, side == 0 ? i : -1, side == 0 ? -1 : i);
              }
            });
      }
    }
  }

  @Test
  void filesAnswerByTheirRowWhateverTheOrderSaysLater() {
    boolean[] reversed = {false};
    FileBounds boundaries =
        new FileBounds(order((a, b) -> reversed[0] ? Integer.compare(b, a) : Integer.compare(a, b)));
    boundaries.renew(null, List.of(new Range("1", 1, key(10), key(20)), new Range("2", 1, key(30), key(40))));
    reversed[0] = true;
    assertEquals(-1, boundaries.order(at(20).address(), 4, at(30).address(), 4));
    assertEquals(1, boundaries.order(at(40).address(), 4, at(10).address(), 4));
    assertEquals(0, boundaries.order(at(10).address(), 4, at(10).address(), 4));
    assertEquals(KeyPositions.UNKNOWN, boundaries.order(at(10).address(), 4, at(11).address(), 4));
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
  void manyFilesAreFoundByTheirKeysAndNotWhenTheyAreGone() {
    FileBounds boundaries = new FileBounds(order(Integer::compare));
    boundaries.renew(
        null, IntStream.range(0, 1000).mapToObj(i -> new Range("" + i, 1, key(2 * i), key(2 * i + 1))).toList());
    for (int i = 1; i < 2000; i++) {
      assertEquals(-1, boundaries.order(at(i - 1).address(), 4, at(i).address(), 4));
    }
    boundaries.renew(null, List.of(new Range("0", 1, key(0), key(1))));
    assertEquals(-1, boundaries.order(at(0).address(), 4, at(1).address(), 4));
    assertEquals(KeyPositions.UNKNOWN, boundaries.order(at(1).address(), 4, at(2).address(), 4));
  }

  @Test
  void filesThatStandInNoRowAreOrderedByLevelsWithThoseThatOverlapAtLast() {
    FileBounds boundaries = new FileBounds(order((a, b) -> around(a, b, 3)));
    List<Range> files =
        List.of(
            new Range("3", 0, key(1), key(3)),
            new Range("2", 1, key(0), key(1)),
            new Range("1", 1, key(2), key(4)));
    assertThrows(Contradiction.class, () -> boundaries.renew(null, files));
    int[] had = {0, 1, 2, 4, 3};
    for (int i = 1; i < had.length; i++) {
      assertEquals(-1, boundaries.order(at(had[i - 1]).address(), 4, at(had[i]).address(), 4));
    }
  }

  /** Returns two keys of two words each: the second word compensates the first in the hash. */
  static MemorySegment[] keysOfTheSameHash() {
    long factor = 0x9e3779b97f4a7c15L;
    MemorySegment[] keys = new MemorySegment[2];
    for (int i = 0; i < 2; i++) {
      long hash = (16 * factor ^ i) * factor;
      keys[i] = MEMORY.allocate(16);
      byte[] bytes = ByteBuffer.allocate(16).putLong(i).putLong(hash ^ hash >>> 29).array();
      MemorySegment.copy(MemorySegment.ofArray(bytes), 0, keys[i], 0, 16);
    }
    return keys;
  }

  @Test
  void aKeyWithTheHashOfAnotherIsNotTakenForIt() {
    MemorySegment[] keys = keysOfTheSameHash();
    ConsistentKeys row = new ConsistentKeys(null);
    row.append(keys[0].toArray(ValueLayout.JAVA_BYTE));
    KeyPositions positions = new KeyPositions(row);
    assertEquals(0, positions.order(row.address(0), 16, row.address(0), 16));
    assertEquals(KeyPositions.UNKNOWN, positions.order(keys[1].address(), 16, keys[1].address(), 16));
  }

  @Test
  void aFileThatEndsBeforeItBeginsIsFoundOut() {
    FileBounds boundaries = new FileBounds(order(Integer::compare));
    assertThrows(Contradiction.class, () -> boundaries.renew(null, List.of(new Range("1", 1, key(2), key(1)))));
    assertEquals(-1, boundaries.order(at(2).address(), 4, at(1).address(), 4), "as the engine has the file");
  }

  @Test
  void disorderRepeatsItselfTheOtherWayRoundAndEndsALoop() {
    FallbackAnswers fallback = new FallbackAnswers();
    byte[] a = key(1);
    byte[] b = key(2);
    assertEquals(-1, fallback.smaller(this, 1, a, 2, b));
    assertEquals(1, fallback.smaller(this, 2, b, 1, a));
    assertEquals(-1, fallback.smaller(this, 1, a, 2, b));
    assertEquals(0, fallback.same(this, a, b));
    for (int i = 0; i < 1 << 20; i++) {
      fallback.same(this, a, b);
    }
    assertEquals(1, fallback.same(this, b, a));
    assertEquals(-1, fallback.same(this, a, b));
    assertEquals(1, fallback.smaller(this, 4, key(4), 3, key(3)));
    assertEquals(0, fallback.same("another order", a, b));
    assertEquals(-1, fallback.smaller("another order", 2, b, 1, a));
  }

  @Test
  void disorderDoesNotGoOnAlongAnArray() {
    byte[] pivot = key(0);
    FallbackAnswers fallback = new FallbackAnswers();
    for (int i = 1; i <= 3; i++) {
      assertEquals(i < 3 ? -1 : 1, fallback.smaller(this, i, key(i), 1000, pivot));
    }
    assertEquals(-1, fallback.smaller(this, 100, key(100), 101, key(101)), "elsewhere");
    assertEquals(1, fallback.smaller(this, 3, key(3), 1000, pivot), "as before");
    fallback = new FallbackAnswers();
    for (int i = 1; i <= 3; i++) {
      assertEquals(i < 3 ? -1 : 1, fallback.smaller(this, 1000, pivot, i, key(i)));
    }
  }

  @Test
  void disorderTakesAnotherKeyInTheSamePlaceForAnother() {
    FallbackAnswers fallback = new FallbackAnswers();
    for (int i = 1; i <= 10; i++) {
      assertEquals(-1, fallback.smaller(this, 1000, key(i), 2000 + i, key(100)));
    }
    fallback = new FallbackAnswers();
    for (int i = 1; i <= 10; i++) {
      assertEquals(-1, fallback.smaller(this, 2000 + i, key(100), 1000, key(i)));
    }
  }

  @Test
  void disorderDoesNotGoOnAtAllWhereTheOrderWasLost() {
    int[][] places = {{10, 30}, {30, 20}, {20, 30}, {30, 10}, {30, 40}};
    for (int[] place : places) {
      FallbackAnswers fallback = new FallbackAnswers();
      fallback.compared(10, 20);
      assertEquals(
          place[0] + place[1] < 70 ? 1 : -1, fallback.smaller(this, place[0], key(place[0]), place[1], key(place[1])));
    }
  }
}
