/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.options.table;

import java.util.List;

/**
 * The type of an option: parses and writes its values, and knows which are supported. RocksDB gets values in the form
 * written here, because its own parser is more lenient.
 */
public abstract class OptionType {
  private static final String ALL = "*";
  private static final String NOTHING_ELSE = "-";

  /** A value that is not of the type; the message continues after the option's name. */
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

    /** Returns the exception with the option's name in front. */
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

  final boolean isNothingElse() {
    return nothingElse;
  }

  /**
   * Parses a value, and returns it in RocksDB's notation.
   *
   * @throws Mismatch if the value is not of this type
   */
  abstract String write(String value);

  /** Whether the table supports a written value. */
  boolean isSupported(String written) {
    return all || !nothingElse && isAmongSupported(written);
  }

  /** Whether a written value is one of the values in the table. */
  boolean isAmongSupported(String written) {
    return true;
  }

  /** Describes the supported values, as in "from 1 to 5". */
  abstract String supported();

  /** Returns the values at the limits of the supported ranges, for tests of the table. */
  List<String> bounds() {
    return List.of();
  }

  /** Returns the scope of the parts of a value; empty if absent. */
  String parts() {
    return "";
  }

  /** Returns a suggestion for an unsupported value; empty if absent. */
  String advice(String written) {
    return "";
  }
}
