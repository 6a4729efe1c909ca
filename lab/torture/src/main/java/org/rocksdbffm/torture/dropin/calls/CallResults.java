/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.torture.dropin.calls;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/** The results of a case's steps, open or closed, by the names that later steps use. Thread-safe. */
public final class CallResults {
  private static final int MOST_OF_A_STEP = 8;
  private static final long PATIENCE = TimeUnit.MILLISECONDS.toNanos(300);

  private final Map<String, Object> objects = new HashMap<>();
  private final List<String> names = new ArrayList<>();
  private final Set<Integer> done = ConcurrentHashMap.newKeySet();

  /** Adds the result of a step, and the elements that it added to lists among its arguments. */
  void add(int number, Object result, Object[] arguments) {
    String name = String.valueOf(number);
    if (isOfUse(result) && !isReference(result)) {
      put(name, result);
    }
    List<Object> parts = new ArrayList<>();
    collect(result, parts);
    for (Object argument : arguments) {
      if (argument instanceof List<?>) {
        collect(argument, parts);
      }
    }
    for (int i = 0; i < Math.min(parts.size(), MOST_OF_A_STEP); i++) {
      put(name + "." + i, parts.get(i));
    }
  }

  private void collect(Object object, List<Object> parts) {
    Collection<?> elements =
        switch (object) {
          case Collection<?> many -> many;
          case Map<?, ?> pairs -> pairs.values();
          case Object[] array -> java.util.Arrays.asList(array);
          case null, default -> List.of();
        };
    for (Object element : elements) {
      if (isOfUse(element) && !isThere(element)) {
        parts.add(element);
      }
    }
  }

  private synchronized boolean isThere(Object object) {
    return objects.values().stream().anyMatch(each -> each == object);
  }

  /** Whether a result belongs to the reference databases, and so has a name already. */
  private synchronized boolean isReference(Object object) {
    return objects.entrySet().stream()
        .anyMatch(each -> each.getValue() == object && each.getKey().startsWith(References.PREFIX));
  }

  private static boolean isOfUse(Object object) {
    return switch (object) {
      case null -> false;
      case Enum<?> constant -> false;
      case String text -> !text.isEmpty() && text.length() < 200;
      case byte[] bytes -> bytes.length >= 12 && bytes.length < 1000;
      default -> object.getClass().getName().startsWith("org.rocksdb");
    };
  }

  synchronized void put(String name, Object object) {
    if (objects.put(name, object) == null) {
      names.add(name);
    }
  }

  /** Adds an object unless it has a name, like an object that a step passes to a callback. */
  synchronized void putIfNew(String name, Object object) {
    if (!isThere(object)) {
      put(name, object);
    }
  }

  synchronized void forget(String name) {
    objects.remove(name);
    names.remove(name);
  }

  synchronized Object get(String name) {
    return objects.get(name);
  }

  /** Returns an object, which another thread may be about to create when a case runs again. */
  Object await(String name, boolean patiently) {
    long end = System.nanoTime() + PATIENCE;
    Object object = get(name);
    while (object == null && patiently && !done.contains(numberOf(name)) && System.nanoTime() < end) {
      Thread.yield();
      object = get(name);
    }
    return object == null ? get(name) : object;
  }

  void finished(int number) {
    done.add(number);
  }

  private static int numberOf(String name) {
    String digits = name.replaceAll("\\..*", "");
    return digits.matches("\\d+") ? Integer.parseInt(digits) : -1;
  }

  /** Returns the name of a random object of a type, preferring recent ones; null if none. */
  synchronized String choose(Class<?> type, Random random) {
    List<String> fitting = new ArrayList<>();
    for (String name : names) {
      if (type.isInstance(objects.get(name))) {
        fitting.add(name);
      }
    }
    if (fitting.isEmpty()) {
      return null;
    }
    double part = random.nextDouble();
    return fitting.get(fitting.size() - 1 - (int) (fitting.size() * part * part));
  }

  /** Returns the types of which an object exists. */
  synchronized List<Class<?>> types() {
    List<Class<?>> types = new ArrayList<>();
    for (String name : names) {
      Class<?> type = objects.get(name).getClass();
      if (!types.contains(type)) {
        types.add(type);
      }
    }
    return types;
  }

  synchronized List<String> names() {
    return List.copyOf(names);
  }
}
