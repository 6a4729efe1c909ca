/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.options.table;

import java.util.StringJoiner;
import java.util.StringTokenizer;

/**
 * One option: a line of the {@link OptionTable}.
 *
 * @param scope the option's scope in the table
 * @param name RocksDB's name; for a part, with the name of its structure in front
 * @param type the type, with its supported values
 * @param defaultValue RocksDB's default; empty if absent, or it consists of parts
 * @param isLive whether the option can be changed while the database is open
 * @param reason why other values are not supported; may be empty
 */
public record OptionRow(
    String scope, String name, OptionType type, String defaultValue, boolean isLive, String reason) {
  private static final String REASON = " ! ";
  private static final String LIVE = "live";
  private static final int COLUMNS = 6;

  public static OptionRow of(String line) {
    int end = line.indexOf(REASON);
    StringTokenizer words = new StringTokenizer(end < 0 ? line : line.substring(0, end));
    if (words.countTokens() != COLUMNS) {
      throw new IllegalStateException("not a line of the table of options: " + line);
    }
    String scope = words.nextToken();
    String name = words.nextToken();
    String type = words.nextToken();
    String defaultValue = words.nextToken();
    String supported = words.nextToken();
    String reason = end < 0 ? "" : line.substring(end + REASON.length()).strip();
    return new OptionRow(
        scope,
        name,
        type(type, expanded(supported)),
        defaultValue.equals("-") ? "" : defaultValue,
        words.nextToken().equals(LIVE),
        reason.startsWith("@") ? OptionTable.definition("reason", reason.substring(1)) : reason);
  }

  private static OptionType type(String type, String supported) {
    int colon = type.indexOf(':');
    String parts = colon < 0 ? "" : type.substring(colon + 1);
    return switch (colon < 0 ? type : type.substring(0, colon)) {
      case "bool" -> new ScalarType.Plain(supported, "true or false", ScalarType::bool, "true", "false");
      case "uint8" -> new NumericType(NumberType.UINT8, supported);
      case "int" -> new NumericType(NumberType.INT, supported);
      case "uint" -> new NumericType(NumberType.UINT, supported);
      case "long" -> new NumericType(NumberType.LONG, supported);
      case "ulong" -> new NumericType(NumberType.ULONG, supported);
      case "double" -> new ScalarType.Decimal(supported);
      case "word" -> new ScalarType.Word(supported);
      case "words" -> new ListType(new ScalarType.Word(supported));
      case "ints" -> new ListType(new NumericType(NumberType.INT, supported));
      case "text", "path" -> new ScalarType.Plain(supported, "any text", ScalarType::text);
      case "times" -> new ScalarType.Plain(supported, ScalarType.TIMES, ScalarType::times);
      case "struct" -> new StructType(parts, supported);
      case "object" -> new ObjectType(parts, supported);
      case "cache" -> new ScalarType.Plain(supported, "a capacity, or {capacity=...;...}", StructType::writtenCache);
      case "ignored" -> new ScalarType.Plain(supported, "without an effect", ScalarType::ignored);
      default -> throw new IllegalStateException("the table of options has an unknown type " + type);
    };
  }

  /** Returns the supported values, with named sets replaced by their members. */
  private static String expanded(String supported) {
    if (supported.indexOf('@') < 0) {
      return supported;
    }
    StringJoiner all = new StringJoiner("|");
    for (String each : supported.split("\\|")) {
      all.add(each.startsWith("@") ? OptionTable.definition("set", each.substring(1)) : each);
    }
    return all.toString();
  }

  /** Whether only the default is supported. */
  public boolean isUnsupported() {
    return type.isNothingElse();
  }

  /** Describes the supported values. */
  public String supported() {
    return isUnsupported() ? defaultValue : type.supported();
  }

  /** Returns the row of a part, under its whole name; null if there is no such part. */
  public OptionRow part(String part) {
    OptionRow row = type.parts().isEmpty() ? null : OptionTable.find(type.parts(), part);
    return row == null ? null : new OptionRow(scope, name + "." + part, row.type, row.defaultValue, isLive && row.isLive, row.reason);
  }

  /**
   * Checks a value, and returns it in RocksDB's notation: plain numbers, whole words, braces where needed.
   *
   * @throws IllegalArgumentException if the value is not of the type, or not supported
   */
  public String require(String value) {
    try {
      return check(value);
    } catch (UnsupportedValueException e) {
      throw e.toUser("");
    }
  }

  /** As {@link #require}, but throws {@link UnsupportedValueException} for a value that is not supported. */
  public String check(String value) {
    String written = written(value);
    if (isSupported(written)) {
      return written;
    }
    throw new UnsupportedValueException(described() + refusal(value, written));
  }

  /** Returns a value of the type in RocksDB's notation, supported or not. */
  private String written(String value) {
    if (!OptionText.isWellFormed(value)) {
      throw new IllegalArgumentException(described() + ": the value has a NUL, or half of a letter, which C++ cannot be given");
    }
    try {
      return type.write(value.strip());
    } catch (OptionType.Mismatch mismatch) {
      throw mismatch.of(described());
    } catch (IllegalArgumentException e) { // malformed parts
      throw new IllegalArgumentException(described() + ": " + e.getMessage(), e);
    }
  }

  private boolean isSupported(String written) {
    return type.isSupported(written) || !defaultValue.isEmpty() && written.equals(type.write(defaultValue));
  }

  /** Whether a value is RocksDB's default. */
  public boolean isDefault(String written) {
    return written.equals(defaultValue.isEmpty() ? "" : type.write(defaultValue));
  }

  private String refusal(String value, String written) {
    String shown = value.equals(written) || written.startsWith("{") ? value : value + " (" + written + ")";
    String why = reason.isEmpty() ? "" : "; " + reason;
    return isUnsupported()
        ? ": " + shown + " is not supported" + (reason.isEmpty() ? "" : ": " + reason)
        : ": " + shown + ", but it must be " + type.supported() + why + type.advice(written);
  }

  /** Returns the option's name for messages. */
  public String described() {
    return switch (scope) {
      case OptionTable.TABLE -> "table option " + name;
      case OptionTable.DATABASE, OptionTable.FAMILY -> "option " + name;
      default -> name;
    };
  }

  @Override
  public String toString() {
    return described() + ": " + supported();
  }
}
