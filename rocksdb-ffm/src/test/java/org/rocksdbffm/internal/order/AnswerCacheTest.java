/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.order;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.rocksdbffm.internal.callback.RawComparator;
import org.rocksdbffm.internal.foreign.Memory;
import org.rocksdbffm.internal.loader.NativeLibrary;
import org.rocksdbffm.internal.order.CheckedComparator.Contradiction;

/**
 * Tests that cached answers do not contradict each other, and equal the comparator's answers if it is a total order.
 */
final class AnswerCacheTest {
  /** An order of numbers. */
  private interface Numbers {
    int compare(int a, int b);
  }

  private final Arena arena = Arena.ofAuto();
  private final Random random = new Random(7);
  private int asked;

  /** Returns a comparator without the checks of {@link CheckedComparator}, which would detect most contradictions. */
  private RawComparator code(Numbers numbers) {
    return (frame, a, aSize, b, bSize) -> {
      asked++;
      return numbers.compare(Memory.bigEndianIntAt(a), Memory.bigEndianIntAt(b));
    };
  }

  private MemorySegment key(int number) {
    return key(number, Integer.BYTES);
  }

  private MemorySegment key(int number, int size) {
    MemorySegment key = arena.allocate(size);
    key.set(ValueLayout.JAVA_INT_UNALIGNED, 0, Integer.reverseBytes(number));
    return key;
  }

  private KeyPositions row(int... numbers) {
    ConsistentKeys row = new ConsistentKeys(null);
    for (int number : numbers) {
      row.append(key(number).toArray(ValueLayout.JAVA_BYTE));
    }
    return new KeyPositions(row);
  }

  private static int compare(
      AnswerCache cache, RawComparator code, KeyPositions row, MemorySegment a, MemorySegment b) {
    return cache.compare(null, code, row, a.address(), a.byteSize(), b.address(), b.byteSize());
  }

  /** Asserts that no three keys that were compared with each other form a circle. */
  private static void assertInOrder(int[][] answers) {
    int keys = answers.length;
    for (int a = 0; a < keys; a++) {
      for (int b = 0; b < keys; b++) {
        assertEquals(-answers[b][a], answers[a][b], a + " and " + b);
        for (int c = 0; c < keys; c++) {
          boolean circle = answers[a][b] < 0 && answers[b][c] < 0 && answers[a][c] >= 0;
          assertTrue(!circle, a + " before " + b + " before " + c + " before the first");
        }
      }
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 20, AnswerCache.KEYS})
  void answersGoTogetherWhateverTheOrderSays(int ends) {
    List<Numbers> orders =
        List.of(
            (a, b) -> random.nextBoolean() ? 1 : -1,
            (a, b) -> -1,
            (a, b) -> 1,
            (a, b) -> random.nextBoolean() ? Integer.MIN_VALUE : Integer.MAX_VALUE,
            (a, b) -> Math.floorMod(a - b, 41) <= 20 ? 1 : -1,
            (a, b) -> asked > 200 ? Integer.compare(b, a) : Integer.compare(a, b));
    int keys = ends + AnswerCache.KEYS;
    MemorySegment[] all = IntStream.range(0, keys).mapToObj(this::key).toArray(MemorySegment[]::new);
    KeyPositions row = row(random.ints(0, keys).distinct().limit(ends).toArray());
    for (Numbers order : orders) {
      asked = 0;
      RawComparator code = code(order);
      AnswerCache cache = new AnswerCache();
      List<int[]> pairs = new ArrayList<>();
      for (int a = 0; a < keys; a++) {
        for (int b = 0; b < keys; b++) {
          pairs.add(new int[] {a, b});
        }
      }
      Collections.shuffle(pairs, random);
      int[][] answers = new int[keys][keys];
      for (int[] pair : pairs) {
        answers[pair[0]][pair[1]] = compare(cache, code, row, all[pair[0]], all[pair[1]]);
      }
      assertInOrder(answers);
    }
  }

  @Test
  void aTrueOrderIsAnsweredWithFewerQuestions() {
    int keys = 5 * AnswerCache.KEYS;
    KeyPositions row = row(100, 200, 300, 400);
    RawComparator code = code(Integer::compare);
    AnswerCache cache = new AnswerCache();
    MemorySegment[] all = IntStream.range(0, keys).mapToObj(this::key).toArray(MemorySegment[]::new);
    int questions = 200_000;
    for (int i = 0; i < questions; i++) {
      int near = i * keys / questions;
      int a = Math.floorMod(near + random.nextInt(50), keys);
      int b = random.nextInt(5) == 0 ? random.nextInt(keys) : Math.floorMod(near + random.nextInt(50), keys);
      assertEquals(Integer.compare(a, b), compare(cache, code, row, all[a], all[b]), a + " and " + b);
    }
    assertTrue(asked < questions * 3 / 4, asked + " of " + questions);
  }

