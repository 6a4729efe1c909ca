/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.clients.sets;

import java.lang.reflect.Constructor;
import java.lang.reflect.Executable;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.rocksdb.AbstractNativeReference;
import org.rocksdb.Env;

/** Calls constructors and setters of org.rocksdb by the names and values of the table. */
final class Setters {
  private static final Pattern REPEATED = Pattern.compile("(\\w+) x (\\d+)");

  private final OptionSet set;
  private final Map<String, Object> shared = new HashMap<>();

  Setters(OptionSet set) {
    this.set = set;
  }

  /** Creates the object that a line describes; later lines refer to it by the name. */
  void share(String name, OptionLine line) {
    Object value = values(line.value()).getFirst();
    call(value, line.below());
    shared.put(name, value);
  }

  /** Calls the method of each line: "ttl = 0" calls setTtl(0), or ttl(0) if there is no setter. */
  void call(Object target, List<OptionLine> lines) {
    for (OptionLine line : lines) {
      List<Object> values = values(line.value());
      if (!line.below().isEmpty()) {
        call(values.getLast(), line.below());
      }
      String setter = "set" + Character.toUpperCase(line.name().charAt(0)) + line.name().substring(1);
      Runnable call =
          call(target, setter, values)
              .or(() -> call(target, line.name(), values))
              .orElseThrow(() -> new AssertionError(target.getClass() + " has no method for " + line.text()));
      call.run();
    }
  }

  private static Optional<Runnable> call(Object target, String name, List<Object> values) {
    return Arrays.stream(target.getClass().getMethods())
        .filter(method -> method.getName().equals(name) && !method.isBridge())
        .flatMap(method -> arguments(method, values).map(given -> call(method, target, given)).stream())
        .findFirst();
  }

  private static Runnable call(Method method, Object target, Object[] arguments) {
    return () -> result(() -> method.invoke(target, arguments));
  }

  private interface Reflective {
    Object call() throws ReflectiveOperationException;
  }

  private static Object result(Reflective call) {
    try {
      return call.call();
    } catch (InvocationTargetException e) {
      throw e.getCause() instanceof RuntimeException unchecked ? unchecked : new IllegalStateException(e.getCause());
    } catch (ReflectiveOperationException e) {
      throw new AssertionError(e);
    }
  }

  /** Returns the values as arguments of a method or constructor; empty if they do not fit. */
  private static Optional<Object[]> arguments(Executable called, List<Object> values) {
    if (called.getParameterCount() != values.size()) {
      return Optional.empty();
    }
    Object[] arguments = new Object[values.size()];
    try {
      for (int at = 0; at < arguments.length; at++) {
        arguments[at] = OptionValue.of(values.get(at), called.getGenericParameterTypes()[at]);
      }
    } catch (IllegalArgumentException _) {
      return Optional.empty();
    }
    return Optional.of(arguments);
  }

  /** Returns the values of a text with commas between them: words, lists and new objects. */
  List<Object> values(String text) {
    List<Object> values = new ArrayList<>();
    for (String part : parts(text)) {
      Matcher repeated = REPEATED.matcher(part);
      if (repeated.matches()) {
        values.addAll(Collections.nCopies(Integer.parseInt(repeated.group(2)), repeated.group(1)));
      } else {
        values.add(value(part));
      }
    }
    return values;
  }

  /** Splits a text at its commas, except at those in brackets. */
  private static List<String> parts(String text) {
    List<String> parts = new ArrayList<>();
    int depth = 0;
    int first = 0;
    for (int at = 0; at < text.length(); at++) {
      depth += "([".indexOf(text.charAt(at)) >= 0 ? 1 : ")]".indexOf(text.charAt(at)) >= 0 ? -1 : 0;
      if (depth == 0 && text.charAt(at) == ',') {
        parts.add(text.substring(first, at));
        first = at + 2;
      }
    }
    if (!text.isEmpty()) {
      parts.add(text.substring(first));
    }
    return parts;
  }

  private Object value(String text) {
    if (text.startsWith("[")) {
      return values(text.substring(1, text.length() - 1));
    }
    int bracket = text.indexOf('(');
    if (bracket >= 0) {
      return created(text.substring(0, bracket), values(text.substring(bracket + 1, text.length() - 1)));
    }
    return text.equals("db") ? set.db() : shared.getOrDefault(text, text);
  }

  private Object created(String type, List<Object> values) {
    if (type.equals("Env")) {
      return Env.getDefault();
    }
    for (Constructor<?> constructor : type(type).getDeclaredConstructors()) {
      Optional<Object[]> arguments = arguments(constructor, values);
      if (arguments.isPresent()) {
        Object created = result(() -> constructor.newInstance(arguments.get()));
        return created instanceof AbstractNativeReference closeable ? set.keep(closeable) : created;
      }
    }
    throw new AssertionError("no constructor of " + type + " takes " + values);
  }

  private static Class<?> type(String name) {
    try {
      return Class.forName("org.rocksdb." + name);
    } catch (ClassNotFoundException _) {
      return (Class<?>) result(() -> Class.forName(Setters.class.getPackageName() + "." + name));
    }
  }
}
