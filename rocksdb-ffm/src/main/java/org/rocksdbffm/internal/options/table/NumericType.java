/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.options.table;

import java.util.ArrayList;
import java.util.List;

/** The type of integers within ranges. */
public final class NumericType extends OptionType {
  private final NumberType type;
  private final List<Range> ranges = new ArrayList<>();

  /** A range, both ends included. */
  public record Range(long from, long to) {}

  NumericType(NumberType type, String supported) {
    super(supported);
    this.type = type;
    if (!isNothingElse()) {
      for (String alternative : supported.split("\\|")) {
        int dots = alternative.indexOf("..");
        String from = dots < 0 ? alternative : alternative.substring(0, dots);
        String to = dots < 0 ? alternative : alternative.substring(dots + 2);
        ranges.add(new Range(from.equals("*") ? type.least : type.parse(from), to.equals("*") ? type.most : type.parse(to)));
      }
    }
  }

  public List<Range> ranges() {
    return ranges;
  }

  public NumberType type() {
    return type;
  }

  @Override
  String write(String value) {
    String number = OptionText.withoutBraces(value).strip();
    try {
      return type.format(type.parse(number));
    } catch (NumberFormatException e) {
      if (number.matches("[-+]?\\d+[kmgtKMGT]?")) { // too large, or negative for an unsigned type
        throw new Mismatch(": " + number + ", but it must be " + supported());
      }
      throw new Mismatch(": '" + value + "' is no whole number, such as 4096 or 4k");
    }
  }

  @Override
  List<String> bounds() {
    List<String> bounds = new ArrayList<>();
    for (Range range : ranges) {
      bounds.add(type.format(range.from));
      if (range.from != range.to) {
        bounds.add(type.format(range.to));
      }
    }
    return bounds;
  }

  @Override
  public boolean isAmongSupported(String written) {
    long number = type.parse(written);
    for (Range range : ranges) {
      if (type.compare(number, range.from) >= 0 && type.compare(number, range.to) <= 0) {
        return true;
      }
    }
    return false;
  }

  @Override
  String supported() {
    List<String> words = new ArrayList<>();
    for (Range range : ranges.isEmpty() ? List.of(new Range(type.least, type.most)) : ranges) {
      words.add(
          range.from == range.to
              ? type.format(range.from)
              : "from " + type.format(range.from) + " to " + type.format(range.to));
    }
    return String.join(" or ", words);
  }
}
