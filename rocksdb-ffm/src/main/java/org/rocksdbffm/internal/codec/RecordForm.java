/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.codec;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles.Lookup;
import java.lang.invoke.MethodType;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** The components of a record class: their names and types, a record's values, and a record of values. */
public final class RecordForm {
  private static final MethodType GET = MethodType.methodType(Object.class, Object.class);
  private static final MethodType MAKE = MethodType.methodType(Object.class, Object[].class);

  private final Class<?> type;
  private final List<Component> components;
  private final MethodHandle constructor;

  /** One component; {@code get} takes a record. */
  private record Component(String name, Class<?> type, MethodHandle get) {}

  private RecordForm(Class<?> type, List<Component> components, MethodHandle constructor) {
    this.type = type;
    this.components = components;
    this.constructor = constructor;
  }

  /** Returns the form of a record class; throws unless the lookup has access to its accessors and its constructor. */
  public static RecordForm of(Lookup lookup, Class<?> type) {
    RecordComponent[] given = type.getRecordComponents();
    if (given == null) {
      throw new IllegalArgumentException("type: " + type.getName() + " is not a record class");
    }
    try {
      List<Component> components = new ArrayList<>();
      for (RecordComponent each : given) {
        MethodHandle get = lookup.unreflect(each.getAccessor()).asType(GET);
        components.add(new Component(each.getName(), each.getType(), get));
      }
      Class<?>[] types = Stream.of(given).map(RecordComponent::getType).toArray(Class<?>[]::new);
      MethodHandle constructor = lookup.findConstructor(type, MethodType.methodType(void.class, types));
      return new RecordForm(type, components, constructor.asSpreader(Object[].class, types.length).asType(MAKE));
    } catch (IllegalAccessException | NoSuchMethodException e) {
      throw new IllegalArgumentException(
          "lookup: " + lookup + " has no access to " + type.getName()
              + ": pass MethodHandles.lookup() of a class with access",
          e);
    }
  }

  public Class<?> type() {
    return type;
  }

  public int count() {
    return components.size();
  }

  public String name(int index) {
    return components.get(index).name();
  }

  public Class<?> type(int index) {
    return components.get(index).type();
  }

  /** Returns the index of a component; throws if the record class has none with this name. */
  public int indexOf(String name) {
    for (int i = 0; i < components.size(); i++) {
      if (components.get(i).name().equals(name)) {
        return i;
      }
    }
    throw new IllegalArgumentException("component: " + type.getName() + " has no component '" + name + "'");
  }

  /** Returns the value of a component. */
  public Object get(int index, Object record) {
    try {
      return (Object) components.get(index).get().invokeExact(record);
    } catch (Throwable e) {
      throw rethrown(e);
    }
  }

  /** Returns a record with one value for each component. */
  public Object make(Object[] values) {
    try {
      return (Object) constructor.invokeExact(values);
    } catch (Throwable e) {
      throw rethrown(e);
    }
  }

  /** Neither accessors nor the canonical constructor of a record declare a checked exception. */
  private static RuntimeException rethrown(Throwable e) {
    if (e instanceof Error error) {
      throw error;
    }
    return (RuntimeException) e;
  }
}
