/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.compat.support;

/** An interval of integers, with inclusive bounds. */
record Interval(long least, long most) {
  /** Parses {@code a..b}, with optional bounds, or a single number. */
  static Interval of(String text) {
    int between = text.indexOf("..");
    if (between < 0) {
      return new Interval(Long.parseLong(text), Long.parseLong(text));
    }
    String most = text.substring(between + 2);
    return new Interval(
        between == 0 ? Long.MIN_VALUE : Long.parseLong(text.substring(0, between)),
        most.isEmpty() ? Long.MAX_VALUE : Long.parseLong(most));
  }

  boolean has(long value) {
    return value >= least && value <= most;
  }

  /** Returns the end of a sentence for a message. */
  @Override
  public String toString() {
    if (least == most) {
      return Long.toString(least);
    }
    if (most == Long.MAX_VALUE) {
      return "at least " + least;
    }
    return least == Long.MIN_VALUE ? "at most " + most : "from " + least + " to " + most;
  }
}
