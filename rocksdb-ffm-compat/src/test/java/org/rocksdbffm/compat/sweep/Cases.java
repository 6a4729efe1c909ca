/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.compat.sweep;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Set;

/**
 * All cases of a sweep: each setter of each class with many values, constructors, option strings, and changes of an
 * open database.
 */
final class Cases {
  private static final List<Long> LONGS =
      List.of(
          Long.MIN_VALUE, -2L, -1L, 0L, 1L, 2L, 7L, 100L, 1000L, 4095L, 4096L, 65535L, 1L << 20, 1L << 31, 1L << 33,
          (1L << 36) + 1, (1L << 40) + 1, Long.MAX_VALUE);
  private static final List<Integer> INTS =
      List.of(
          Integer.MIN_VALUE, -2, -1, 0, 1, 2, 3, 7, 8, 15, 20, 32, 101, 256, 1001, 65537, 1 << 30, (1 << 30) + 1,
          Integer.MAX_VALUE);
  private static final List<Double> DOUBLES = List.of(-1.0, 0.0, 0.001, 0.1, 0.25, 0.5, 1.0, 2.0, 10.0, 1e5);
  private static final String SETTERS = "(set|use|optimize|prepareFor).*|ignore.*";

  /** Settings that start as many threads as their value, limited only by the machine. */
  private static final String THREADS =
      ".*(Background(Jobs|Compactions|Flushes|Operations)|Parallelism|Threads|Subcompactions)";

  private static final int MOST_THREADS = 256;

  /** Setters that set no option. */
  private static final Set<String> OTHERS = Set.of("setFailIfOptionsFileError");

  private Cases() {}

  static List<SweepCase> all() {
    Workload workload = new Workload(Duration.ZERO);
    List<SweepCase> all = new ArrayList<>();
    for (Subjects.Subject subject : new Subjects(workload).all()) {
      ofSetters(subject, all);
    }
    OtherCases.add(workload, all);
    return all;
  }

  private static void ofSetters(Subjects.Subject subject, List<SweepCase> all) {
    List<Method> setters =
        Arrays.stream(subject.maker().make(Path.of(System.getProperty("java.io.tmpdir"))).getClass().getMethods())
            .filter(its -> its.getName().matches(SETTERS) && !OTHERS.contains(its.getName()))
            .filter(its -> its.getParameterCount() <= 1 && !Modifier.isStatic(its.getModifiers()) && !its.isBridge())
            .sorted(Comparator.comparing(Method::getName)
                .thenComparing(its -> Arrays.toString(its.getParameterTypes())))
            .toList();
    for (Method setter : setters) {
      List<?> values = setter.getParameterCount() == 0 ? List.of("") : values(setter);
      for (Object value : values) {
        String name = subject.name() + "." + setter.getName() + "(" + value + ")";
        all.add(new SweepCase(name, folder -> {
          Object settings = subject.maker().make(folder);
          set(setter, settings, value);
          return subject.use().with(settings, folder);
        }));
      }
    }
  }

  private static List<?> values(Method setter) {
    Class<?> type = setter.getParameterTypes()[0];
    if (type == int.class) {
      boolean areThreads = setter.getName().matches(THREADS);
      return INTS.stream().filter(its -> !areThreads || its <= MOST_THREADS && its != Integer.MIN_VALUE).toList();
    }
    if (type == long.class) {
      return LONGS;
    }
    if (type == double.class) {
      return DOUBLES;
    }
    if (type == boolean.class) {
      return List.of(true, false);
    }
    return type.isEnum() ? List.of(type.getEnumConstants()) : List.of();
  }

  private static void set(Method setter, Object settings, Object value) throws Exception {
    try {
      setter.setAccessible(true); // for public setters of non-public classes
      if (setter.getParameterCount() == 0) {
        setter.invoke(settings);
      } else {
        setter.invoke(settings, value);
      }
    } catch (InvocationTargetException e) {
      if (e.getCause() instanceof Exception cause) {
        throw cause;
      }
      throw (Error) e.getCause();
    }
  }
}
