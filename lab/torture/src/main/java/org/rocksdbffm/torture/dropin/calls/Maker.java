/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.torture.dropin.calls;

import java.lang.reflect.Array;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.lang.reflect.WildcardType;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntConsumer;
import org.rocksdbffm.torture.dropin.steps.CallStep;
import org.rocksdbffm.torture.dropin.steps.Value;

/** Creates arguments from their recorded form. */
public final class Maker {
  /** The object of an argument is missing, because its step was omitted or failed. */
  static final class MissingException extends Exception {
    private static final long serialVersionUID = 1;

    MissingException(String message) {
      super(message);
    }
  }

  private final CallResults pool;
  private final boolean patient;
  private final IntConsumer runner;

  /** Creates a maker. Creates a maker; callbacks run an earlier step again by the runner. */
  Maker(CallResults pool, boolean patient, IntConsumer runner) {
    this.pool = pool;
    this.patient = patient;
    this.runner = runner;
  }

  Object[] make(CallStep step, ApiMember member) throws MissingException {
    Class<?>[] types = member.types();
    Type[] generic = member.genericTypes();
    if (types.length != step.arguments().size()) {
      throw new MissingException("other parameters");
    }
    Object[] made = new Object[types.length];
    for (int i = 0; i < types.length; i++) {
      made[i] = make(step.arguments().get(i), types[i], generic[i], step.number());
      if (made[i] == null && types[i].isPrimitive() || made[i] == null && i == 0 && member.hasReceiver()) {
        throw new MissingException("no argument " + i);
      }
    }
    return made;
  }

  private Object make(Value value, Class<?> type, Type generic, int number) throws MissingException {
    return switch (value) {
      case Value.Null none -> null;
      case Value.Reference reference -> referred(reference.name(), type);
      case Value.Whole whole -> whole(whole.number(), type);
      case Value.Real real -> type == float.class ? (Object) (float) real.number() : (Object) real.number();
      case Value.Truth truth -> truth.holds();
      case Value.Constant constant -> constant(type, constant.name());
      case Value.Text text -> text(text, type, number);
      case Value.Bytes bytes -> bytes.array();
      case Value.Buffer buffer ->
          buffer.shape().make(buffer.position(), buffer.limit(), buffer.capacity(),
              HexFormat.of().parseHex(buffer.hex()));
      case Value.Many many -> many(many.elements(), type, generic, number);
      case Value.Pairs pairs -> pairs(pairs.elements(), type, generic, number);
    };
  }

  private Object referred(String name, Class<?> type) throws MissingException {
    Object object = pool.await(name, patient);
    if (object == null || !type.isInstance(object)) {
      throw new MissingException("no " + name);
    }
    return object;
  }

  private static Object whole(long number, Class<?> type) {
    return switch (type.getSimpleName()) {
      case "int", "Integer" -> (int) number;
      case "byte", "Byte" -> (byte) number;
      case "short" -> (short) number;
      case "char" -> (char) number;
      case "double" -> (double) number;
      default -> number;
    };
  }

  private static Object constant(Class<?> type, String name) {
    for (Object constant : type.getEnumConstants()) {
      if (((Enum<?>) constant).name().equals(name)) {
        return constant;
      }
    }
    return null;
  }

  private Object text(Value.Text value, Class<?> type, int number) {
    String text = value.part().repeat(value.times());
    if (type == Path.class) {
      return Path.of(text);
    }
    if (type == Behaviour.class) {
      String[] parts = text.split(":");
      return new Behaviour(
          Behaviour.Kind.valueOf(parts[0]), Integer.parseInt(parts[1]), number, pool, runner, new AtomicInteger());
    }
    return text;
  }

  private Object many(List<Value> values, Class<?> type, Type generic, int number) throws MissingException {
    if (type.isArray()) {
      Object array = Array.newInstance(type.getComponentType(), values.size());
      for (int i = 0; i < values.size(); i++) {
        Array.set(array, i, make(values.get(i), type.getComponentType(), type.getComponentType(), number));
      }
      return array;
    }
    Type element = argument(generic, 0);
    List<Object> list = new ArrayList<>();
    for (Value value : values) {
      list.add(make(value, raw(element), element, number));
    }
    return type == EnumSet.class ? enumSet(raw(element), list) : Set.class.isAssignableFrom(type)
        ? new LinkedHashSet<>(list) : list;
  }

  @SuppressWarnings({"unchecked", "rawtypes"})
  private static Object enumSet(Class<?> type, Collection<Object> constants) {
    EnumSet set = EnumSet.noneOf((Class) type);
    constants.stream().filter(java.util.Objects::nonNull).forEach(set::add);
    return set;
  }

  private Object pairs(List<Value> values, Class<?> type, Type generic, int number) throws MissingException {
    boolean isProperties = type == Properties.class;
    Map<Object, Object> map = isProperties ? new Properties() : new HashMap<>();
    for (int i = 0; i + 1 < values.size(); i += 2) {
      Type key = isProperties ? String.class : argument(generic, 0);
      Type value = isProperties ? String.class : argument(generic, 1);
      map.put(make(values.get(i), raw(key), key, number), make(values.get(i + 1), raw(value), value, number));
    }
    return map;
  }

  /** Returns a type argument of a generic type. */
  static Type argument(Type generic, int index) {
    return generic instanceof ParameterizedType some ? some.getActualTypeArguments()[index] : Object.class;
  }

  static Class<?> raw(Type type) {
    return switch (type) {
      case Class<?> known -> known;
      case ParameterizedType generic -> (Class<?>) generic.getRawType();
      case WildcardType wildcard -> raw(wildcard.getUpperBounds()[0]);
      default -> type.getTypeName().equals("byte[]") ? byte[].class : Object.class;
    };
  }

}
