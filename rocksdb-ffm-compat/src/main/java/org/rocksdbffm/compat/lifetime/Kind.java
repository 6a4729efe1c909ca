/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.compat.lifetime;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiConsumer;
import org.rocksdb.AbstractWriteBatch;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksObject;
import org.rocksdb.WriteBatchWithIndex;
import org.rocksdbffm.internal.leak.StripedCounter;

/**
 * Facts about a class with guards: its name, how to destroy its native objects, and the number of open objects. A
 * program's subclass has a separate kind, but its objects count for the rocksdbjni class that it extends. Thread-safe.
 */
final class Kind {
  /** Classes whose objects must not be used by two threads concurrently, including their subclasses. */
  private static final Set<String> SINGLE_THREADED =
      Set.of(
          "org.rocksdb.AbstractRocksIterator",
          "org.rocksdb.AbstractWriteBatch",
          "org.rocksdb.SstFileReader",
          "org.rocksdb.SstFileWriter",
          "org.rocksdb.Transaction",
          "org.rocksdb.TransactionLogIterator");

  /** Classes whose native objects have only a few bytes, in addition to options; subclasses are included. */
  private static final Set<String> SMALL =
      Set.of(
          "AbstractCompactionFilter",
          "AbstractSlice",
          "ConcurrentTaskLimiter",
          "Filter",
          "MergeOperator",
          "SstPartitionerFactory",
          "TablePropertiesCollectorFactory");

  /** The numbers of open objects, by the simple name of the rocksdbjni class. */
  private static final Map<String, StripedCounter> OPEN = new ConcurrentHashMap<>();

  private static final ClassValue<Kind> KNOWN =
      new ClassValue<>() {
        @Override
        protected Kind computeValue(Class<?> type) {
          return new Kind(type);
        }
      };

  private final Class<?> type;
  private final String name;
  private final StripedCounter open;
  private final boolean servesOneThread;
  private final boolean isBatch;
  private final boolean isPlainBatch;
  private final boolean overridesDisposal;
  private volatile MethodHandle disposal; // found at the first use

  private Kind(Class<?> type) {
    this.type = type;
    this.name = named(type).getSimpleName();
    this.open = counter(named(upstreams(type)).getSimpleName());
    this.servesOneThread = isSingleThreaded(type);
    this.isBatch = is(AbstractWriteBatch.class);
    this.isPlainBatch = isBatch && !is(WriteBatchWithIndex.class);
    this.overridesDisposal = overridesDisposal(type);
  }

  private static StripedCounter counter(String name) {
    StripedCounter made = new StripedCounter();
    StripedCounter known = OPEN.putIfAbsent(name, made);
    return known == null ? made : known;
  }

  static Kind of(Class<?> type) {
    return KNOWN.get(type);
  }

  private static boolean isSingleThreaded(Class<?> type) {
    return SINGLE_THREADED.contains(type.getName())
        || type.getSuperclass() != null && isSingleThreaded(type.getSuperclass());
  }

  private static boolean isUpstreams(Class<?> type) {
    return type.getClassLoader() == RocksObject.class.getClassLoader() && type.getName().startsWith("org.rocksdb.");
  }

  private static Class<?> upstreams(Class<?> type) {
    Class<?> ancestor = type;
    while (!isUpstreams(ancestor) && ancestor.getSuperclass() != null) {
      ancestor = ancestor.getSuperclass();
    }
    return ancestor;
  }

  /** Returns the class, or the superclass of an anonymous class. */
  private static Class<?> named(Class<?> type) {
    return type.isAnonymousClass() ? named(type.getSuperclass()) : type;
  }

  /** Whether a program's class overrides disposeInternal, so that the Java object is needed for the destruction. */
  private static boolean overridesDisposal(Class<?> type) {
    for (Class<?> own = type; !isUpstreams(own) && own.getSuperclass() != null; own = own.getSuperclass()) {
      if (declaresDisposal(own) || declaresDisposal(own, long.class)) {
        return true;
      }
    }
    return false;
  }

  private static boolean declaresDisposal(Class<?> type, Class<?>... parameters) {
    try {
      type.getDeclaredMethod("disposeInternal", parameters);
      return true;
    } catch (NoSuchMethodException e) {
      return false;
    }
  }

  String name() {
    return name;
  }

  boolean is(Class<?> other) {
    return other.isAssignableFrom(type);
  }

  boolean isDatabase() {
    return is(RocksDB.class);
  }

  boolean isBatch() {
    return isBatch;
  }

  /** Whether objects are batches without an index. */
  boolean isPlainBatch() {
    return isPlainBatch;
  }

  boolean servesOneThread() {
    return servesOneThread;
  }

  boolean overridesDisposal() {
    return overridesDisposal;
  }

  /** Whether the native object has only a few bytes, so that RocksDB's examples leave it unclosed. */
  boolean isSmall() {
    for (Class<?> ancestor = upstreams(type); ancestor != null; ancestor = ancestor.getSuperclass()) {
      if (ancestor.getSimpleName().endsWith("Options") || SMALL.contains(ancestor.getSimpleName())) {
        return true;
      }
    }
    return false;
  }

  void opened() {
    open.increment();
  }

  void freed() {
    open.decrement();
  }

  /** Calls an action with the names of rocksdbjni's classes and the numbers of their open objects. */
  static void forEachCount(BiConsumer<String, Long> action) {
    OPEN.forEach((name, count) -> action.accept(name, count.sum()));
  }

  /** Destroys a native object as the rocksdbjni class does, without the Java object. */
  void dispose(long pointer) {
    MethodHandle found = disposal;
    if (found == null) {
      found = findDisposal();
      disposal = found;
    }
    try {
      found.invokeExact(pointer);
    } catch (Error | RuntimeException e) {
      throw e;
    } catch (Throwable e) {
      throw new AssertionError(e);
    }
  }

  /** Finds the static disposal method that the relinker generated; returns a no-op if the class has none. */
  private MethodHandle findDisposal() {
    MethodType byPointer = MethodType.methodType(void.class, long.class);
    for (Class<?> ancestor = upstreams(type); ancestor != null; ancestor = ancestor.getSuperclass()) {
      try {
        return MethodHandles.privateLookupIn(ancestor, MethodHandles.lookup())
            .findStatic(ancestor, "dispose$", byPointer);
      } catch (NoSuchMethodException | IllegalAccessException e) {
        continue; // the method of a superclass in another package is found, but not accessible
      }
    }
    return MethodHandles.empty(byPointer);
  }
}
