/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.order;

import java.util.Arrays;

/**
 * Answers to the engine after a comparator has failed: they make the engine find its output out of order and discard
 * it, without crashing. Used by one thread.
 *
 * <p>If the engine stores no result, as in a read, keys compare as equal. Otherwise the first key is the smaller one,
 * but not repeatedly: a sort scans its array while one key is smaller than the next, without checking the array's end.
 * So if a scan was under way at the failure, it is stopped by the first answer, and later scans by the third. Recent
 * pairs of keys get the same answer again, also with the keys exchanged, because some engine loops end when two answers
 * agree.
 *
 * <p>A loop that does not end even so gets the bytewise order at last.
 */
final class FallbackAnswers {
  private static final int IN_ORDER = -1;
  private static final int MOST_REPEATED = 2;
  private static final int KEPT = 16;
  private static final int MOST = 1 << 20;

  /** The answer for a pair of keys. */
  private record Answer(byte[] a, byte[] b, int value) {
    boolean isOf(byte[] first, byte[] second) {
      return Arrays.equals(a, first) && Arrays.equals(b, second);
    }
  }

  // The last two keys that were compared, and how often one of them was repeated in a row.
  private long lastA;
  private long lastB;
  private byte[] lastKeyA;
  private byte[] lastKeyB;
  private int repeated = IN_ORDER;

  private Object asked;
  private final Answer[] answers = new Answer[KEPT];
  private int given;

  /** Stores the last two keys that the comparator compared. */
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
