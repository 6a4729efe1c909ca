/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.foreign;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodType;
import java.util.Arrays;
import java.util.Map;
import org.rocksdbffm.internal.loader.Linking;
import org.rocksdbffm.internal.loader.NativeLibrary;

/**
 * Links C functions by name, with a {@code long} for each pointer: functions that are called so often that segments
 * cost too much ({@link HotCalls}), and functions that the bindings lack because only the drop-in's generated code
 * calls them.
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

  /**
   * The signature that all these calls share: six words in, one out. The JDK needs milliseconds for each signature that
   * is linked. Every platform with a native jar passes words in registers, and a function reads only its own
   * parameters.
   */
  static final MethodType WORDS =
      MethodType.methodType(long.class, new Class<?>[] {long.class, long.class, long.class, long.class, long.class, long.class});

  /** The signature that all calls without a transition of the thread's state share. */
  static final MethodType WORD = MethodType.methodType(long.class, long.class);

  private Downcalls() {}

  static RuntimeException rethrown(Throwable thrown) {
    if (thrown instanceof Error error) {
      throw error;
    }
    return thrown instanceof RuntimeException exception ? exception : new IllegalStateException(thrown);
  }

  /** Links a function whose parameters and result have the widths of the Java types in {@code type}. */
  public static MethodHandle link(String symbol, MethodType type, Linker.Option... options) {
    for (int wait = 1; ; wait *= 2) {
      try {
        return Linking.downcallNow(NativeLibrary.find(symbol), descriptor(symbol, type), options);
      } catch (OutOfMemoryError e) {
        Linking.awaitHeap(wait, e);
      }
    }
  }

  /** Calls a function that was linked with {@link #WORDS}. */
  static long call(MethodHandle handle, long a, long b, long c, long d, long e, long f) {
    try {
      return (long) handle.invokeExact(a, b, c, d, e, f);
    } catch (Throwable thrown) {
      throw rethrown(thrown);
    }
  }

  /** Links functions with {@code count} words as parameters and a word as result; their address is the first argument. */
  public static MethodHandle linkWords(int count) {
    MemoryLayout[] words = new MemoryLayout[count];
    Arrays.fill(words, ValueLayout.JAVA_LONG);
    return Linking.downcallByAddress(FunctionDescriptor.of(ValueLayout.JAVA_LONG, words));
  }

  static FunctionDescriptor descriptor(String symbol, MethodType type) {
    MemoryLayout[] parameters = new MemoryLayout[type.parameterCount()];
    for (int i = 0; i < parameters.length; i++) {
      parameters[i] = layout(symbol, type.parameterType(i));
    }
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
