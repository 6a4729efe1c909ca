/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.jmh.programs.threads;

import java.util.Arrays;

/** Durations in nanoseconds, of one thread. */
final class Durations {
  private long[] nanos = new long[1 << 16];
  private int count;
  private boolean isSorted;

  void add(long duration) {
    if (count == nanos.length) {
      nanos = Arrays.copyOf(nanos, 2 * count);
    }
    nanos[count++] = duration;
    isSorted = false;
  }

  void addAll(long... durations) {
    for (long each : durations) {
      add(each);
    }
  }

  int count() {
    return count;
  }

  /** Returns the time in microseconds that a part of the durations do not exceed; 0 if there are none. */
  double micros(double part) {
    if (!isSorted) {
      Arrays.sort(nanos, 0, count);
      isSorted = true;
    }
    return count == 0 ? 0 : nanos[(int) (part * (count - 1))] / 1e3;
  }
}
