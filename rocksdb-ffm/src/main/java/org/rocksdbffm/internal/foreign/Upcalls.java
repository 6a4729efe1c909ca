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
 * C functions that call static Java methods. Each C function is made once; a number that the engine passes identifies
 * the Java object. Pointers are {@code long}s, so a call allocates nothing. Thread-safe.
 *
 * <p>An exception that reached the engine would end the JVM. An exception from such a method is dropped, and the engine
 * gets 0.
 *
 * <p>The JVM keeps the target of an upcall stub reachable, and with it the class loader. So the stubs call the methods
 * only while {@link #hold} is in effect, and otherwise return 0. The stubs are freed with the class loader; no thread
 * can have its code on the stack then.
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

  // The names of the classes whose methods the engine calls.
  private final Set<String> entries = ConcurrentHashMap.newKeySet();

  // Owns the stubs.
  private final Arena functions = Arena.ofAuto();

  private Upcalls() {}

  /** The target of a stub: a call site that compilers treat as constant while it does not change. */
  private record Target(MutableCallSite site, MethodHandle code, MethodHandle nothing) {
    void lead(boolean isHeld) {
      site.setTarget(isHeld ? code : nothing);
    }
  }

  /** Makes the C function that calls the static method of this name. The class must not overload it. */
  public static MemorySegment to(MethodHandles.Lookup lookup, String name) {
    Class<?> type = lookup.lookupClass();
    try {
      Method method =
          Arrays.stream(type.getDeclaredMethods())
              .filter(each -> each.getName().equals(name))
              .findFirst()
              .orElseThrow();
      OF_LOADER.entries.add(type.getName());
      return MemorySegment.ofAddress(OF_LOADER.make(name, contain(lookup.unreflect(method))));
    } catch (IllegalAccessException e) {
      throw new AssertionError(e);
    }
  }

  /** Whether the engine calls methods of this class. */
  public static boolean isEntry(String className) {
    return OF_LOADER.entries.contains(className);
  }

  /** Whether the calling thread belongs to the engine: its outermost Java frame is a call from the engine. */
  public static boolean isThreadOfEngine() {
    return StackWalker.getInstance()
        .walk(frames -> frames.reduce((inner, outer) -> outer))
        .filter(outermost -> isEntry(outermost.getClassName()))
        .isPresent();
  }

  /**
   * Makes a C function that references the method weakly, and returns 0 once the method is collected. The function
   * consists of JDK classes only, so that it does not keep the class loader reachable. The class must keep the method
   * reachable while C may call it.
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
    Target target = new Target(new MutableCallSite(method.type()), method, MethodHandles.empty(method.type()));
    target.lead(holders > 0);
    targets.add(target);
    return Linker.nativeLinker()
        .upcallStub(target.site.dynamicInvoker(), Downcalls.descriptor(name, method.type()), functions)
        .address();
  }

  /**
   * Makes the stubs call their Java methods until {@link #release}; called for each object that the engine may call.
   * The first hold is expensive, because compiled code is invalidated.
   */
  public static void hold() {
    OF_LOADER.count(1);
  }

  /** Ends one {@link #hold}: the engine will not call the object again. */
  public static void release() {
    OF_LOADER.count(-1);
  }

  /**
   * Changes the count after the targets: if an OutOfMemoryError is thrown between them, the next caller sets all
   * targets again.
   */
  private synchronized void count(long more) {
    boolean areHeld = holders + more > 0;
    if (areHeld != holders > 0) {
      targets.forEach(target -> target.lead(areHeld));
    }
    holders += more;
  }
}
