/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.compat.torture.steps;


import java.util.HexFormat;
import java.util.List;
import java.util.stream.Collectors;

/** An argument as it is written down in a case: a word without blanks, of which the same argument is made again. */
public sealed interface Value {
  /** No object. */
  record Null() implements Value {
    @Override
    public String toString() {
      return "null";
    }
  }

  /** A result of an earlier step: the step's number, and which of its results if there are several. */
  record Reference(String name) implements Value {
    @Override
    public String toString() {
      return "$" + name;
    }
  }

  /** A whole number of any width. */
  record Whole(long number) implements Value {
    @Override
    public String toString() {
      return "#" + number;
    }
  }

  /** A number with a point. */
  record Real(double number) implements Value {
    @Override
    public String toString() {
      return "%" + number;
    }
  }

  /** A truth value. */
  record Truth(boolean holds) implements Value {
    @Override
    public String toString() {
      return String.valueOf(holds);
    }
  }

  /** A constant of the enum that is asked for. */
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

  /** An array of bytes: a pattern, repeated. */
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

  /** A byte buffer of a {@linkplain Shape shape}, with bytes from its position on. */
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

  /** A map, or properties: keys and values by turns. */
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
