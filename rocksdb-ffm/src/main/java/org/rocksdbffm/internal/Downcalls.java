/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodType;
import java.util.Map;
import org.rocksdbffm.internal.loader.NativeLibrary;

/**
 * Functions that the bindings do not have, linked by name for code that was not written but made: the drop-in, of
 * which most programs call a few of a thousand. A pointer is a {@code long} there, as it is in {@code org.rocksdb}.
 */
public final class Downcalls {
  private static final Map<Class<?>, MemoryLayout> LAYOUTS =
      Map.of(
          boolean.class, ValueLayout.JAVA_BOOLEAN,
          byte.class, ValueLayout.JAVA_BYTE,
          char.class, ValueLayout.JAVA_CHAR,
          short.class, ValueLayout.JAVA_SHORT,
          int.class, ValueLayout.JAVA_INT,
          long.class, ValueLayout.JAVA_LONG,
          double.class, ValueLayout.JAVA_DOUBLE);

  private Downcalls() {}

  /** Links a function whose parameters and result are as wide as those of the type. */
  public static MethodHandle link(String symbol, MethodType type) {
    return Linker.nativeLinker().downcallHandle(NativeLibrary.find(symbol), descriptor(symbol, type));
  }

  static FunctionDescriptor descriptor(String symbol, MethodType type) {
    MemoryLayout[] parameters =
        type.parameterList().stream().map(parameter -> layout(symbol, parameter)).toArray(MemoryLayout[]::new);
    return type.returnType() == void.class
        ? FunctionDescriptor.ofVoid(parameters)
        : FunctionDescriptor.of(layout(symbol, type.returnType()), parameters);
  }

  private static MemoryLayout layout(String symbol, Class<?> type) {
    MemoryLayout layout = LAYOUTS.get(type);
    if (layout == null) {
      throw new IllegalArgumentException(symbol + " is called with a " + type.getName() + ", which no C type is");
    }
    return layout;
  }
}
