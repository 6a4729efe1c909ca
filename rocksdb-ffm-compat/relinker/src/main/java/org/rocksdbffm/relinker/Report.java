/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.relinker;

import java.lang.classfile.ClassModel;
import java.lang.constant.MethodTypeDesc;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** Counts the linked methods by kind, for the build's output, collects the errors, and checks completeness. */
final class Report {
  private final Set<Method> linked = new HashSet<>();
  private final Set<String> usedGlue = new TreeSet<>();
  private final Set<String> gluedTypes = new TreeSet<>();
  private final Set<String> entryPoints = new TreeSet<>();
  private final List<String> errors = new ArrayList<>();
  private int toC;
  private int toGlue;
  private int toEntryPoints;
  private int toEnvironment;
  private int toNothing;

  void linked(Method method, Route route) {
    linked.add(method);
    switch (route) {
      case Route.ToC c -> toC++;
      case Route.ToEntryPoint entryPoint -> toEntryPoints++;
      case Route.ToEnvironment environment -> toEnvironment++;
      case Route.ToNothing nothing -> toNothing++;
      case Route.ToGlue glue -> toGlue++;
      case Route.Instead instead -> {}
    }
  }

  /**
   * Runs a step; its error is recorded, so that the build prints the errors of all steps. Returns whether the step had
   * no error.
   */
  boolean attempt(Runnable step) {
    try {
      step.run();
      return true;
    } catch (RelinkException e) {
      errors.add(e.getMessage());
      return false;
    }
  }

  /** Returns the number of errors until now. */
  int errors() {
    return errors.size();
  }

  /** Throws all errors, if there are any. */
  void requireNoErrors() {
    if (!errors.isEmpty()) {
      throw new RelinkException(String.join("\n  ", errors));
    }
  }

  /** Records a glue method that a row calls. */
  void uses(String type, String method, MethodTypeDesc descriptor) {
    gluedTypes.add(type);
    usedGlue.add(type + "." + method + descriptor.descriptorString());
  }

  /** Records a JNI entry point that glue calls. */
  void entryPointOfGlue(String symbol) {
    entryPoints.add(symbol);
  }

  /** Throws if a row matches no method, or if neither a row nor another glue class calls a public glue method. */
  void requireComplete(Routes routes, Glue glue) {
    List<String> idleRows =
        routes.rows().entrySet().stream()
            .filter(row -> !linked.contains(row.getKey()))
            .map(row -> row.getValue().where() + ": there is no native method " + row.getKey())
            .toList();
    Set<String> calledByGlue = glue.callsAmongItself();
    List<String> idleGlue =
        gluedTypes.stream()
            .flatMap(type -> glue.types().get(type).methods().stream().filter(Published::isPublicStatic).map(
                method -> type + "." + method.methodName().stringValue() + method.methodType().stringValue()))
            .filter(method -> !usedGlue.contains(method) && !calledByGlue.contains(method))
            .map(method -> "no row links the glue " + method)
            .toList();
    if (!idleRows.isEmpty() || !idleGlue.isEmpty()) {
      throw new RelinkException(String.join("\n  ", idleRows) + String.join("\n  ", idleGlue));
    }
  }

  static void requireNoNative(ClassModel type) {
    type.methods().stream()
        .filter(Published::isNative)
        .findFirst()
        .ifPresent(method -> {
          throw new RelinkException(Published.method(type, method) + " is still native");
        });
  }

  @Override
  public String toString() {
    return """
        native methods linked: %d
          to C functions:          %5d
          to glue:                 %5d
          to JNI entry points:     %5d
          ... with an environment: %5d
          to nothing, they refuse: %5d
        entry points that glue calls: %d"""
        .formatted(
            toC + toGlue + toEntryPoints + toEnvironment + toNothing,
            toC,
            toGlue,
            toEntryPoints,
            toEnvironment,
            toNothing,
            entryPoints.size());
  }
}
