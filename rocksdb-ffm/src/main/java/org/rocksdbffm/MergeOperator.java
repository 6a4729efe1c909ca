/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm;

import static java.util.Objects.requireNonNull;

/**
 * One of the merge operators that are in the engine.
 *
 * @param id what the engine calls it, with its settings
 */
public record MergeOperator(String id) {
  /**
   * Checks that nothing is null.
   *
   * @param id what the engine calls it, with its settings
   */
  public MergeOperator {
    requireNonNull(id, "id");
  }

  /**
   * Adds unsigned numbers of 8 bytes, little-endian.
   *
   * @return the operator
   */
  public static MergeOperator uint64Add() {
    return new MergeOperator("uint64add");
  }

  /**
   * Keeps the greater value, compared as unsigned bytes.
   *
   * @return the operator
   */
  public static MergeOperator max() {
    return new MergeOperator("max");
  }

  /**
   * Keeps the value that was merged last.
   *
   * @return the operator
   */
  public static MergeOperator put() {
    return new MergeOperator("put");
  }

  /**
   * Combines values by exclusive or.
   *
   * @return the operator
   */
  public static MergeOperator bytesXor() {
    return new MergeOperator("bytesxor");
  }

  /**
   * Appends values, with a character between them.
   *
   * @param delimiter an ASCII character, neither white space nor one of <code>;{}</code>
   * @return the operator
   */
  public static MergeOperator stringAppend(char delimiter) {
    // White space at an end of a value is lost in an option text.
    if (";{}".indexOf(delimiter) >= 0 || delimiter <= ' ' || delimiter > '~') {
      throw new IllegalArgumentException("delimiter: '" + delimiter + "' cannot be written in an option text");
    }
    return new MergeOperator("{id=StringAppendOperator;delimiter=" + delimiter + ";}");
  }
}
