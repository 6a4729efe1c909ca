/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.options.table;

import java.util.ArrayList;
import java.util.List;

/**
 * The type of an option: which values it has, and which of them are supported. A value is written down anew from what
 * was read of it, so that the engine, which is more forgiving, reads nothing else.
 */
public abstract class OptionType {
  private static final String ALL = "*";
  private static final String NOTHING_ELSE = "-";

  /** A value that is none of the type; the message goes on behind the option's name. */
  static final class Mismatch extends IllegalArgumentException {
    private static final long serialVersionUID = 1;

    private final boolean ofUnsupportedPart;

    Mismatch(String message) {
      this(message, false);
    }

    Mismatch(String message, boolean ofUnsupportedPart) {
      super(message);
      this.ofUnsupportedPart = ofUnsupportedPart;
    }

    /** With the name of the option that it is about. */
    IllegalArgumentException of(String option) {
      return ofUnsupportedPart
          ? new UnsupportedValueException(option + getMessage())
          : new IllegalArgumentException(option + getMessage());
    }
  }

  private final boolean nothingElse;
  private final boolean all;

  OptionType(String supported) {
    this.nothingElse = supported.equals(NOTHING_ELSE);
    this.all = supported.equals(ALL);
  }

  /** The type of a line of the table. */
  static OptionType of(String type, String supported) {
    int colon = type.indexOf(':');
    String parts = colon < 0 ? "" : type.substring(colon + 1);
    return switch (colon < 0 ? type : type.substring(0, colon)) {
      case "bool" -> new ScalarType.Bool(supported);
      case "uint8" -> new NumericType(NumberType.UINT8, supported);
      case "int" -> new NumericType(NumberType.INT, supported);
      case "uint" -> new NumericType(NumberType.UINT, supported);
      case "long" -> new NumericType(NumberType.LONG, supported);
      case "ulong" -> new NumericType(NumberType.ULONG, supported);
      case "double" -> new ScalarType.Decimal(supported);
      case "word" -> new ScalarType.Word(supported);
      case "words" -> new ListType(new ScalarType.Word(supported));
      case "ints" -> new ListType(new NumericType(NumberType.INT, supported));
      case "text", "path" -> new ScalarType.Text(supported);
      case "times" -> new ScalarType.Times(supported);
      case "struct" -> new StructType(parts, supported);
      case "object" -> new ObjectType(parts, supported);
      case "cache" -> new CacheType(supported);
      case "ignored" -> new ScalarType.Ignored(supported);
      default -> throw new IllegalStateException("the table of options has an unknown type " + type);
    };
  }

  final boolean isNothingElse() {
    return nothingElse;
  }

  /**
   * Writes down a value.
   *
   * @throws Mismatch if it is none of this type
   */
  abstract String write(String value);

  /** Whether the table supports what was written. */
  boolean isSupported(String written) {
    return all || !nothingElse && isAmongSupported(written);
  }

  /** Whether what was written is among the values of the table. */
  abstract boolean isAmongSupported(String written);

  /** The supported values in words, as in "from 1 to 5". */
  abstract String supported();

  /** Values at the ends of what is supported, by which the table is tried. */
  List<String> bounds() {
    return List.of();
  }

  /** The scope of the parts that a value may have; empty if it has none. */
  String parts() {
    return "";
  }

  /** A hint at the value that may have been meant; empty if nothing near is known. */
  String advice(String written) {
    return "";
  }

  /** The alternatives of a line, those of a named set among them. */
  static List<String> alternatives(String supported) {
    List<String> alternatives = new ArrayList<>();
    for (String alternative : supported.split("\\|")) {
      if (alternative.startsWith("@")) {
        alternatives.addAll(List.of(OptionTable.definition("set", alternative.substring(1)).split("\\|")));
      } else {
        alternatives.add(alternative);
      }
    }
    return alternatives;
  }
}
