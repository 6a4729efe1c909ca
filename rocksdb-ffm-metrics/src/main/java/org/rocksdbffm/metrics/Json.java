/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.metrics;

import java.util.Collection;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Formats maps, lists, strings, numbers and booleans as JSON, with a line for each map with an {@code id}, so that
 * versions can be compared.
 */
final class Json {
  private Json() {}

  static String of(Object value) {
    return switch (value) {
      case Map<?, ?> map ->
          map.entrySet().stream()
              .map(entry -> quoted(entry.getKey().toString()) + ": " + of(entry.getValue()))
              .collect(Collectors.joining(", ", map.containsKey("id") ? "\n{" : "{", "}"));
      case Collection<?> all -> all.stream().map(Json::of).collect(Collectors.joining(", ", "[", "]"));
      case String text -> quoted(text);
      default -> value.toString();
    };
  }

  private static String quoted(String text) {
    return '"' + text.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
  }
}
