/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm;

import static java.util.Objects.requireNonNull;

/**
 * A built-in merge operator.
 *
 * @param id the engine's name of the operator, with its settings
 */
public record MergeOperator(String id) {
  /**
   * Checks for null.
   *
   * @param id the engine's name of the operator, with its settings
   */
  public MergeOperator {
    requireNonNull(id, "id");
  }

  /**
   * Returns the operator that adds unsigned 8-byte little-endian numbers.
   *
   * @return the operator
   */
  public static MergeOperator uint64Add() {
    return new MergeOperator("uint64add");
  }

  /**
   * Returns the operator that keeps the greater value, compared as unsigned bytes.
   *
   * @return the operator
   */
  public static MergeOperator max() {
    return new MergeOperator("max");
  }

  /**
   * Returns the operator that keeps the last merged value.
   *
   * @return the operator
   */
  public static MergeOperator put() {
    return new MergeOperator("put");
  }

  /**
   * Returns the operator that combines values by exclusive or.
   *
   * @return the operator
   */
  public static MergeOperator bytesXor() {
    return new MergeOperator("bytesxor");
  }

  /**
   * Returns the operator that appends values, separated by a character.
   *
   * @param delimiter an ASCII character, neither white space nor one of <code>;{}</code>
   * @return the operator
   */
  public static MergeOperator stringAppend(char delimiter) {
    return stringAppend(Character.toString(delimiter));
  }

  /**
   * Returns the operator that appends values, separated by a text.
   *
   * @param delimiter ASCII characters, at least one, neither white space nor any of <code>;{}</code>
   * @return the operator
   */
  public static MergeOperator stringAppend(String delimiter) {
    // An options string loses white space at the ends of a value, and an empty delimiter is not stored.
    if (!requireNonNull(delimiter, "delimiter").matches("[!-~&&[^;{}]]+")) {
      throw new IllegalArgumentException("delimiter: '" + delimiter + "' cannot be written in an option text");
    }
    return new MergeOperator("{id=StringAppendOperator;delimiter=" + delimiter + ";}");
  }
}
