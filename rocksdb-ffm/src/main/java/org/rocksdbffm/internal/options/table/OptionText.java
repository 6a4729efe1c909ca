/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.options.table;

import static java.util.Objects.requireNonNull;

import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;

/** RocksDB's notation of options: {@code name=value;...}, where a value in braces may contain options. */
public final class OptionText {
  private OptionText() {}

  /** Copies a user's map before any call, because it may change concurrently, or violate its contract. */
  public static Map<String, String> copy(Map<String, String> options) {
    Map<String, String> copy = new LinkedHashMap<>(requireNonNull(options, "options"));
    copy.forEach((name, value) -> {
      requireNonNull(name, "options: a name is null");
      requireNonNull(value, () -> "options: the value of " + name + " is null");
    });
    return copy;
  }

  /** Returns the options string; adds braces to values that need them. */
  public static String format(Map<String, String> options) {
    StringBuilder text = new StringBuilder();
    for (var option : options.entrySet()) {
      String enclosed = enclosed(option.getValue());
      text.append(option.getKey()).append('=').append(enclosed == null ? option.getValue() : enclosed).append(';');
    }
    return text.toString();
  }

  /** Returns a value with braces if needed to delimit it; null if its braces do not match. */
  public static String enclosed(String value) {
    if (value.startsWith("{") ? isOnePair(value) : isPlain(value)) {
      return value;
    }
    return isBalanced(value) ? "{" + value + "}" : null;
  }

  /**
   * Returns a text with braces around it if RocksDB would otherwise change it: RocksDB removes one pair of braces, and
   * blanks at the ends.
   */
  public static String quoted(String text) {
    boolean asItIs = isPlain(text) && text.equals(text.strip());
    return asItIs ? text : isBalanced(text) ? "{" + text + "}" : null;
  }

  /** Removes braces around the whole value, once. */
  public static String withoutBraces(String value) {
    return isOnePair(value) ? value.substring(1, value.length() - 1) : value;
  }

  private static boolean isPlain(String value) {
    return value.indexOf(';') < 0 && value.indexOf('{') < 0 && value.indexOf('}') < 0;
  }

  /** Whether a value begins with a brace whose closing brace is the last character. */
  private static boolean isOnePair(String value) {
    return value.startsWith("{") && closeOf(value) == value.length() - 1;
  }

  /** Returns the index of the closing brace of the first brace; -1 if there is none. */
  private static int closeOf(String value) {
    int depth = 0;
    for (int i = 0; i < value.length(); i++) {
      char c = value.charAt(i);
      if (c == '{') {
        depth++;
      } else if (c == '}' && --depth == 0) {
        return i;
      }
    }
    return -1;
  }

  private static boolean isBalanced(String value) {
    return isOnePair("{" + value + "}");
  }

  /** Parses names and values as RocksDB does; the last value of a name wins, and values keep their braces. */
  public static Map<String, String> parse(String text) {
    Map<String, String> options = new LinkedHashMap<>();
    String rest = text.strip();
    while (rest.length() > 2 && rest.startsWith("{") && rest.endsWith("}")) {
      rest = rest.substring(1, rest.length() - 1).strip();
    }
    while (!rest.isEmpty()) {
      int end = endOfOption(rest);
      String option = rest.substring(0, end).strip();
      int equals = option.indexOf('=');
      if (equals > 0 && isPlain(option.substring(0, equals))) {
        options.put(option.substring(0, equals).strip(), option.substring(equals + 1).strip());
      } else if (!option.isEmpty()) {
        throw new IllegalArgumentException("options: '" + option + "' is not of the form name=value");
      }
      rest = rest.substring(Math.min(end + 1, rest.length()));
    }
    return options;
  }

  /**
   * Returns the index after the first option. Braces are only matched if the value begins with one, and must end the
   * value.
   */
  private static int endOfOption(String text) {
    int equals = text.indexOf('=');
    int end = text.indexOf(';');
    String value = text.substring(equals + 1).stripLeading();
    if (equals >= 0 && (end < 0 || equals < end) && value.startsWith("{")) {
      int close = closeOf(value);
      int behind = text.length() - value.length() + close + 1;
      end = text.indexOf(';', behind);
      if (close < 0 || !text.substring(behind, end < 0 ? text.length() : end).isBlank()) {
        throw new IllegalArgumentException("options: the braces in '" + text + "' do not match");
      }
    }
    return end < 0 ? text.length() : end;
  }

  /** Whether C++ can receive the text unchanged: it has no NUL, and is valid UTF-16. */
  public static boolean isWellFormed(String text) {
    return text.indexOf('\0') < 0 && isUtf8(text);
  }

  /** Whether UTF-8 can encode the text: it has no unpaired surrogate. */
  public static boolean isUtf8(String text) {
    for (int i = 0; i < text.length(); i++) {
      if (Character.isSurrogate(text.charAt(i))) {
        return StandardCharsets.UTF_8.newEncoder().canEncode(text);
      }
    }
    return true;
  }
}
