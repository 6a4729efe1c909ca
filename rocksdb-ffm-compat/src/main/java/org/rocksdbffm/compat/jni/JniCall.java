/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.compat.jni;

import java.lang.System.Logger.Level;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.ref.Reference;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.rocksdb.RocksCallbackObject;
import org.rocksdbffm.compat.link.Bootstrap;
import org.rocksdbffm.compat.support.Buffers;
import org.rocksdbffm.internal.foreign.Downcalls;
import org.rocksdbffm.internal.foreign.Upcalls;

/**
 * One call of an entry point that was made for JNI and needs a {@code JNIEnv}, by the thread that runs it. Java objects
 * get numbers, which are what C has for references, and which mean nothing once the call is over; an exception that
 * C throws is kept until then.
 *
 * <p>This is slow, a few upcalls for each array, and for what is seldom called: what is hot goes through the C API.
 */
public final class JniCall {
  /** Upcalls need some stack of their own, and must not be where it ends. */
  private static final int FRAMES_TO_SPARE = 256;

  private static final ThreadLocal<JniCall> CURRENT = new ThreadLocal<>();
  private static final MethodHandle INVOKE;
  private static final MethodHandle FROM_BITS;

  static {
    try {
      MethodHandles.Lookup lookup = MethodHandles.lookup();
      FROM_BITS =
          lookup.findStatic(Double.class, "longBitsToDouble", MethodType.methodType(double.class, long.class));
      INVOKE =
          lookup.findStatic(
              JniCall.class,
              "invoke",
              MethodType.methodType(
                  Object.class, String.class, MethodHandle.class, MethodType.class, Object[].class));
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  // As the relinker has it for functions that need no environment: most of both are of one kind then.
  private static final int FEWEST_WORDS = 6;
  private static final int MOST_WORDS = 8;

  private static final long GLOBAL = 1L << 62;
  private static final AtomicLong LAST_GLOBAL = new AtomicLong(GLOBAL);
  private static final ConcurrentHashMap<Long, Object> GLOBALS = new ConcurrentHashMap<>();

  // A function that nobody calls. It leads here, and so keeps the class loader, while C has an object of its.
  @SuppressWarnings("unused")
  private static final MemorySegment KEEPER = Upcalls.to(MethodHandles.lookup(), "keep");

  private final String entryPoint; // null if the engine calls Java of its own accord
  private final List<Object> references = new ArrayList<>();
  private Throwable pending;

  private JniCall(String entryPoint) {
    this.entryPoint = entryPoint;
  }

  /** Links an entry point; the first parameter of the type is its class, or the object that it is a method of. */
  public static MethodHandle link(String entryPoint, MethodType type) {
    MethodHandle function = ofWords(Downcalls.link(entryPoint, lowered(type)));
    return MethodHandles.insertArguments(INVOKE, 0, entryPoint, function, type)
        .asCollector(Object[].class, type.parameterCount())
        .asType(type);
  }

  /** As C sees it: an environment first, and numbers for objects. Where it can be, words alone: see {@link Bootstrap}. */
  public static MethodType lowered(MethodType type) {
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

  /** Adapts a function to take its arguments as an array of words, of at least {@link #FEWEST_WORDS}. */
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
    JniCall outer = CURRENT.get();
    CURRENT.set(call);
    try {
      long result = (long) function.invokeExact(words);
      if (call.pending != null) {
        throw call.pending;
      }
      return type.returnType() == void.class ? null : call.value(type.returnType(), result);
    } finally {
      if (outer == null) {
        CURRENT.remove();
      } else {
        CURRENT.set(outer);
      }
      Reference.reachabilityFence(arguments); // C may have the address of a buffer
    }
  }

  /** Has the stack overflow here, where that is but an error, if it is about to. */
  private static int requireStack(int frames) {
    return frames == 0 ? 0 : 1 + requireStack(frames - 1);
  }

  /** The call that this thread is in; null for none. */
  public static JniCall current() {
    return CURRENT.get();
  }

  /** Begins a call of Java by the engine, on a thread that is in none of Java's calls of the engine. */
  static void attach() {
    CURRENT.set(new JniCall(null));
  }

  static void detach() {
    current().describePending();
    CURRENT.remove();
  }

  @SuppressWarnings("unused") // see KEEPER
  private static long keep() {
    return 0;
  }

  /**
   * The number of an object until C lets go of it; 0 for null. The object of a callback is kept by those that the engine
   * has it of, and not by this: it would never be found forgotten.
   */
  static long global(Object object) {
    if (object == null) {
      return 0;
    }
    long reference = LAST_GLOBAL.incrementAndGet();
    Upcalls.hold();
    try {
      GLOBALS.put(reference, object instanceof RocksCallbackObject ? new WeakReference<>(object) : object);
    } catch (Throwable e) {
      Upcalls.release();
      throw e;
    }
    return reference;
  }

  static void forgetGlobal(long reference) {
    if (GLOBALS.remove(reference) != null) {
      Upcalls.release();
    }
  }

  /** The number of an object, in this call; 0 for null. */
  long reference(Object object) {
    if (object == null) {
      return 0;
    }
    references.add(object);
    return references.size();
  }

  /** The word that C gets for a value of a type. */
  private long word(Class<?> type, Object value) {
    if (!type.isPrimitive()) {
      return reference(value);
    }
    return switch (value) {
      case Boolean its -> its ? 1 : 0;
      case Character its -> its;
      case Double its -> Double.doubleToRawLongBits(its);
      case Number its -> its.longValue();
      default -> throw new AssertionError(type);
    };
  }

  /** The value of a type that C has left in a word, in the rest of which there may be anything. */
  Object value(Class<?> type, long word) {
    if (!type.isPrimitive()) {
      return object(word);
    }
    return switch (type.getName()) {
      case "boolean" -> (byte) word != 0;
      case "byte" -> (byte) word;
      case "char" -> (char) word;
      case "short" -> (short) word;
      case "int" -> (int) word;
      case "long" -> word;
      default -> throw new UnsupportedOperationException("C has no " + type + " in a word");
    };
  }

  /** The object with a number; null for 0. */
  Object object(long reference) {
    if (reference >= GLOBAL) {
      Object global = GLOBALS.get(reference);
      return global instanceof WeakReference<?> callback ? callback.get() : global;
    }
    return reference == 0 ? null : references.get(Math.toIntExact(reference - 1));
  }

  /** Has the number of an object stand for another. */
  void replace(long reference, Object object) {
    references.set(Math.toIntExact(reference - 1), object);
  }

  /** The number is not used any more, and is given again if it was the last. */
  void forget(long reference) {
    if (reference == references.size() && reference != 0) {
      references.removeLast();
    } else if (reference != 0) {
      references.set(Math.toIntExact(reference - 1), null);
    }
  }

  /** The exception that C threw, or that a function threw which C called; null for none. */
  Throwable pending() {
    return pending;
  }

  /** Keeps the first thing that goes wrong: what goes wrong after it does so because of it. */
  void fail(Throwable failure) {
    if (pending == null) {
      pending = failure;
    }
  }

  void clearPending() {
    pending = null;
  }

  /** Logs what went wrong in a call by the engine; the caller of an entry point gets it as an exception. */
  void describePending() {
    if (entryPoint == null && pending != null) {
      log(pending);
      pending = null;
    }
  }

  static void log(Throwable failure) {
    System.getLogger("org.rocksdbffm.compat").log(Level.WARNING, "Java that the engine called has failed", failure);
  }

  UnsupportedOperationException unsupported() {
    return new UnsupportedOperationException(
        "the engine's entry point " + entryPoint + " asks for a function of JNI that the drop-in does not have");
  }
}
