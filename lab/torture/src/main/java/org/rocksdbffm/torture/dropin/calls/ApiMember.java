/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.torture.dropin.calls;

import java.lang.reflect.Constructor;
import java.lang.reflect.Executable;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Type;
import java.util.Arrays;
import java.util.stream.Collectors;

/** A public constructor or method, or the constructor of a generated subclass. */
public record ApiMember(String key, Executable executable) {
  static ApiMember of(Executable executable) {
    String parameters =
        Arrays.stream(executable.getParameterTypes()).map(ApiMember::nameOf).collect(Collectors.joining(",", "(", ")"));
    String owner = nameOf(executable.getDeclaringClass());
    return new ApiMember(
        executable instanceof Method ? owner + "." + executable.getName() + parameters : owner + parameters,
        executable);
  }

  /** Returns a type's name, without the package for types of {@code org.rocksdb}. */
  static String nameOf(Class<?> type) {
    return type.isArray()
        ? nameOf(type.getComponentType()) + "[]"
        : type.getName().replace("org.rocksdb.", "").replaceAll("^java\\.(lang|util|nio)\\.", "");
  }

  Class<?> owner() {
    return executable.getDeclaringClass();
  }

  String name() {
    return executable instanceof Method ? executable.getName() : "new";
  }

  boolean hasReceiver() {
    return executable instanceof Method && !Modifier.isStatic(executable.getModifiers());
  }

  boolean isAbstract() {
    return Modifier.isAbstract(executable.getModifiers());
  }

  /** Returns the receiver's class, if any, and the parameters' classes. */
  Class<?>[] types() {
    Class<?>[] parameters = executable.getParameterTypes();
    if (!hasReceiver()) {
      return parameters;
    }
    Class<?>[] all = new Class<?>[parameters.length + 1];
    all[0] = owner();
    System.arraycopy(parameters, 0, all, 1, parameters.length);
    return all;
  }

  Type[] genericTypes() {
    Type[] parameters = executable.getGenericParameterTypes();
    if (!hasReceiver()) {
      return parameters;
    }
    Type[] all = new Type[parameters.length + 1];
    all[0] = owner();
    System.arraycopy(parameters, 0, all, 1, parameters.length);
    return all;
  }

  Class<?> result() {
    return executable instanceof Method method ? method.getReturnType() : owner();
  }

  Object call(Object[] arguments) throws Throwable {
    try {
      return switch (executable) {
        case Constructor<?> constructor -> constructor.newInstance(arguments);
        case Method method when hasReceiver() ->
            method.invoke(arguments[0], Arrays.copyOfRange(arguments, 1, arguments.length));
        case Method method -> method.invoke(null, arguments);
      };
    } catch (InvocationTargetException e) {
      throw e.getCause();
    }
  }
}
