/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.options.table;

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
  boolean isAmongSupported(String written) {
    return true;
  }

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
}
