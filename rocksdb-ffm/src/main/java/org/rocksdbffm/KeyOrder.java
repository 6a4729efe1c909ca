/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm;

/** How keys are ordered. */
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
   * What the engine calls it.
   *
   * @return the name in option texts
   */
  public String id() {
    return id;
  }
}
