/* Licensed under the Apache License, Version 2.0; see LICENSE. */

package org.rocksdbffm.internal.read;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTimeout;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.rocksdbffm.tools.Bytes.bytes;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class KeySortTest {
  private final Random random = new Random(42);

  /** Typical kinds of keys. */
  enum Shape {
    RANDOM(random -> randomOf(random, 16, 256)),
    DECIMAL(random -> bytes("user%09d".formatted(random.nextInt(1000)))),
    UUIDS(random -> bytes(new UUID(random.nextLong(), random.nextLong()).toString())),
    CLUSTERS(random -> bytes("order-2026-%02d-%06d".formatted(random.nextInt(12), random.nextInt(500)))),
    TWO_LONG_PREFIXES(random -> bytes((random.nextBoolean() ? "a" : "b") + "x".repeat(40) + random.nextInt(500))),
    ONE_THE_START_OF_THE_OTHER(random -> bytes("abcdefghijklmnopqrstuvwxyz".substring(0, random.nextInt(27)))),
    HIGH_BYTES(random -> new byte[] {(byte) random.nextInt(256), (byte) random.nextInt(256), (byte) 0x80}),
    THE_LAST_OF_EIGHT(random -> new byte[] {1, 2, 3, 4, 5, 6, 7, (byte) random.nextInt(256), 9}),
    DEEP(random -> bytes("a".repeat(7 * random.nextInt(60)) + "b"));

    private final Function<Random, byte[]> maker;

    Shape(Function<Random, byte[]> maker) {
      this.maker = maker;
    }
  }

  private static byte[] randomOf(Random random, int size, int letters) {
    byte[] key = new byte[size];
    for (int i = 0; i < size; i++) {
      key[i] = (byte) random.nextInt(letters);
    }
    return key;
  }

  /** Returns the keys in the order that the sort computes; null if it gave up. */
  private static List<byte[]> sorted(List<byte[]> keys, int from, int until) {
    int[] ends = new int[keys.size()];
    int end = 0;
    for (int i = 0; i < ends.length; i++) {
      end += keys.get(i).length;
      ends[i] = end;
    }
    byte[] bytes = new byte[end];
    for (int i = 0; i < ends.length; i++) {
      System.arraycopy(keys.get(i), 0, bytes, ends[i] - keys.get(i).length, keys.get(i).length);
    }
    int[] order = IntStream.range(0, ends.length).toArray();
    boolean isSorted = new KeySort(bytes, ends, order).sort(from, until);
    int[] places = order.clone();
    Arrays.sort(places);
    assertArrayEquals(IntStream.range(0, ends.length).toArray(), places, "each key once");
    return isSorted ? Arrays.stream(order).mapToObj(keys::get).toList() : null;
  }

  private static void assertSorts(List<byte[]> keys) {
    List<byte[]> expected = new ArrayList<>(keys);
    expected.sort(Arrays::compareUnsigned);
    List<byte[]> sorted = sorted(keys, 0, keys.size());
    assertEquals(expected.size(), sorted.size());
    for (int i = 0; i < expected.size(); i++) {
      assertArrayEquals(expected.get(i), sorted.get(i));
    }
  }

  @ParameterizedTest
  @EnumSource
  void keysOfEachShapeAreSortedAsUnsignedBytes(Shape shape) {
    for (int count : new int[] {0, 1, 2, 3, 7, 8, 9, 10, 31, 32, 33, 100, 255, 256, 257, 2000}) {
      for (int round = 0; round < 20; round++) {
        List<byte[]> keys = new ArrayList<>();
        for (int i = 0; i < count; i++) {
          keys.add(shape.maker.apply(random));
        }
        assertSorts(keys);
        keys.sort(Arrays::compareUnsigned);
        assertSorts(keys);
        Collections.reverse(keys);
        assertSorts(keys);
      }
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {2, 3, 256})
  void whateverTheKeysAreTheyAreSortedOrItIsToldThatTheyAreNot(int letters) {
    int given = 0;
    for (int round = 0; round < 3000; round++) {
      int longest = 1 + random.nextInt(24);
      List<byte[]> keys = new ArrayList<>();
      for (int i = random.nextInt(60); i >= 0; i--) {
        keys.add(randomOf(random, random.nextInt(longest), letters));
      }
      if (sorted(keys, 0, keys.size()) == null) {
        given++;
      } else {
        assertSorts(keys);
      }
    }
    assertTrue(given < 1000, "given up: " + given);
  }

  @Test
  void aPartIsSortedAndNoMore() {
    List<byte[]> keys = IntStream.range(0, 40).mapToObj(i -> bytes("%02d".formatted(39 - i))).toList();
    List<byte[]> sorted = sorted(keys, 10, 30);
    for (int i = 0; i < 40; i++) {
      int expected = i < 10 || i >= 30 ? 39 - i : i;
      assertEquals(expected, Integer.parseInt(new String(sorted.get(i))));
    }
  }

  @Test
  void manyKeysThatEndWhereOthersHaveZerosAreLeftToTheEngine() {
    List<byte[]> keys = IntStream.range(0, 20).mapToObj(i -> new byte[19 - i]).toList();
    assertEquals(null, sorted(keys, 0, 20));
    assertFalse(sorted(keys.reversed(), 0, 20) == null, "in order already");
  }

  @Test
  void keysMadeToBeSortedSlowlyAreGivenUp() {
    List<byte[]> keys = new ArrayList<>();
    for (int i = 0; i < 3000; i++) {
      keys.add(bytes("a".repeat(7 * i) + "b"));
    }
    Collections.shuffle(keys, random);
    assertTimeout(Duration.ofSeconds(60), () -> assertEquals(null, sorted(keys, 0, keys.size())));
  }
}
