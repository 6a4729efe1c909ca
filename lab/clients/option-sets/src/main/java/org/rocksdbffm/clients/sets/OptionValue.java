/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.clients.sets;

import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;

/** Converts a value of the table to the type of a parameter. */
final class OptionValue {
  private OptionValue() {}

  /** Converts a word, a list or an object; throws {@link IllegalArgumentException} if it does not fit. */
  static Object of(Object value, Type type) {
    Class<?> raw = (Class<?>) (type instanceof ParameterizedType generic ? generic.getRawType() : type);
    if (value instanceof String word) {
      return ofWord(word, raw);
    }
    if (!raw.isInstance(value)) {
      throw new IllegalArgumentException();
    }
    if (value instanceof List<?> elements) {
      Type element = ((ParameterizedType) type).getActualTypeArguments()[0];
      return elements.stream().map(each -> of(each, element)).toList();
    }
    return value;
  }

  private static Object ofWord(String word, Class<?> type) {
    if (word.equals("null") && !type.isPrimitive()) {
      return null;
    }
    if (type.isEnum()) {
      return Arrays.stream(type.getEnumConstants())
          .filter(constant -> ((Enum<?>) constant).name().equals(word))
          .findFirst()
          .orElseThrow(IllegalArgumentException::new);
    }
    if (type == boolean.class && (word.equals("true") || word.equals("false"))) {
      return word.equals("true");
    }
    if (type == int.class) {
      return Math.toIntExact(number(word));
    }
    if (type == long.class) {
      return number(word);
    }
    if (type == double.class) {
      return Double.parseDouble(word);
    }
    if (type == String.class) {
      return word;
    }
    if (type == Path.class) {
      return Path.of(word);
    }
    throw new IllegalArgumentException();
  }

  private static long number(String word) {
    int unit = "KMG".indexOf(word.charAt(word.length() - 1));
    return unit < 0 ? Long.parseLong(word) : Long.parseLong(word.substring(0, word.length() - 1)) << 10 * (unit + 1);
  }
}
