/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.compat.jni;

import java.lang.System.Logger.Level;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.rocksdb.RocksCallbackObject;
import org.rocksdbffm.internal.foreign.Upcalls;

/**
 * A call of a JNI entry point that needs a {@code JNIEnv}, on the current thread. C code gets numbers as references to
 * Java objects, which are valid until the call returns. An exception from C code is thrown when the call returns.
 *
 * <p>Slow, with several upcalls for each array. Frequent calls use the C API instead.
 */
public final class JniCall {
  private static final ThreadLocal<JniCall> CURRENT = new ThreadLocal<>();
  private static final long GLOBAL = 1L << 62;
  private static final AtomicLong LAST_GLOBAL = new AtomicLong(GLOBAL);
  private static final ConcurrentHashMap<Long, Object> GLOBALS = new ConcurrentHashMap<>();

  // A function that is never called. Its upcall stub refers to this class, and so keeps the class loader reachable
  // while C code has global references.
  @SuppressWarnings("unused")
  private static final MemorySegment KEEPER = Upcalls.to(MethodHandles.lookup(), "keep");

  private final String entryPoint;
  private final List<Object> references = new ArrayList<>();
  private Throwable pending;

  /** {@code entryPoint}: null if the engine calls Java on an engine thread. */
  JniCall(String entryPoint) {
    this.entryPoint = entryPoint;
  }

  /** Returns the current thread's call; null if none. */
  public static JniCall current() {
    return CURRENT.get();
  }

  /** Enters this call on the current thread; returns the enclosing call, or null. */
  JniCall enter() {
    JniCall outer = CURRENT.get();
    CURRENT.set(this);
    return outer;
  }

  /** Leaves the current call; takes the result of {@link #enter}. */
  static void leave(JniCall outer) {
    if (outer == null) {
      CURRENT.remove();
    } else {
      CURRENT.set(outer);
    }
  }

  /** Starts a call from the engine to Java, on a thread without a call from Java to the engine. */
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
   * Creates a global reference to an object; 0 for null. Callback objects are referenced weakly, because a strong
   * reference would hide unreachable ones from leak detection; their users in the engine keep them reachable.
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

  /** Returns a local reference to an object; 0 for null. */
  long reference(Object object) {
    if (object == null) {
      return 0;
    }
    references.add(object);
    return references.size();
  }

  /** Converts a value to the word that C code receives. */
  long word(Class<?> type, Object value) {
    if (!type.isPrimitive()) {
      return reference(value);
    }
    return switch (value) {
      case Boolean truth -> truth ? 1 : 0;
      case Character character -> character;
      case Double fraction -> Double.doubleToRawLongBits(fraction);
      case Number number -> number.longValue();
      default -> throw new AssertionError(type);
    };
  }

  /** Converts a word from C code to a value. Unused bits of the word are arbitrary. */
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

  /** Returns the object of a reference; null for 0. */
  Object object(long reference) {
    if (reference >= GLOBAL) {
      Object global = GLOBALS.get(reference);
      return global instanceof WeakReference<?> callback ? callback.get() : global;
    }
    return reference == 0 ? null : references.get(Math.toIntExact(reference - 1));
  }

  /** Makes a local reference refer to another object. */
  void replace(long reference, Object object) {
    references.set(Math.toIntExact(reference - 1), object);
  }

  /** Deletes a local reference. The last one is reused. */
  void forget(long reference) {
    if (reference == references.size() && reference != 0) {
      references.removeLast();
    } else if (reference != 0) {
      references.set(Math.toIntExact(reference - 1), null);
    }
  }

  /** Returns the exception that C code threw, or that an upcall threw; null if none. */
  Throwable pending() {
    return pending;
  }

  /** Stores the first exception. Later exceptions are consequences of the first. */
  void fail(Throwable failure) {
    if (pending == null) {
      pending = failure;
    }
  }

  void clearPending() {
    pending = null;
  }

  /**
   * Logs the exception of a call from the engine. For a call of an entry point, the caller gets the exception instead.
   */
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
