/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.options.table;

import java.util.List;
import java.util.function.UnaryOperator;

/** Types of single values other than integers. */
final class ScalarType {
  private static final String TIME = "([01]\\d|2[0-3]):[0-5]\\d";
  static final String TIMES = "time of the day to another, such as 23:30-04:00";

  private ScalarType() {}

  /** A type whose values are all supported, with a description and a function that writes values. */
  static final class Plain extends OptionType {
    private final String described;
    private final UnaryOperator<String> writer;
    private final List<String> bounds;

    Plain(String supported, String described, UnaryOperator<String> writer, String... bounds) {
      super(supported);
      this.described = described;
      this.writer = writer;
      this.bounds = List.of(bounds);
    }

    @Override
    String write(String value) {
      return writer.apply(value);
    }

    @Override
    String supported() {
      return described;
    }

    @Override
    List<String> bounds() {
      return bounds;
    }
  }

  static String bool(String value) {
    return switch (OptionText.withoutBraces(value).strip()) {
      case "true", "1" -> "true";
      case "false", "0" -> "false";
      default -> throw new OptionType.Mismatch(": '" + value + "' is neither true nor false");
    };
  }

  /** Any text, which includes paths. */
  static String text(String value) {
    return requireEven(OptionText.quoted(OptionText.withoutBraces(value)), value);
  }

  /** A value that RocksDB accepts and ignores. */
  static String ignored(String value) {
    return requireEven(OptionText.enclosed(value), value);
  }

  private static String requireEven(String written, String value) {
    if (written == null) {
      throw new OptionType.Mismatch(": the braces in '" + value + "' do not match");
    }
    return written;
  }

  /** A period of the day. */
  static String times(String value) {
    String times = OptionText.withoutBraces(value).strip();
    if (!times.isEmpty() && (!times.matches(TIME + "-" + TIME) || times.matches("(.*)-\\1"))) {
      throw new OptionType.Mismatch(": '" + value + "' is no " + TIMES);
    }
    return times;
  }

  /** Decimal numbers. */
  static final class Decimal extends OptionType {
    private final double from;
    private final double to;

    Decimal(String supported) {
      super(supported);
      int dots = supported.indexOf("..");
      from = dots < 0 ? -Double.MAX_VALUE : Double.parseDouble(supported.substring(0, dots));
      to = dots < 0 ? Double.MAX_VALUE : Double.parseDouble(supported.substring(dots + 2));
    }

    @Override
    String write(String value) {
      try {
        return Double.toString(parse(OptionText.withoutBraces(value).strip()));
      } catch (NumberFormatException e) {
        throw new Mismatch(": '" + value + "' is no number, such as 0.5");
      }
    }

    /** Parses the whole text; RocksDB would parse only its start. */
    static double parse(String text) {
      double number = text.matches("[-+]?\\d+(\\.\\d+)?([eE][-+]?\\d+)?") ? Double.parseDouble(text) : Double.NaN;
      if (!Double.isFinite(number)) {
        throw new NumberFormatException(text);
      }
      return number;
    }

    @Override
    boolean isAmongSupported(String written) {
      double number = Double.parseDouble(written);
      return number >= from && number <= to;
    }

    @Override
    List<String> bounds() {
      return List.of(Double.toString(from), Double.toString(to));
    }

    @Override
    String supported() {
      return "from " + from + " to " + to;
    }
  }

  /** One of the words that RocksDB knows. */
  static final class Word extends OptionType {
    private final List<String> words;

    Word(String supported) {
      super(supported);
      words = List.of(supported.split("\\|"));
    }

    @Override
    String write(String value) {
      String word = OptionText.withoutBraces(value).strip();
      for (int i = 0; i < word.length(); i++) {
        if (!Character.isLetterOrDigit(word.charAt(i)) && word.charAt(i) != '_') {
          throw new Mismatch(": '" + value + "' is no word; it is " + supported());
        }
      }
      return word;
    }

    @Override
    boolean isAmongSupported(String written) {
      return words.contains(written);
    }

    @Override
    List<String> bounds() {
      return words;
    }

    @Override
    String supported() {
      return "one of " + String.join(", ", words);
    }

    @Override
    String advice(String written) {
      return NearestName.advice(written, words);
    }
  }
}
