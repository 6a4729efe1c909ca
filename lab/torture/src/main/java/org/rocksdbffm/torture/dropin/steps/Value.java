/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.torture.dropin.steps;

import java.util.HexFormat;
import java.util.List;
import java.util.stream.Collectors;

/** A recorded argument: a text without spaces, from which an equal argument can be created. */
public sealed interface Value {
  /** The null reference. */
  record Null() implements Value {
    @Override
    public String toString() {
      return "null";
    }
  }

  /** A result of an earlier step: the step's number, and the index among several results. */
  record Reference(String name) implements Value {
    @Override
    public String toString() {
      return "$" + name;
    }
  }

  /** An integer of any width. */
  record Whole(long number) implements Value {
    @Override
    public String toString() {
      return "#" + number;
    }
  }

  /** A floating-point number. */
  record Real(double number) implements Value {
    @Override
    public String toString() {
      return "%" + number;
    }
  }

  /** A boolean. */
  record Truth(boolean holds) implements Value {
    @Override
    public String toString() {
      return String.valueOf(holds);
    }
  }

  /** A constant of the parameter's enum. */
  record Constant(String name) implements Value {
    @Override
    public String toString() {
      return "@" + name;
    }
  }

  /** A string, repeated. */
  record Text(String part, int times) implements Value {
    @Override
    public String toString() {
      StringBuilder text = new StringBuilder("\"");
      for (char c : part.toCharArray()) {
        boolean plain = c > ' ' && c < 0x7F && "\"\\,=[](){}".indexOf(c) < 0;
        text.append(plain ? String.valueOf(c) : "\\u%04x".formatted((int) c));
      }
      return text.append('"').append(times == 1 ? "" : "*" + times).toString();
    }
  }

  /** A byte array: a pattern, repeated. */
  record Bytes(String hex, int times) implements Value {
    public static Bytes of(byte[] bytes) {
      return new Bytes(HexFormat.of().formatHex(bytes), 1);
    }

    public byte[] array() {
      byte[] part = HexFormat.of().parseHex(hex);
      byte[] all = new byte[part.length * times];
      for (int i = 0; i < all.length; i++) {
        all[i] = part[i % part.length];
      }
      return all;
    }

    @Override
    public String toString() {
      return "x" + hex + (times == 1 ? "" : "*" + times);
    }
  }

  /** A byte buffer of a {@linkplain Shape shape}, with bytes from its position. */
  record Buffer(Shape shape, int position, int limit, int capacity, String hex) implements Value {
    @Override
    public String toString() {
      return "<%s:%d:%d:%d:%s>".formatted(shape, position, limit, capacity, hex);
    }
  }

  /** A list, a set or an array. */
  record Many(List<Value> elements) implements Value {
    @Override
    public String toString() {
      return elements.stream().map(Value::toString).collect(Collectors.joining(",", "[", "]"));
    }
  }

  /** A map, or Properties: keys and values, alternating. */
  record Pairs(List<Value> elements) implements Value {
    @Override
    public String toString() {
      return elements.stream().map(Value::toString).collect(Collectors.joining(",", "{", "}"));
    }
  }

  static Value parse(String word) {
    return new ValueParser(word).parse();
  }
}
