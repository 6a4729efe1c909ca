/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.options;

import java.util.Map;

/**
 * The name and delimiter of a merge operator, for comparing two operators. Built-in operators have a short name in
 * options, and their class name in an OPTIONS file.
 *
 * @param name the class name, or the name of the Java callback
 * @param delimiter the text between appended values; null if absent, or it is unknown
 */
public record MergeOperatorName(String name, String delimiter) {
  private static final String APPEND = "StringAppendOperator";
  private static final String TEST_APPEND = "StringAppendTESTOperator";
  private static final String DELIMITER = "delimiter=";
  private static final String ID = "id=";

  /** Class names by short name. RocksDB has one class for both versions of put, which behave the same. */
  private static final Map<String, String> OWN =
      Map.of(
          "uint64add", "UInt64AddOperator",
          "max", "MaxOperator",
          "put", "PutOperator",
          "put_v1", "PutOperator",
          "bytesxor", "BytesXOR",
          "sortlist", "MergeSortOperator",
          "stringappend", APPEND,
          "stringappendtest", TEST_APPEND);

  /** Parses the form of an OPTIONS file, or the name of a Java callback; returns null for none. */
  public static MergeOperatorName stored(String value) {
    String text = value == null ? "" : value.strip();
    if (text.isEmpty() || text.equals("nullptr")) {
      return null;
    }
    if (!text.startsWith("{") || !text.endsWith("}")) {
      return new MergeOperatorName(text, null);
    }
    String inner = text.substring(1, text.length() - 1);
    if (!inner.startsWith(ID)) {
      return new MergeOperatorName(inner, null); // braces around a name that contains a semicolon
    }
    int end = inner.indexOf(';');
    String name = inner.substring(ID.length(), end < 0 ? inner.length() : end).strip();
    int at = end < 0 ? -1 : inner.indexOf(DELIMITER, end);
    if (at < 0) {
      return new MergeOperatorName(name, null);
    }
    int from = at + DELIMITER.length();
    int until = inner.endsWith(";") ? inner.length() - 1 : inner.length();
    return new MergeOperatorName(name, inner.substring(from, Math.max(from, until)));
  }

  /** Parses the form of an options string, where short names are allowed; returns null for none. */
  public static MergeOperatorName set(String value) {
    MergeOperatorName storedName = stored(value);
    return storedName == null
        ? null
        : new MergeOperatorName(OWN.getOrDefault(storedName.name, storedName.name), storedName.delimiter);
  }

  /** Whether this is the short name or class name of a built-in operator. */
  public static boolean isOfTheEngine(String name) {
    return OWN.containsKey(name) || OWN.containsValue(name);
  }

  /**
   * Whether RocksDB can recreate the operator from an options string: it is built in, and the delimiter can be written.
   */
  public boolean isMadeByTheEngine() {
    return OWN.containsValue(name) && (delimiter == null ? !isAppending() : delimiter.matches("[^\\s;{}\ufffd]+"));
  }

  private boolean isAppending() {
    return name.equals(APPEND) || name.equals(TEST_APPEND);
  }

  /** Whether both are the same operator; an unknown delimiter equals any other. */
  public boolean isLike(MergeOperatorName other) {
    return name.equals(other.name)
        && (delimiter == null || other.delimiter == null || delimiter.equals(other.delimiter));
  }

  @Override
  public String toString() {
    return delimiter == null ? "'" + name + "'" : "'" + name + "' with the delimiter '" + delimiter + "'";
  }
}
