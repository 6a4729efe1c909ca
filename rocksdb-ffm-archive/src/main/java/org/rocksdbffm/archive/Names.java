/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.archive;

import java.util.regex.Pattern;

/** The rules for names of objects, for implementations of {@link ObjectStore}. */
public final class Names {
  private static final int MOST = 200;
  private static final Pattern PART = Pattern.compile("[a-z0-9_-][a-z0-9._-]*");
  private static final Pattern PREFIX = Pattern.compile("[a-z0-9._/-]*");

  private Names() {}

  /**
   * Checks an object's name.
   *
   * @param name the name
   * @return the name
   * @throws IllegalArgumentException if no object may have it
   */
  public static String require(String name) {
    if (!isValid(name)) {
      throw new IllegalArgumentException(
          "name: '" + name + "', but names have up to " + MOST
          + " of a-z 0-9 . - _ in parts separated by single slashes");
    }
    return name;
  }

  /** Returns whether an object may have a name. */
  static boolean isValid(String name) {
    boolean isValid = !name.isEmpty() && name.length() <= MOST;
    for (String part : name.split("/", -1)) {
      isValid &= PART.matcher(part).matches();
    }
    return isValid;
  }

  /**
   * Checks the start of a name.
   *
   * @param prefix the start, perhaps empty
   * @return the prefix
   * @throws IllegalArgumentException if no name can start with it
   */
  public static String requirePrefix(String prefix) {
    if (prefix.length() > MOST || !PREFIX.matcher(prefix).matches()) {
      throw new IllegalArgumentException("prefix: '" + prefix + "', but names have only a-z 0-9 . - _ and slashes");
    }
    return prefix;
  }
}
