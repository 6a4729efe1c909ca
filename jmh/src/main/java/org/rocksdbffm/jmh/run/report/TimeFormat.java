/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.jmh.run.report;

import java.text.DecimalFormat;
import java.text.FieldPosition;
import java.text.NumberFormat;
import java.text.ParsePosition;

/** Formats nanoseconds for an axis, such as {@code 50 ms}. */
final class TimeFormat extends NumberFormat {
  private static final long serialVersionUID = 1;
  private static final NumberFormat DIGITS = new DecimalFormat("0.##");

  @Override
  public StringBuffer format(double nanos, StringBuffer to, FieldPosition position) {
    String text =
        nanos < 1e3 ? DIGITS.format(nanos) + " ns"
            : nanos < 1e6 ? DIGITS.format(nanos / 1e3) + " us"
            : DIGITS.format(nanos / 1e6) + " ms";
    return to.append(text);
  }

  @Override
  public StringBuffer format(long nanos, StringBuffer to, FieldPosition position) {
    return format((double) nanos, to, position);
  }

  @Override
  public Number parse(String text, ParsePosition position) {
    throw new UnsupportedOperationException("marks are only written");
  }
}
