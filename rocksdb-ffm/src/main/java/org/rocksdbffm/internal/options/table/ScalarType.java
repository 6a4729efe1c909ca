/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.options.table;

import java.util.ArrayList;
import java.util.List;

/** The types of values of one part that are no whole numbers. */
final class ScalarType {
  private ScalarType() {}

  /** True or false. */
  static final class Bool extends OptionType {
    Bool(String supported) {
      super(supported);
    }

    @Override
    String write(String value) {
      return switch (OptionText.withoutBraces(value).strip()) {
        case "true", "1" -> "true";
        case "false", "0" -> "false";
        default -> throw new Mismatch(": '" + value + "' is neither true nor false");
      };
    }

    @Override
    boolean isAmongSupported(String written) {
      return true;
    }

    @Override
    List<String> bounds() {
      return List.of("true", "false");
    }

    @Override
    String supported() {
      return "true or false";
    }
  }

  /** Numbers with a point. */
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
        return Double.toString(Decimals.parse(OptionText.withoutBraces(value).strip()));
      } catch (NumberFormatException e) {
        throw new Mismatch(": '" + value + "' is no number, such as 0.5");
      }
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

  /** One of the engine's words. */
  static final class Word extends OptionType {
    private final List<String> words;

    Word(String supported) {
      super(supported);
      words = alternatives(supported);
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

  /** Any text; of a path too, the engine knows no more. */
  static final class Text extends OptionType {
    Text(String supported) {
      super(supported);
    }

    @Override
    String write(String value) {
      String quoted = OptionText.quoted(OptionText.withoutBraces(value));
      if (quoted == null) {
        throw new Mismatch(": the braces in '" + value + "' do not match");
      }
      return quoted;
    }

    @Override
    boolean isAmongSupported(String written) {
      return true;
    }

    @Override
    String supported() {
      return "any text";
    }
  }

  /** From a time of the day to another. */
  static final class Times extends OptionType {
    Times(String supported) {
      super(supported);
    }

    @Override
    String write(String value) {
      String[] times = OptionText.withoutBraces(value).strip().split("-", -1);
      if (times.length == 1 && times[0].isEmpty()) {
        return "";
      }
      List<String> written = new ArrayList<>();
      for (String time : times) {
        if (isTime(time)) {
          written.add(time);
        }
      }
      if (times.length != 2 || written.size() != 2 || times[0].equals(times[1])) {
        throw new Mismatch(": '" + value + "' is no " + supported());
      }
      return String.join("-", written);
    }

    private static boolean isTime(String time) {
      return time.length() == 5
          && time.charAt(2) == ':'
          && isBelow(time.charAt(0), time.charAt(1), 24)
          && isBelow(time.charAt(3), time.charAt(4), 60);
    }

    private static boolean isBelow(char tens, char ones, int limit) {
      boolean digits = tens >= '0' && tens <= '9' && ones >= '0' && ones <= '9';
      return digits && (tens - '0') * 10 + ones - '0' < limit;
    }

    @Override
    boolean isAmongSupported(String written) {
      return true;
    }

    @Override
    String supported() {
      return "time of the day to another, such as 23:30-04:00";
    }
  }

  /** A value that the engine takes and passes over. */
  static final class Ignored extends OptionType {
    Ignored(String supported) {
      super(supported);
    }

    @Override
    String write(String value) {
      String enclosed = OptionText.enclosed(value);
      if (enclosed == null) {
        throw new Mismatch(": the braces in '" + value + "' do not match");
      }
      return enclosed;
    }

    @Override
    boolean isAmongSupported(String written) {
      return true;
    }

    @Override
    String supported() {
      return "without an effect";
    }
  }
}
