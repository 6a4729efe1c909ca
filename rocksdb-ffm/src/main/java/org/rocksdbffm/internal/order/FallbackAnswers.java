/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.order;

import java.util.Arrays;

/**
 * The answers that the engine gets where an order is lost, so that it finds what it writes out of order, and throws it
 * away, but comes to no harm. One thread.
 *
 * <p>Where nothing is kept, keys are the same. Elsewhere the first key is the smaller one, but not if that goes on. An
 * algorithm that sorts goes along its array for as long as one key is smaller than the next, or the next smaller than
 * the one, and does not look for the array's end. So where it was when the order was lost it stops at once, and
 * elsewhere after two. And two keys that were compared lately get the same answer again, the other way round as well:
 * some of the engine's loops end when two answers agree.
 *
 * <p>A loop that does not end by that is given the order of the keys' bytes at last.
 */
final class FallbackAnswers {
  private static final int IN_ORDER = -1;
  private static final int MOST_REPEATED = 2;
  private static final int KEPT = 16;
  private static final int MOST = 1 << 20;

  /** An answer of these keys. */
  private record Answer(byte[] a, byte[] b, int value) {
    boolean isOf(byte[] first, byte[] second) {
      return Arrays.equals(a, first) && Arrays.equals(b, second);
    }
  }

  // The last two keys that were compared, and for how many answers one of them has been in its place.
  private long lastA;
  private long lastB;
  private byte[] lastKeyA;
  private byte[] lastKeyB;
  private int repeated = IN_ORDER;

  private Object asked;
  private final Answer[] answers = new Answer[KEPT];
  private int given;

  /** Remembers two keys that were compared in their order. */
  void compared(long a, long b) {
    lastA = a;
    lastB = b;
    repeated = IN_ORDER;
  }

  int same(Object order, byte[] keyA, byte[] keyB) {
    return isAtLast(order) ? Arrays.compareUnsigned(keyA, keyB) : 0;
  }

  int smaller(Object order, long a, byte[] keyA, long b, byte[] keyB) {
    if (isAtLast(order)) {
      return Arrays.compareUnsigned(keyA, keyB);
    }
    int answer = answerAsBefore(keyA, keyB);
    repeat(a, keyA, b, keyB);
    if (answer == 0) {
      answer = repeated < MOST_REPEATED ? -1 : 1;
    }
    answers[given % KEPT] = new Answer(keyA, keyB, answer);
    return answer;
  }

  private boolean isAtLast(Object order) {
    if (asked != order) {
      asked = order;
      Arrays.fill(answers, null);
      given = 0;
    }
    if (given < MOST) {
      given++;
    }
    return given == MOST;
  }

  private int answerAsBefore(byte[] keyA, byte[] keyB) {
    for (Answer before : answers) {
      if (before != null && before.isOf(keyA, keyB)) {
        return before.value();
      }
      if (before != null && before.isOf(keyB, keyA)) {
        return -before.value();
      }
    }
    return 0;
  }

  private void repeat(long a, byte[] keyA, long b, byte[] keyB) {
    if (repeated == IN_ORDER) {
      repeated = a == lastA || b == lastB || a == lastB || b == lastA ? MOST_REPEATED : 0;
    } else if (a == lastA && Arrays.equals(keyA, lastKeyA) || b == lastB && Arrays.equals(keyB, lastKeyB)) {
      repeated = Math.min(repeated + 1, MOST_REPEATED);
    } else {
      repeated = 0;
    }
    lastA = a;
    lastB = b;
    lastKeyA = keyA;
    lastKeyB = keyB;
  }
}
