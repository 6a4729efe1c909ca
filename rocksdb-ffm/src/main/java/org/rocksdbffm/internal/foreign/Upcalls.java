/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.foreign;

import static java.lang.invoke.MethodType.methodType;

import java.lang.foreign.Arena;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.invoke.MutableCallSite;
import java.lang.ref.WeakReference;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * C functions whose code is in Java. There is one for each of a few static methods, made once; which object is meant is
 * told by a number that the engine passes. A pointer is a {@code long}, so nothing is allocated on the way. Thread-safe.
 *
 * <p>An exception that reached the engine would end the JVM. One that leaves such a method is dropped, and the engine is
 * answered 0.
 *
 * <p>The JVM keeps what a C function leads to, and with that the class loader of the code. So the functions lead to the
 * code only while somebody {@linkplain #hold says} that the engine may call it, and to nothing at other times: then a
 * call would answer 0. The functions themselves are freed when the class loader goes, which no thread can have code of on
 * its stack then.
 */
public final class Upcalls {
  private static final Upcalls OF_LOADER = new Upcalls();
  private static final MethodHandle WEAKLY_HELD;
  private static final MethodHandle IS_THERE;

  static {
    try {
      MethodHandles.Lookup lookup = MethodHandles.publicLookup();
      WEAKLY_HELD = lookup.findVirtual(WeakReference.class, "get", methodType(Object.class));
      IS_THERE = lookup.findStatic(Objects.class, "nonNull", methodType(boolean.class, Object.class));
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  // Guarded by this.
  private final List<Target> targets = new ArrayList<>();
  private long holders;

  // The names of the classes that C calls.
  private final Set<String> entries = ConcurrentHashMap.newKeySet();

  // Keeps the functions, which are freed with it.
  private final Arena functions = Arena.ofAuto();

  private Upcalls() {}

  /** Where a C function leads: a site that compilers take for constant while it does not change. */
  private record Target(MutableCallSite site, MethodHandle code) {
    void lead(boolean isHeld) {
      site.setTarget(isHeld ? code : MethodHandles.empty(code.type()));
    }
  }

  /** The C function that is the static method with that name, of which there is one in the class. */
  public static MemorySegment to(MethodHandles.Lookup lookup, String name) {
    Class<?> type = lookup.lookupClass();
    try {
      Method method =
          Arrays.stream(type.getDeclaredMethods()).filter(its -> its.getName().equals(name)).findFirst().orElseThrow();
      OF_LOADER.entries.add(type.getName());
      return MemorySegment.ofAddress(OF_LOADER.make(name, contain(lookup.unreflect(method))));
    } catch (IllegalAccessException e) {
      throw new AssertionError(e);
    }
  }

  /** Whether the engine calls methods of the class with that name. */
  public static boolean isEntry(String className) {
    return OF_LOADER.entries.contains(className);
  }

  /** Whether the thread that asks has come to Java by a call of the engine's, and so is one of the engine's. */
  public static boolean isThreadOfEngine() {
    return StackWalker.getInstance()
        .walk(frames -> frames.reduce((inner, outer) -> outer))
        .filter(outermost -> isEntry(outermost.getClassName()))
        .isPresent();
  }

  /**
   * A C function that does not keep what the method leads to, and answers 0 when that is gone; it is made of the JDK's
   * classes alone. Somebody else keeps the method, which is of the class, for as long as C may call it.
   */
  public static MemorySegment weakly(Class<?> type, String name, MethodHandle method, Arena arena) {
    OF_LOADER.entries.add(type.getName());
    MethodType words = method.type();
    MethodHandle found = WEAKLY_HELD.bindTo(new WeakReference<>(method)).asType(methodType(MethodHandle.class));
    MethodHandle invoke =
        MethodHandles.guardWithTest(
            IS_THERE.asType(methodType(boolean.class, MethodHandle.class)),
            MethodHandles.exactInvoker(words),
            MethodHandles.dropArguments(MethodHandles.empty(words), 0, MethodHandle.class));
    return Linker.nativeLinker()
        .upcallStub(contain(MethodHandles.foldArguments(invoke, found)), Downcalls.descriptor(name, words), arena);
  }

  private static MethodHandle contain(MethodHandle code) {
    MethodType dropped = methodType(code.type().returnType(), Throwable.class);
    return MethodHandles.catchException(code, Throwable.class, MethodHandles.empty(dropped));
  }

  private synchronized long make(String name, MethodHandle method) {
    Target target = new Target(new MutableCallSite(method.type()), method);
    target.lead(holders > 0);
    targets.add(target);
    return Linker.nativeLinker()
        .upcallStub(target.site.dynamicInvoker(), Downcalls.descriptor(name, method.type()), functions)
        .address();
  }

  /**
   * Has the functions lead to their code, for an object that the engine may call from now on, until {@link #release}. It
   * costs something for the first one that there is.
   */
  public static void hold() {
    OF_LOADER.count(1);
  }

  /** The engine will not call the object any more for which {@link #hold} was called. */
  public static void release() {
    OF_LOADER.count(-1);
  }

  private synchronized void count(long more) {
    boolean wereHeld = holders > 0;
    holders += more;
    if (wereHeld != holders > 0) {
      targets.forEach(target -> target.lead(!wereHeld));
    }
  }
}
