/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.options;

import java.util.Map;

/**
 * The name and settings of a merge operator, by which two of them are held against each other: the engine's
 * own have a short name in options and their class's in an OPTIONS file.
 *
 * @param name the class's name, or that of code in Java
 * @param delimiter between what is appended; null where the operator has none, or it is not told
 */
public record MergeOperatorName(String name, String delimiter) {
  private static final String APPEND = "StringAppendOperator";
  private static final String TEST_APPEND = "StringAppendTESTOperator";
  private static final String DELIMITER = "delimiter=";
  private static final String ID = "id=";

  /** By the short names; the engine's class for both versions of put is the same, and so is what they do. */
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

  /** As an OPTIONS file has it, or code in Java calls itself; null for none. */
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
      return new MergeOperatorName(inner, null); // a name in braces, because it has a semicolon
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

  /** As options set it, where the short names are known too; null for none. */
  public static MergeOperatorName set(String value) {
    MergeOperatorName its = stored(value);
    return its == null ? null : new MergeOperatorName(OWN.getOrDefault(its.name, its.name), its.delimiter);
  }

  /** Whether a name is that of one in the engine, in options or in files. */
  public static boolean isOfTheEngine(String name) {
    return OWN.containsKey(name) || OWN.containsValue(name);
  }

  /** Whether the engine makes this one by a text as it was: one that is unknown, or that no text has, may be any. */
  public boolean isMadeByTheEngine() {
    return OWN.containsValue(name) && (delimiter == null ? !isAppending() : delimiter.matches("[^\\s;{}\ufffd]+"));
  }

  private boolean isAppending() {
    return name.equals(APPEND) || name.equals(TEST_APPEND);
  }

  /** Whether both do the same, as far as the two say what they do. */
  public boolean isLike(MergeOperatorName other) {
    return name.equals(other.name)
        && (delimiter == null || other.delimiter == null || delimiter.equals(other.delimiter));
  }

  @Override
  public String toString() {
    return delimiter == null ? "'" + name + "'" : "'" + name + "' with the delimiter '" + delimiter + "'";
  }
}