  @Test
  void aSortOfAsManyKeysAsAreKeptIsNotAskedTheSameTwice() {
    boolean[][] seen = new boolean[AnswerCache.KEYS][AnswerCache.KEYS];
    RawComparator code =
        code(
            (a, b) -> {
              assertTrue(!seen[a][b] && !seen[b][a], a + " and " + b + " again");
              seen[a][b] = true;
              return Integer.compare(a, b);
            });
    AnswerCache cache = new AnswerCache();
    Integer[] sorted =
        random.ints(0, AnswerCache.KEYS).distinct().limit(AnswerCache.KEYS).boxed().toArray(Integer[]::new);
    for (int round = 0; round < 3; round++) {
      Arrays.sort(sorted, (a, b) -> compare(cache, code, KeyPositions.NONE, key(a), key(b)));
    }
    assertEquals(IntStream.range(0, AnswerCache.KEYS).boxed().toList(), List.of(sorted));
  }

  @Test
  void theSameBytesAreTheSameKeyWithoutAQuestion() {
    AnswerCache cache = new AnswerCache();
    assertEquals(0, compare(cache, code((a, b) -> 1), KeyPositions.NONE, key(1), key(1)));
    assertEquals(0, compare(cache, code((a, b) -> 1), row(1), key(1), key(1)));
    assertEquals(0, asked);
  }

  @Test
  void aKeyWithTheHashOfAnotherIsNotTakenForIt() {
    MemorySegment[] keys = CheckedComparatorTest.keysOfTheSameHash();
    assertEquals(KeyPositions.hash(keys[0].address(), 16), KeyPositions.hash(keys[1].address(), 16));
    RawComparator code = (frame, a, aSize, b, bSize) -> a == keys[0].address() ? -1 : 1;
    AnswerCache cache = new AnswerCache();
    assertEquals(-1, compare(cache, code, KeyPositions.NONE, keys[0], keys[1]));
    assertEquals(1, compare(cache, code, KeyPositions.NONE, keys[1], keys[0]));
  }

  @Test
  void keysOfAnySizeAreCompared() {
    AnswerCache cache = new AnswerCache();
    RawComparator code = code(Integer::compare);
    int[] sizes = {4, 5, 63, 64, 65, 1000, AnswerCache.LONGEST_KEY, AnswerCache.LONGEST_KEY + 1, 1 << 20};
    for (int round = 0; round < 2 * AnswerCache.KEYS; round++) {
      int a = random.nextInt(1000);
      int b = a + 1 + random.nextInt(1000);
      MemorySegment lower = key(a, sizes[random.nextInt(sizes.length)]);
      MemorySegment upper = key(b, sizes[random.nextInt(sizes.length)]);
      assertEquals(-1, compare(cache, code, KeyPositions.NONE, lower, upper));
      assertEquals(1, compare(cache, code, KeyPositions.NONE, upper, lower));
    }
  }

  @Test
  void anotherOrderOrAnotherRowIsAskedAnew() {
    AnswerCache cache = new AnswerCache();
    RawComparator upward = code(Integer::compare);
    RawComparator downward = code((a, b) -> Integer.compare(b, a));
    assertEquals(-1, compare(cache, upward, KeyPositions.NONE, key(1), key(2)));
    assertEquals(1, compare(cache, downward, KeyPositions.NONE, key(1), key(2)));
    assertEquals(1, compare(cache, downward, row(3, 2), key(1), key(2)));
    assertEquals(-1, compare(cache, upward, KeyPositions.NONE, key(1), key(2)));
    assertEquals(4, asked);
  }

  @Test
  void anOrderThatThrowsIsAskedAgain() {
    AnswerCache cache = new AnswerCache();
    RawComparator code =
        code((a, b) -> {
          if (asked == 1) {
            throw new Contradiction("once");
          }
          return Integer.compare(a, b);
        });
    assertThrows(Contradiction.class, () -> compare(cache, code, KeyPositions.NONE, key(1), key(2)));
    assertEquals(-1, compare(cache, code, KeyPositions.NONE, key(1), key(2)));
  }

  @Test
  void theRowsOfACompactionAreNotRecalledAndWhatComesAfterThemIs() {
    NativeLibrary.load();
    NativeComparator comparator = new NativeComparator("numbers", code(Integer::compare));
    try {
      OrderState.amongFiles(
          () -> {
            assertTrue(asks(comparator));
            assertFalse(asks(comparator));
            OrderState.goThroughRows(true);
            assertTrue(asks(comparator));
            assertTrue(asks(comparator));
            OrderState.goThroughRows(false);
            assertFalse(asks(comparator));
          });
      assertTrue(asks(comparator), "a thread of a user's");
    } finally {
      comparator.release();
    }
  }

  /** Whether a comparison of two keys calls the comparator instead of the cache of answers. */
  private boolean asks(NativeComparator comparator) {
    int before = asked;
    assertEquals(-1, Integer.signum(comparator.compare(key(1), Integer.BYTES, key(2), Integer.BYTES)));
    return asked > before;
  }
}
