/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.compat.jni;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.ref.Reference;
import java.util.Collections;
import org.rocksdbffm.compat.support.Buffers;
import org.rocksdbffm.internal.foreign.Downcalls;

/** Links JNI entry points that need a {@code JNIEnv}, and calls them, each within a {@link JniCall}. */
final class EntryPoint {
  /** The stack that upcalls need: an overflow inside an upcall would crash the JVM. */
  private static final int FRAMES_TO_SPARE = 256;

  private static final MethodHandle INVOKE;
  private static final MethodHandle FROM_BITS;

  static {
    try {
      MethodHandles.Lookup lookup = MethodHandles.lookup();
      FROM_BITS =
          lookup.findStatic(Double.class, "longBitsToDouble", MethodType.methodType(double.class, long.class));
      INVOKE =
          lookup.findStatic(
              EntryPoint.class,
              "invoke",
              MethodType.methodType(
                  Object.class, String.class, MethodHandle.class, MethodType.class, Object[].class));
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  // The limits on the numbers of words, equal to the relinker's, so that most functions linked here and there share a
  // type.
  private static final int FEWEST_WORDS = 6;
  private static final int MOST_WORDS = 8;

  private EntryPoint() {}

  /** Links an entry point. The type's first parameter is the class of a static method, or the receiver. */
  static MethodHandle link(String entryPoint, MethodType type) {
    MethodHandle function = ofWords(Downcalls.link(entryPoint, lowered(type)));
    return MethodHandles.insertArguments(INVOKE, 0, entryPoint, function, type)
        .asCollector(Object[].class, type.parameterCount())
        .asType(type);
  }

  /**
   * Returns the C signature: the environment first, and numbers for objects. If possible, all types are words: see
   * {@link Bootstrap}.
   */
  static MethodType lowered(MethodType type) {
    int count = 1 + type.parameterCount();
    if (count <= MOST_WORDS && !type.parameterList().contains(double.class)) {
      return words(Math.max(FEWEST_WORDS, count));
    }
    MethodType lowered = type;
    for (int i = 0; i < type.parameterCount(); i++) {
      if (!type.parameterType(i).isPrimitive()) {
        lowered = lowered.changeParameterType(i, long.class);
      }
    }
    if (!type.returnType().isPrimitive()) {
      lowered = lowered.changeReturnType(long.class);
    }
    return lowered.insertParameterTypes(0, long.class);
  }

  /** Adapts a function to an array of at least {@link #FEWEST_WORDS} words. */
  private static MethodHandle ofWords(MethodHandle function) {
    MethodHandle converted = function;
    for (int i = 0; i < function.type().parameterCount(); i++) {
      if (function.type().parameterType(i) == double.class) {
        converted = MethodHandles.filterArguments(converted, i, FROM_BITS);
      }
    }
    int count = converted.type().parameterCount();
    int spare = Math.max(0, FEWEST_WORDS - count);
    return MethodHandles.dropArguments(
            MethodHandles.explicitCastArguments(converted, words(count)), count, Collections.nCopies(spare, long.class))
        .asSpreader(long[].class, count + spare);
  }

  private static MethodType words(int count) {
    return MethodType.methodType(long.class, Collections.nCopies(count, long.class));
  }

  private static Object invoke(String entryPoint, MethodHandle function, MethodType type, Object[] passed)
      throws Throwable {
    requireStack(FRAMES_TO_SPARE);
    Object[] arguments = Buffers.copied(passed);
    JniCall call = new JniCall(entryPoint);
    long[] words = new long[Math.max(FEWEST_WORDS, 1 + arguments.length)];
    words[0] = JniFunctions.ENVIRONMENT;
    for (int i = 0; i < arguments.length; i++) {
      words[1 + i] = call.word(type.parameterType(i), arguments[i]);
    }
    JniCall outer = call.enter();
    try {
      long result = (long) function.invokeExact(words);
      if (call.pending() != null) {
        throw call.pending();
      }
      return type.returnType() == void.class ? null : call.value(type.returnType(), result);
    } finally {
      JniCall.leave(outer);
      Reference.reachabilityFence(arguments); // C code may have a buffer's address
    }
  }

  /** Throws a StackOverflowError now, where it is harmless, if little stack is left. */
  private static int requireStack(int frames) {
    return frames == 0 ? 0 : 1 + requireStack(frames - 1);
  }
}
