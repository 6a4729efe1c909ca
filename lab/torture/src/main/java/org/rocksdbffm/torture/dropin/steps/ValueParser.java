/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.torture.dropin.steps;

import java.util.ArrayList;
import java.util.List;

/** Parses an argument of a recorded case. */
public final class ValueParser {
  private final String word;
  private int at;

  ValueParser(String word) {
    this.word = word;
  }

  Value parse() {
    Value value = next();
    if (at != word.length()) {
      throw new IllegalArgumentException("no value: " + word);
    }
    return value;
  }

  private Value next() {
    return switch (word.charAt(at)) {
      case '$' -> new Value.Reference(rest());
      case '#' -> new Value.Whole(Long.parseLong(rest()));
      case '%' -> new Value.Real(Double.parseDouble(rest()));
      case '@' -> new Value.Constant(rest());
      case 'x' -> bytes(plain());
      case '<' -> buffer();
      case '"' -> text();
      case '[' -> new Value.Many(elements(']'));
      case '{' -> new Value.Pairs(elements('}'));
      default -> simple(plain());
    };
  }

  private static Value simple(String text) {
    return text.equals("null") ? new Value.Null() : new Value.Truth(Boolean.parseBoolean(text));
  }

  private String rest() {
    at++;
    return plain();
  }

  /** Returns the text up to the end of an element. */
  private String plain() {
    int start = at;
    while (at < word.length() && ",]}>".indexOf(word.charAt(at)) < 0) {
      at++;
    }
    return word.substring(start, at);
  }

  private static Value bytes(String text) {
    String[] parts = text.substring(1).split("\\*");
    return new Value.Bytes(parts[0], parts.length == 1 ? 1 : Integer.parseInt(parts[1]));
  }

  private Value buffer() {
    String[] parts = rest().split(":", -1);
    at++;
    return new Value.Buffer(
        Shape.valueOf(parts[0]),
        Integer.parseInt(parts[1]),
        Integer.parseInt(parts[2]),
        Integer.parseInt(parts[3]),
        parts[4]);
  }

  private Value text() {
    StringBuilder text = new StringBuilder();
    for (at++; word.charAt(at) != '"'; at++) {
      if (word.charAt(at) == '\\') {
        text.append((char) Integer.parseInt(word.substring(at + 2, at + 6), 16));
        at += 5;
      } else {
        text.append(word.charAt(at));
      }
    }
    at++;
    String times = plain();
    return new Value.Text(text.toString(), times.isEmpty() ? 1 : Integer.parseInt(times.substring(1)));
  }

  private List<Value> elements(char end) {
    List<Value> elements = new ArrayList<>();
    at++;
    while (word.charAt(at) != end) {
      if (word.charAt(at) == ',') {
        at++;
      }
      elements.add(next());
    }
    at++;
    return elements;
  }
}
