/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.order;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.rocksdbffm.internal.callback.CallbackFrame;
import org.rocksdbffm.internal.foreign.Memory;

/**
 * Two keys of which an order in Java has spoken, kept by a thread until it asks the order again: then the four keys are
 * all compared to each other, and must stand in a row. One thread.
 */
final class PairCheck {
  private static final long LONGEST = 1024;

  private final MemorySegment memory = Arena.ofAuto().allocate(2 * LONGEST);
  private final long x = memory.address();
  private final long y = x + LONGEST;
  private CheckedComparator order;
  private long xSize;
  private long ySize;
  private int xy;

  boolean isOn(CheckedComparator asked) {
    return order == asked;
  }

  /** Keeps two keys that are not very long. */
  void keep(CheckedComparator asked, long a, long aSize, long b, long bSize, int answer) {
    if (aSize <= LONGEST && bSize <= LONGEST) {
      order = asked;
      xSize = aSize;
      ySize = bSize;
      xy = answer;
      Memory.copy(a, aSize, memory.asSlice(0, aSize));
      Memory.copy(b, bSize, memory.asSlice(LONGEST, bSize));
    }
  }

  /** Asks of the two keys that were kept and two others what has not been asked yet, and ends. */
  void resolve(CallbackFrame frame, long a, long aSize, long b, long bSize, int ab) {
    CheckedComparator asked = order;
    order = null;
    int xa = asked.ask(frame, x, xSize, a, aSize);
    int ya = asked.ask(frame, y, ySize, a, aSize);
    requireRow(asked, x, xSize, y, ySize, a, aSize, xy, ya, xa);
    int xb = asked.ask(frame, x, xSize, b, bSize);
    requireRow(asked, x, xSize, a, aSize, b, bSize, xa, ab, xb);
    int yb = asked.ask(frame, y, ySize, b, bSize);
    requireRow(asked, x, xSize, y, ySize, b, bSize, xy, yb, xb);
    requireRow(asked, y, ySize, a, aSize, b, bSize, ya, ab, yb);
  }

  private static void requireRow(
      CheckedComparator asked, long p, long pSize, long q, long qSize, long r, long rSize, int pq, int qr, int pr) {
    if (pq <= 0 && qr <= 0 && pr >= 0 && !(pq == 0 && qr == 0 && pr == 0)) {
      throw asked.circle(p, pSize, q, qSize, r, rSize);
    }
    if (pq >= 0 && qr >= 0 && pr <= 0 && !(pq == 0 && qr == 0 && pr == 0)) {
      throw asked.circle(r, rSize, q, qSize, p, pSize);
    }
  }
}
