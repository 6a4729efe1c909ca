/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm;

/** The built-in orders of keys. */
public enum KeyOrder {
  /** By unsigned bytes; the engine's default. */
  BYTEWISE("leveldb.BytewiseComparator"),
  /** By unsigned bytes, in reverse. */
  REVERSE_BYTEWISE("rocksdb.ReverseBytewiseComparator");

  private final String id;

  KeyOrder(String id) {
    this.id = id;
  }

  /**
   * Returns the engine's name of the order.
   *
   * @return the name in option texts
   */
  public String id() {
    return id;
  }

  /** Throws if the name is a built-in order's, which a Java callback must not have. */
  static void requireOther(String name) {
    for (KeyOrder order : values()) {
      if (order.id.equals(name)) {
        throw new IllegalArgumentException("name: '" + name + "' is the engine's own order; keyOrder(" + order + ")");
      }
    }
  }
}
