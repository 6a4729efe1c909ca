/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm;

/** The orders of keys that are in the engine. */
public enum KeyOrder {
  /** As unsigned bytes; the engine's default. */
  BYTEWISE("leveldb.BytewiseComparator"),
  /** As unsigned bytes, backward. */
  REVERSE_BYTEWISE("rocksdb.ReverseBytewiseComparator");

  private final String id;

  KeyOrder(String id) {
    this.id = id;
  }

  /**
   * The engine's name for it.
   *
   * @return the name in option texts
   */
  public String id() {
    return id;
  }

  /** Fails for the name of one of these, which code in Java cannot have. */
  static void requireOther(String name) {
    for (KeyOrder order : values()) {
      if (order.id.equals(name)) {
        throw new IllegalArgumentException("name: '" + name + "' is the engine's own order; keyOrder(" + order + ")");
      }
    }
  }
}
