/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.jmh.run.plan;

import java.util.Locale;

/** The groups of rows that are measured and reported together. */
public enum Group {
  GET("one get"),
  SCAN("one row"),
  MULTIGET("one key"),
  WRITE("one row"),
  TRANSACTION("one transaction, value or row"),
  CALLBACK("one operation"),
  STARTUP("one start"),
  HANDOFF("one value"),
  COMPAT("one operation, row or key"),
  UPSTREAM("one operation; of a multi-get, one call");

  private final String unit;

  Group(String unit) {
    this.unit = unit;
  }

  /** Returns the group with a name. */
  public static Group of(String id) {
    return valueOf(id.toUpperCase(Locale.ROOT));
  }

  /** Returns the unit of the group's times, such as a get. */
  public String unit() {
    return unit;
  }

  /** Returns the name on the command line and in the results. */
  public String id() {
    return name().toLowerCase(Locale.ROOT);
  }
}
