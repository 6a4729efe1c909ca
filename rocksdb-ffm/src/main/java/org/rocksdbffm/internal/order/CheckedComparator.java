/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.order;

import java.lang.foreign.MemorySegment;
import java.util.HexFormat;
import org.rocksdbffm.internal.callback.CallbackFrame;
import org.rocksdbffm.internal.callback.RawComparator;
import org.rocksdbffm.internal.foreign.Memory;

/**
 * A Java comparator that is called more often than needed, to check that its answers form an order: RocksDB relies on
 * that, and can crash on a comparator that contradicts itself. Thread-safe.
 *
 * <p>Extra calls are expensive, so after the first answers only a sample is checked. A checked question is asked again
 * with its keys exchanged, and its keys must be consistent with the keys of the thread's next question, which are often
 * near. The keys of some questions must be consistent with a sample of all keys that were compared. And each written
 * key is compared with the smallest and the largest key written before, which become file bounds before anyone reads
 * them.
 */
public final class CheckedComparator implements RawComparator {
  /** Answers of a comparator that contradict each other. */
  public static final class Contradiction extends IllegalStateException {
    private static final long serialVersionUID = 1L;

    Contradiction(String message) {
      super(message);
    }
  }

  // The first 1024 answers are checked, and one in 256 later. The keys of one question in 32 of the first 4096 are
  // compared with the sample, and of one in 2048 later.
  private static final int FIRST_DOUBTED = 1024;
  private static final int DOUBTED = shareOf(256);
  private static final int FIRST_HEARD = 4096;
  private static final int HEARD_AT_FIRST = shareOf(32);
  private static final int HEARD = shareOf(2048);

  /** Randomizes the choice: a loop of the engine must not have the same question checked each time. */
  private static final int GOLDEN = 0x9e3779b9;

  private static final int MOST_ASKED = 32;
  private static final long LONGEST_ASKED = 1 << 16;
  private static final int FIRST_AND_LAST = 2;

  private final String name;
  private final RawComparator code;
  private final KeySample asked = new KeySample(MOST_ASKED, LONGEST_ASKED);
  private final KeySample written = new KeySample(FIRST_AND_LAST, KeySample.LONG);

  // The number of answers so far, until the first are over. Written by all threads without ordering, because it need
  // not be exact, and not written later, because writes would move the cache line between cores.
  private int first;

  CheckedComparator(String name, RawComparator code) {
    this.name = name;
    this.code = code;
  }

  @Override
  public int compare(CallbackFrame frame, long a, long aSize, long b, long bSize) {
    int order = code.compare(frame, a, aSize, b, bSize);
    if (order == 0 && !Memory.isSame(a, aSize, b, bSize)) {
      throw same(a, aSize, b, bSize);
    }
    int call = first;
    boolean isFirst = call < FIRST_HEARD;
    if (isFirst) {
      first = call + 1;
    }
    OrderState state = OrderState.of(frame);
    int lot = (isFirst ? call : state.nextQuestion()) * GOLDEN;
    if (state.takeDoubted(this)) {
      state.questionedKeys().offer(frame, this, a, aSize);
      state.questionedKeys().offer(frame, this, b, bSize);
    }
    if (isLess(lot, DOUBTED) || call < FIRST_DOUBTED) {
      question(frame, state, a, aSize, b, bSize, order);
    }
    if (isLess(lot, HEARD) || isFirst && isLess(lot, HEARD_AT_FIRST)) {
      asked.offer(frame, this, a, aSize);
      asked.offer(frame, this, b, bSize);
    }
    return order;
  }

  /** Throws if the order of a key that is to be written contradicts the order of other keys. */
  void check(CallbackFrame frame, MemorySegment key, long size) {
    written.require(frame, this, key, size);
  }

  private static int shareOf(int many) {
    return Integer.divideUnsigned(-1, many);
  }

  private static boolean isLess(int lot, int share) {
    return Integer.compareUnsigned(lot, share) < 0;
  }

  int ask(CallbackFrame frame, long a, long aSize, long b, long bSize) {
    return code.compare(frame, a, aSize, b, bSize);
  }

  private void question(
      CallbackFrame frame, OrderState state, long a, long aSize, long b, long bSize, int order) {
    int reversed = ask(frame, b, bSize, a, aSize);
    if (Integer.signum(order) != -Integer.signum(reversed)) {
      throw new Contradiction(
          name + " contradicts itself: for " + ShownKey.of(a, aSize) + " and " + ShownKey.of(b, bSize) + " it said "
              + order
              + ", and the other way round " + reversed);
    }
    state.question(this);
    state.questionedKeys().offer(frame, this, a, aSize);
    state.questionedKeys().offer(frame, this, b, bSize);
  }

  /** Returns the exception for two different keys that compare as equal. */
  Contradiction same(long a, long aSize, long b, long bSize) {
    return new Contradiction(
        name + " takes " + ShownKey.of(a, aSize) + " and " + ShownKey.of(b, bSize) + " for the same key");
  }

  /** Returns the exception for three keys in a circle: each comes before the next, and the last before the first. */
  Contradiction circle(long a, long aSize, long b, long bSize, long c, long cSize) {
    return new Contradiction(
        name + " goes in circles: " + ShownKey.of(a, aSize) + " comes before " + ShownKey.of(b, bSize)
            + ", that before "
            + ShownKey.of(c, cSize) + ", and that before the first again");
  }

  /** Returns the exception for a file whose last key comes before its first. */
  Contradiction disorder(FileBounds.Range file) {
    return new Contradiction(
        "file " + file.file() + " begins with " + ShownKey.of(file.first()) + " and ends with "
            + ShownKey.of(file.last()) + ", but for " + name + " the last comes before the first");
  }
}
