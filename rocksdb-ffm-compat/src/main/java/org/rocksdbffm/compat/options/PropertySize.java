/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.compat.options;

import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.rocksdbffm.internal.settings.NativeBudget;

/** A size in the value of a system property, such as {@code 512m}. */
final class PropertySize {
  private static final Pattern SIZE = Pattern.compile("([0-9]{1,13})([kmg]?)");
  private static final String UNITS = "kmg";
  private static final int UNIT_BITS = 10;

  private PropertySize() {}

  /** Returns the bytes; {@code smallest} is the text of {@code least} in the message. */
  static long of(String property, String size, String smallest, long least) {
    Matcher words = SIZE.matcher(size.toLowerCase(Locale.ROOT));
    if (words.matches()) {
      long count = Long.parseLong(words.group(1));
      int shift = (UNITS.indexOf(words.group(2)) + 1) * (words.group(2).isEmpty() ? 0 : UNIT_BITS);
      if (count <= NativeBudget.MOST >> shift && count << shift >= least) {
        return count << shift;
      }
    }
    throw new IllegalArgumentException(
        "-D" + property + "=" + size + ": it is a size from " + smallest + " to 1024g, such as 512m or 2g");
  }
}
