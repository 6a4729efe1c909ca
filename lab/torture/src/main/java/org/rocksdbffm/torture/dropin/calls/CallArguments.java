/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.torture.dropin.calls;

import java.lang.reflect.Type;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Random;
import org.rocksdbffm.torture.dropin.steps.Shape;
import org.rocksdbffm.torture.dropin.steps.Value;

/** Chooses the arguments of a member: from existing objects, new objects, and values out of range. */
public final class CallArguments {
  /** Creates an object of a type with a separate step; returns its name, or null. */
  interface Supplier {
    String supply(Class<?> type);
  }

  private static final int ONE_IN = 40;

  private final Random random;
  private final CallResults pool;
  private final String folder;
  private final Supplier supplier;
  private final int lastStep;
  private int lastLength;

  CallArguments(Random random, CallResults pool, String folder, int lastStep, Supplier supplier) {
    this.random = random;
    this.pool = pool;
    this.folder = folder;
    this.lastStep = lastStep;
    this.supplier = supplier;
  }

  /** Returns all arguments, the receiver first; null if no receiver exists. */
  List<Value> choose(ApiMember member, Value receiver) {
    List<Value> chosen = new ArrayList<>();
    Class<?>[] types = member.types();
    Type[] generic = member.genericTypes();
    lastLength = -1;
    for (int i = 0; i < types.length; i++) {
      if (i == 0 && member.hasReceiver()) {
        Value value = receiver == null ? object(types[0]) : receiver;
        if (!(value instanceof Value.Reference)) {
          return null;
        }
        chosen.add(value);
      } else {
        chosen.add(value(member, types[i], generic[i], 0));
      }
    }
    return chosen;
  }

  private Value value(ApiMember member, Class<?> type, Type generic, int depth) {
    if (type == boolean.class || type == Boolean.class) {
      return new Value.Truth(random.nextBoolean());
    }
    if (type == double.class || type == float.class) {
      return new Value.Real(CallWords.real(random));
    }
    if (type.isPrimitive() || Number.class.isAssignableFrom(type)) {
      return whole(type);
    }
    if (random.nextInt(ONE_IN) == 0) {
      return new Value.Null();
    }
    if (type == byte[].class) {
      return bytes(member);
    }
    if (type == ByteBuffer.class) {
      return buffer();
    }
    if (type == Behaviour.class) {
      return behaviour();
    }
    if (type == String.class || type == java.nio.file.Path.class) {
      String known = random.nextInt(4) == 0 ? pool.choose(String.class, random) : null;
      return known != null && type == String.class && !CallWords.takesPath(member)
          ? new Value.Reference(known)
          : CallWords.text(member, folder, random);
    }
    if (type.isEnum()) {
      Object[] constants = type.getEnumConstants();
      return new Value.Constant(((Enum<?>) constants[random.nextInt(constants.length)]).name());
    }
    if (type.isArray()) {
      return many(member, type.getComponentType(), type.getComponentType(), depth);
    }
    if (Map.class.isAssignableFrom(type)) {
      return pairs(member, type, generic, depth);
    }
    if (Collection.class.isAssignableFrom(type)) {
      Type element = Maker.argument(generic, 0);
      boolean filled = member.name().startsWith("open") && Maker.raw(element) == org.rocksdb.ColumnFamilyHandle.class;
      return filled && random.nextInt(8) != 0
          ? new Value.Many(List.of())
          : many(member, Maker.raw(element), element, depth);
    }
    return object(type);
  }

  private Value whole(Class<?> type) {
    if (type == int.class && lastLength >= 0 && random.nextInt(10) < 7) {
      return new Value.Whole(random.nextInt(lastLength + 1));
    }
    return new Value.Whole(CallWords.whole(random));
  }

  private Value bytes(ApiMember member) {
    String known = random.nextInt(member.key().startsWith("WriteBatch(") ? 2 : 20) == 0
        ? pool.choose(byte[].class, random)
        : null;
    if (known != null) {
      return new Value.Reference(known);
    }
    if (random.nextInt(50) == 0) {
      lastLength = 1 << random.nextInt(21);
      return new Value.Bytes("61", lastLength);
    }
    byte[] key = CallWords.takesFamilyName(member) ? CallWords.family(random) : CallWords.key(random);
    lastLength = key.length;
    return Value.Bytes.of(key);
  }

  private Value buffer() {
    byte[] content = CallWords.key(random);
    Shape[] shapes = Shape.values();
    Shape shape = shapes[random.nextInt(shapes.length)];
    int before = random.nextInt(3) == 0 ? random.nextInt(5) : 0;
    int after = random.nextInt(3) == 0 ? random.nextInt(200) : 0;
    int limit = before + content.length;
    return new Value.Buffer(shape, before, limit, limit + after, HexFormat.of().formatHex(content));
  }

  private Value behaviour() {
    Behaviour.Kind[] kinds = Behaviour.Kind.values();
    Behaviour.Kind kind = random.nextInt(2) == 0 ? Behaviour.Kind.PLAIN : kinds[random.nextInt(kinds.length)];
    return new Value.Text(kind + ":" + random.nextInt(Math.max(1, lastStep)), 1);
  }

  private Value many(ApiMember member, Class<?> type, Type generic, int depth) {
    int kind = random.nextInt(10);
    int count = kind == 0 ? 0 : kind < 9 ? 1 + random.nextInt(3) : 40;
    List<Value> elements = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      elements.add(value(member, type, generic, depth + 1));
    }
    return new Value.Many(elements);
  }

  private Value pairs(ApiMember member, Class<?> type, Type generic, int depth) {
    boolean texts = type == Properties.class;
    Type key = texts ? String.class : Maker.argument(generic, 0);
    Type value = texts ? String.class : Maker.argument(generic, 1);
    List<Value> elements = new ArrayList<>();
    for (int i = random.nextInt(3); i > 0; i--) {
      elements.add(notNull(value(member, Maker.raw(key), key, depth + 1)));
      elements.add(notNull(value(member, Maker.raw(value), value, depth + 1)));
    }
    return new Value.Pairs(elements);
  }

  private static Value notNull(Value value) {
    return value instanceof Value.Null ? new Value.Text("", 1) : value;
  }

  /** Chooses an existing object, or creates one. */
  private Value object(Class<?> type) {
    String name = pool.choose(type, random);
    if (name == null || random.nextInt(10) == 0) {
      String made = supplier.supply(type);
      name = made == null ? name : made;
    }
    return name == null ? new Value.Null() : new Value.Reference(name);
  }
}
