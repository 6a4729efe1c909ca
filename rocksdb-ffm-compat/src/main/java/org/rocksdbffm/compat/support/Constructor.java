/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.compat.support;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;

/** A non-public constructor of a rocksdbjni class, for native code. */
public final class Constructor<T> {
  private final MethodHandle handle;

  public Constructor(Class<T> type, Class<?>... parameters) {
    try {
      handle =
          MethodHandles.privateLookupIn(type, MethodHandles.lookup())
              .findConstructor(type, MethodType.methodType(void.class, parameters));
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  @SuppressWarnings("unchecked") // the constructor returns a T
  public T make(Object... arguments) {
    try {
      return (T) handle.invokeWithArguments(arguments);
    } catch (Error | RuntimeException e) {
      throw e;
    } catch (Throwable e) {
      throw new AssertionError(e);
    }
  }
}
