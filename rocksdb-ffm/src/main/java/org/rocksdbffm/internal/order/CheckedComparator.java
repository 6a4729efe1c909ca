/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.order;

import java.lang.foreign.MemorySegment;
import java.util.HexFormat;
import org.rocksdbffm.internal.callback.CallbackFrame;
import org.rocksdbffm.internal.callback.RawComparator;
import org.rocksdbffm.internal.foreign.Memory;

/**
 * A comparator in Java that is asked more than is needed, to see whether its answers are an order: the engine relies on
 * that, and one that contradicts itself can break it. Thread-safe.
 *
 * <p>Asking is dear, so after the first answers only some are doubted. Such a one is asked for the other way round, and
 * its keys have to fit in with those of the thread's next question, which are often near. The keys of some questions have
 * to fit in with a sample of keys from everywhere. And each key that is written is held against the first and the last of
 * those before it, which become the ends of a file before anyone can look at it.
 */
public final class CheckedComparator implements RawComparator {
  /** Answers of a comparator that no order can give. */
  public static final class Contradiction extends IllegalStateException {
    private static final long serialVersionUID = 1L;

    Contradiction(String message) {
      super(message);
    }
  }

  // The first 1024 answers are doubted, and one in 256 later. The keys of one in 32 of the first 4096 have to fit in
  // with the sample, and of one in 2048 later.
  private static final int FIRST_DOUBTED = 1024;
  private static final int DOUBTED = shareOf(256);
  private static final int FIRST_HEARD = 4096;
  private static final int HEARD_AT_FIRST = shareOf(32);
  private static final int HEARD = shareOf(2048);

  /** Spreads those that are chosen: a loop of the engine's must not be asked the same each time. */
  private static final int GOLDEN = 0x9e3779b9;

  private static final int MOST_ASKED = 32;
  private static final long LONGEST_ASKED = 1 << 16;
  private static final int FIRST_AND_LAST = 2;
  private static final int MOST_SHOWN = 16;

  private final String name;
  private final RawComparator code;
  private final KeySample asked = new KeySample(MOST_ASKED, LONGEST_ASKED);
  private final KeySample written = new KeySample(FIRST_AND_LAST, KeySample.LONG);

  // How many of the first answers were given. Written by all threads without order, for it need not be exact, and not any
  // more when they are over: what one thread writes, another has to fetch.
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
      state.doubtedKeys().offer(frame, this, a, aSize);
      state.doubtedKeys().offer(frame, this, b, bSize);
    }
    if (isLess(lot, DOUBTED) || call < FIRST_DOUBTED) {
      doubt(frame, state, a, aSize, b, bSize, order);
    }
    if (isLess(lot, HEARD) || isFirst && isLess(lot, HEARD_AT_FIRST)) {
      asked.offer(frame, this, a, aSize);
      asked.offer(frame, this, b, bSize);
    }
    return order;
  }

  /** Throws if a key that is to be written has no place among the others. */
  void hear(CallbackFrame frame, MemorySegment key, long size) {
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

  private void doubt(
      CallbackFrame frame, OrderState state, long a, long aSize, long b, long bSize, int order) {
    int reversed = ask(frame, b, bSize, a, aSize);
    if (Integer.signum(order) != -Integer.signum(reversed)) {
      throw new Contradiction(
          name + " contradicts itself: for " + shown(a, aSize) + " and " + shown(b, bSize) + " it said " + order
              + ", and the other way round " + reversed);
    }
    state.doubt(this);
    state.doubtedKeys().offer(frame, this, a, aSize);
    state.doubtedKeys().offer(frame, this, b, bSize);
  }

  /** Of two keys that differ. */
  Contradiction same(long a, long aSize, long b, long bSize) {
    return new Contradiction(name + " takes " + shown(a, aSize) + " and " + shown(b, bSize) + " for the same key");
  }

  /** Of three keys that come one before the other, as the last of them does before the first. */
  Contradiction circle(long a, long aSize, long b, long bSize, long c, long cSize) {
    return new Contradiction(
        name + " goes in circles: " + shown(a, aSize) + " comes before " + shown(b, bSize) + ", that before "
            + shown(c, cSize) + ", and that before the first again");
  }

  /** Of a file, which is in order row by row, but whose last key comes before its first. */
  Contradiction disorder(FileBounds.Range file) {
    return new Contradiction(
        "file " + file.file() + " begins with " + shown(file.first(), file.first().length) + " and ends with "
            + shown(file.last(), file.last().length) + ", but for " + name + " the last comes before the first");
  }

  private static String shown(long key, long size) {
    return shown(Memory.toArray(key, Math.min(size, MOST_SHOWN)), size);
  }

  private static String shown(byte[] key, long size) {
    String beginning = HexFormat.of().formatHex(key, 0, Math.min(key.length, MOST_SHOWN));
    return "0x" + beginning + (size > MOST_SHOWN ? "... of " + size + " bytes" : "");
  }
}
