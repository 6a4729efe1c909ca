/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.jmh.process;

import java.lang.reflect.RecordComponent;
import java.util.List;
import java.util.Objects;

/** Formats a record of numbers as a line that a process prints, and parses it in the parent process. */
public final class Printed {
  private Printed() {}

  public static String line(Record figures) {
    StringBuilder line = new StringBuilder(begin(figures.getClass()));
    try {
      for (RecordComponent component : figures.getClass().getRecordComponents()) {
        component.getAccessor().setAccessible(true);
        line.append(' ').append(component.getAccessor().invoke(figures));
      }
    } catch (ReflectiveOperationException e) {
      throw new AssertionError(e);
    }
    return line.toString();
  }

  /** Parses a line; returns null if it is not a record of this type. */
  public static <R extends Record> R parse(Class<R> type, String line) {
    if (!line.startsWith(begin(type) + " ")) {
      return null;
    }
    String[] words = line.substring(begin(type).length() + 1).split(" ");
    RecordComponent[] components = type.getRecordComponents();
    Class<?>[] types = new Class<?>[components.length];
    Object[] numbers = new Object[components.length];
    for (int i = 0; i < components.length; i++) {
      types[i] = components[i].getType();
      numbers[i] = number(types[i], words[i]);
    }
    try {
      var constructor = type.getDeclaredConstructor(types);
      constructor.setAccessible(true);
      return constructor.newInstance(numbers);
    } catch (ReflectiveOperationException e) {
      throw new AssertionError(e);
    }
  }

  /**
   * Returns the last record in the lines that a process has printed.
   *
   * @throws IllegalStateException if the process has printed no such record; the message has all lines
   */
  public static <R extends Record> R in(Class<R> type, List<String> lines) {
    return lines.reversed().stream()
        .map(line -> parse(type, line))
        .filter(Objects::nonNull)
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalStateException("no line of " + type.getSimpleName() + " in:\n" + String.join("\n", lines)));
  }

  private static Object number(Class<?> type, String word) {
    if (type == int.class) {
      return Integer.valueOf(word);
    }
    return type == long.class ? (Object) Long.valueOf(word) : Double.valueOf(word);
  }

  private static String begin(Class<?> type) {
    return "FIGURES " + type.getSimpleName();
  }
}
