/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal;

import static java.util.Objects.requireNonNull;

import java.util.LinkedHashMap;
import java.util.Map;

/** The engine's notation for options: {@code name=value;...}, where a value in braces may hold options again. */
public final class OptionText {
  private OptionText() {}

  /** A copy of a user's map, taken before any call: it may change, or not keep to what it says of itself. */
  public static Map<String, String> copy(Map<String, String> options) {
    Map<String, String> copy = new LinkedHashMap<>(requireNonNull(options, "options"));
    copy.forEach((name, value) -> {
      requireNonNull(name, "options: a name is null");
      requireNonNull(value, () -> "options: the value of " + name + " is null");
    });
    return copy;
  }

  public static String format(Map<String, String> options) {
    StringBuilder text = new StringBuilder();
    for (var option : options.entrySet()) {
      text.append(option.getKey()).append('=').append(braced(option.getValue())).append(';');
    }
    return text.toString();
  }

  /** A value that holds a semicolon needs braces, unless it has them. */
  private static String braced(String value) {
    return value.indexOf(';') >= 0 && !value.startsWith("{") ? "{" + value + "}" : value;
  }

  public static String withoutBraces(String value) {
    return value.startsWith("{") && value.endsWith("}") ? value.substring(1, value.length() - 1) : value;
  }

  public static Map<String, String> parse(String text) {
    Map<String, String> options = new LinkedHashMap<>();
    int at = 0;
    while (at < text.length()) {
      int end = endOfOption(text, at);
      String option = text.substring(at, end).strip();
      if (!option.isEmpty()) {
        int equals = option.indexOf('=');
        if (equals < 1) {
          throw new IllegalArgumentException("options: '" + option + "' is not of the form name=value");
        }
        options.put(option.substring(0, equals).strip(), option.substring(equals + 1).strip());
      }
      at = end + 1;
    }
    return options;
  }

  private static int endOfOption(String text, int from) {
    int depth = 0;
    int at = from;
    for (; at < text.length(); at++) {
      char c = text.charAt(at);
      if (c == '{') {
        depth++;
      } else if (c == '}') {
        depth--;
      } else if (c == ';' && depth == 0) {
        break;
      }
      if (depth < 0) {
        break;
      }
    }
    if (depth != 0) {
      throw new IllegalArgumentException("options: the braces in '" + text.substring(from) + "' do not match");
    }
    return at;
  }
}
