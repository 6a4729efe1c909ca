/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.options.table;

import java.util.StringTokenizer;

/** An option: its type, the engine's default, and the values that are supported. A line of the {@link OptionTable}. */
public final class OptionRow {
  private static final String REASON = " ! ";
  private static final String LIVE = "live";
  private static final int COLUMNS = 6;

  private final String scope;
  private final String name;
  private final OptionType type;
  private final String defaultValue;
  private final boolean live;
  private final String reason;

  private OptionRow(String scope, String name, OptionType type, String defaultValue, boolean live, String reason) {
    this.scope = scope;
    this.name = name;
    this.type = type;
    this.defaultValue = defaultValue;
    this.live = live;
    this.reason = reason;
  }

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
        OptionType.of(type, supported),
        defaultValue.equals("-") ? "" : defaultValue,
        words.nextToken().equals(LIVE),
        reason.startsWith("@") ? OptionTable.definition("reason", reason.substring(1)) : reason);
  }

  /** Where the table has it. */
  public String scope() {
    return scope;
  }

  /** The engine's name for it, or for the structure that it is a part of, and its own. */
  public String name() {
    return name;
  }

  public OptionType type() {
    return type;
  }

  /** The engine's default; empty if it has none, or one in parts. */
  public String defaultValue() {
    return defaultValue;
  }

  /** Whether it may be changed while the database is open. */
  public boolean isLive() {
    return live;
  }

  /** Why nothing but what is supported is; may be empty. */
  public String reason() {
    return reason;
  }

  /** Whether the default alone is supported. */
  public boolean isUnsupported() {
    return type.isNothingElse();
  }

  /** The values that are supported, in words. */
  public String supported() {
    return isUnsupported() ? defaultValue : type.supported();
  }

  /** A part of this option, under its whole name; null if it has no such part. */
  public OptionRow part(String part) {
    OptionRow row = type.parts().isEmpty() ? null : OptionTable.find(type.parts(), part);
    return row == null ? null : new OptionRow(scope, name + "." + part, row.type, row.defaultValue, live && row.live, row.reason);
  }

  /**
   * Checks a value, and writes it down for the engine: plain numbers, whole words, braces where they are needed.
   *
   * @throws IllegalArgumentException if it is none of this option, or not supported
   */
  public String require(String value) {
    try {
      return check(value);
    } catch (UnsupportedValueException e) {
      throw e.toUser("");
    }
  }

  /** The same, with an exception of its own for a value that is not supported. */
  public String check(String value) {
    String written = written(value);
    if (isSupported(written)) {
      return written;
    }
    throw new UnsupportedValueException(described() + refusal(value, written));
  }

  /** A value of this option's type as the engine gets it, whether it is supported or not. */
  private String written(String value) {
    if (!OptionText.isWellFormed(value)) {
      throw new IllegalArgumentException(described() + ": the value has a NUL, or half of a letter, which C++ cannot be given");
    }
    try {
      return type.write(value.strip());
    } catch (OptionType.Mismatch mismatch) {
      throw mismatch.of(described());
    } catch (IllegalArgumentException e) { // parts that are none, of a text of their own
      throw new IllegalArgumentException(described() + ": " + e.getMessage(), e);
    }
  }

  private boolean isSupported(String written) {
    return type.isSupported(written) || !defaultValue.isEmpty() && written.equals(type.write(defaultValue));
  }

  /** Whether a value is the engine's default. */
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

  /** The option as a message names it. */
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
