/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.compat.upstream;

import java.lang.reflect.Modifier;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import org.junit.runner.Description;
import org.junit.runner.JUnitCore;
import org.junit.runner.Result;
import org.junit.runner.notification.Failure;
import org.rocksdbffm.internal.loader.NativeLibrary;

/**
 * The main class of a JVM that runs one test class. The tests declare native methods that the engine's library exports.
 * The JVM finds them only in a library that was loaded by {@link System#load}, so this class loads the drop-in's engine
 * that way.
 */
final class ClassRun {
  private ClassRun() {}

  public static void main(String[] arguments) throws Exception {
    System.load(NativeLibrary.engine().toString());
    Class<?> tests = Class.forName(arguments[0]);
    ClassResult result =
        Modifier.isAbstract(tests.getModifiers())
            ? new ClassResult(tests.getName(), 0, 0, Map.of(), 0)
            : run(tests);
    result.write(Path.of(arguments[1]));
    System.exit(0);
  }

  private static ClassResult run(Class<?> tests) {
    Result result = new JUnitCore().run(tests);
    Map<String, String> failures = new TreeMap<>();
    for (Failure failure : result.getFailures()) {
      failures.merge(name(tests, failure.getDescription()), message(failure), (one, other) -> one + "; " + other);
    }
    int passed = Math.max(result.getRunCount() - failures.size(), 0);
    return new ClassResult(tests.getName(), passed, result.getIgnoreCount(), failures, result.getRunTime() / 1000);
  }

  private static String name(Class<?> tests, Description test) {
    String name = ClassResult.simple(tests.getName());
    return test.getMethodName() == null ? name : name + "." + test.getMethodName();
  }

  private static String message(Failure failure) {
    return failure.getException().toString().lines().findFirst().orElse("").replace('\t', ' ');
  }
}
