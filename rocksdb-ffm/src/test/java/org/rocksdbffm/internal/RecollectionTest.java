/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal;

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
import org.rocksdbffm.internal.CheckedOrder.Contradiction;
import org.rocksdbffm.internal.loader.NativeLibrary;

/** What a thread recalls goes together, whatever the order says, and is what the order says if that is one. */
final class RecollectionTest {
  /** An order of numbers. */
  private interface Numbers {
    int compare(int a, int b);
  }

  private final Arena arena = Arena.ofAuto();
  private final Random random = new Random(7);
  private int asked;

  /** Without the checks of {@link CheckedOrder}, which would find out most that is wrong. */
  private KeyComparing code(Numbers numbers) {
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

  private Ranks row(int... numbers) {
    KeyRow row = new KeyRow(null);
    for (int number : numbers) {
      row.append(key(number).toArray(ValueLayout.JAVA_BYTE));
    }
    return new Ranks(row);
  }

  private static int compare(Recollection recollection, KeyComparing code, Ranks row, MemorySegment a, MemorySegment b) {
    return recollection.compare(null, code, row, a.address(), a.byteSize(), b.address(), b.byteSize());
  }

  /** Of three that were compared to each other none comes before itself. */
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
  @ValueSource(ints = {0, 1, 20, Recollection.KEYS})
  void answersGoTogetherWhateverTheOrderSays(int ends) {
    List<Numbers> orders =
        List.of(
            (a, b) -> random.nextBoolean() ? 1 : -1,
            (a, b) -> -1,
            (a, b) -> 1,
            (a, b) -> random.nextBoolean() ? Integer.MIN_VALUE : Integer.MAX_VALUE,
            (a, b) -> Math.floorMod(a - b, 41) <= 20 ? 1 : -1,
            (a, b) -> asked > 200 ? Integer.compare(b, a) : Integer.compare(a, b));
    int keys = ends + Recollection.KEYS;
    MemorySegment[] all = IntStream.range(0, keys).mapToObj(this::key).toArray(MemorySegment[]::new);
    Ranks row = row(random.ints(0, keys).distinct().limit(ends).toArray());
    for (Numbers order : orders) {
      asked = 0;
      KeyComparing code = code(order);
      Recollection recollection = new Recollection();
      List<int[]> pairs = new ArrayList<>();
      for (int a = 0; a < keys; a++) {
        for (int b = 0; b < keys; b++) {
          pairs.add(new int[] {a, b});
        }
      }
      Collections.shuffle(pairs, random);
      int[][] answers = new int[keys][keys];
      for (int[] pair : pairs) {
        answers[pair[0]][pair[1]] = compare(recollection, code, row, all[pair[0]], all[pair[1]]);
      }
      assertInOrder(answers);
    }
  }

  @Test
  void aTrueOrderIsAnsweredWithFewerQuestions() {
    int keys = 5 * Recollection.KEYS;
    Ranks row = row(100, 200, 300, 400);
    KeyComparing code = code(Integer::compare);
    Recollection recollection = new Recollection();
    MemorySegment[] all = IntStream.range(0, keys).mapToObj(this::key).toArray(MemorySegment[]::new);
    int questions = 200_000;
    for (int i = 0; i < questions; i++) {
      int near = i * keys / questions;
      int a = Math.floorMod(near + random.nextInt(50), keys);
      int b = random.nextInt(5) == 0 ? random.nextInt(keys) : Math.floorMod(near + random.nextInt(50), keys);
      assertEquals(Integer.compare(a, b), compare(recollection, code, row, all[a], all[b]), a + " and " + b);
    }
    assertTrue(asked < questions * 3 / 4, asked + " of " + questions);
  }

  @Test
  void aSortOfAsManyKeysAsAreKeptIsNotAskedTheSameTwice() {
    boolean[][] seen = new boolean[Recollection.KEYS][Recollection.KEYS];
    KeyComparing code =
        code(
            (a, b) -> {
              assertTrue(!seen[a][b] && !seen[b][a], a + " and " + b + " again");
              seen[a][b] = true;
              return Integer.compare(a, b);
            });
    Recollection recollection = new Recollection();
    Integer[] sorted = random.ints(0, Recollection.KEYS).distinct().limit(Recollection.KEYS).boxed().toArray(Integer[]::new);
    for (int round = 0; round < 3; round++) {
      Arrays.sort(sorted, (a, b) -> compare(recollection, code, Ranks.NONE, key(a), key(b)));
    }
    assertEquals(IntStream.range(0, Recollection.KEYS).boxed().toList(), List.of(sorted));
  }

  @Test
  void theSameBytesAreTheSameKeyWithoutAQuestion() {
    Recollection recollection = new Recollection();
    assertEquals(0, compare(recollection, code((a, b) -> 1), Ranks.NONE, key(1), key(1)));
    assertEquals(0, compare(recollection, code((a, b) -> 1), row(1), key(1), key(1)));
    assertEquals(0, asked);
  }

  @Test
  void aKeyWithTheHashOfAnotherIsNotTakenForIt() {
    MemorySegment[] keys = OrderChecksTest.keysOfTheSameHash();
    assertEquals(Ranks.hash(keys[0].address(), 16), Ranks.hash(keys[1].address(), 16));
    KeyComparing code = (frame, a, aSize, b, bSize) -> a == keys[0].address() ? -1 : 1;
    Recollection recollection = new Recollection();
    assertEquals(-1, compare(recollection, code, Ranks.NONE, keys[0], keys[1]));
    assertEquals(1, compare(recollection, code, Ranks.NONE, keys[1], keys[0]));
  }

  @Test
  void keysOfAnySizeAreCompared() {
    Recollection recollection = new Recollection();
    KeyComparing code = code(Integer::compare);
    int[] sizes = {4, 5, 63, 64, 65, 1000, Recollection.LONGEST_KEY, Recollection.LONGEST_KEY + 1, 1 << 20};
    for (int round = 0; round < 2 * Recollection.KEYS; round++) {
      int a = random.nextInt(1000);
      int b = a + 1 + random.nextInt(1000);
      MemorySegment lower = key(a, sizes[random.nextInt(sizes.length)]);
      MemorySegment upper = key(b, sizes[random.nextInt(sizes.length)]);
      assertEquals(-1, compare(recollection, code, Ranks.NONE, lower, upper));
      assertEquals(1, compare(recollection, code, Ranks.NONE, upper, lower));
    }
  }

  @Test
  void anotherOrderOrAnotherRowIsAskedAnew() {
    Recollection recollection = new Recollection();
    KeyComparing upward = code(Integer::compare);
    KeyComparing downward = code((a, b) -> Integer.compare(b, a));
    assertEquals(-1, compare(recollection, upward, Ranks.NONE, key(1), key(2)));
    assertEquals(1, compare(recollection, downward, Ranks.NONE, key(1), key(2)));
    assertEquals(1, compare(recollection, downward, row(3, 2), key(1), key(2)));
    assertEquals(-1, compare(recollection, upward, Ranks.NONE, key(1), key(2)));
    assertEquals(4, asked);
  }

  @Test
  void anOrderThatThrowsIsAskedAgain() {
    Recollection recollection = new Recollection();
    KeyComparing code =
        code((a, b) -> {
          if (asked == 1) {
            throw new Contradiction("once");
          }
          return Integer.compare(a, b);
        });
    assertThrows(Contradiction.class, () -> compare(recollection, code, Ranks.NONE, key(1), key(2)));
    assertEquals(-1, compare(recollection, code, Ranks.NONE, key(1), key(2)));
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

  /** Whether the code is asked for the order of two keys. */
  private boolean asks(NativeComparator comparator) {
    int before = asked;
    assertEquals(-1, Integer.signum(comparator.compare(key(1), Integer.BYTES, key(2), Integer.BYTES)));
    return asked > before;
  }
}
