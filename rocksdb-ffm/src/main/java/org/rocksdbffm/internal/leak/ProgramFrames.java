/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.leak;

import java.net.URL;
import java.security.CodeSource;
import java.util.Arrays;

/** Removes this library's inner frames from a stack: the first frame left is the method that the program called. */
final class ProgramFrames {
  private ProgramFrames() {}

  /**
   * Removes this library's inner frames from the top of a stack.
   *
   * @param other a class of the library on top of this one, which may be in another jar
   */
  static StackTraceElement[] of(StackTraceElement[] stack, Class<?> other) {
    int called = 0;
    for (int i = 0; i < stack.length && (isOfJdk(stack[i]) || isOfLibrary(stack[i], other)); i++) {
      called = isOfJdk(stack[i]) ? called : i;
    }
    return Arrays.copyOfRange(stack, called, stack.length);
  }

  private static boolean isOfJdk(StackTraceElement frame) {
    return "java.base".equals(frame.getModuleName());
  }

  private static boolean isOfLibrary(StackTraceElement frame, Class<?> other) {
    try {
      URL place = place(Class.forName(frame.getClassName(), false, other.getClassLoader()));
      return place != null && (place.equals(place(other)) || place.equals(place(ProgramFrames.class)));
    } catch (ClassNotFoundException | LinkageError e) {
      return false; // a class of the program
    }
  }

  private static URL place(Class<?> type) {
    CodeSource source = type.getProtectionDomain().getCodeSource();
    return source == null ? null : source.getLocation();
  }
}
