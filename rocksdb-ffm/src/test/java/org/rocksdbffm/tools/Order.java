/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.tools;

import java.util.Arrays;
import java.util.Comparator;
import org.rocksdbffm.FamilyOptions;
import org.rocksdbffm.KeyOrder;

/** A key order, as comparator of a map and as options. */
public enum Order {
  BYTES(Arrays::compareUnsigned),
  REVERSE((a, b) -> Arrays.compareUnsigned(b, a)),
  JAVA(Comparator.<byte[]>comparingInt(key -> key.length).thenComparing((a, b) -> Arrays.compareUnsigned(b, a)));

  public final Comparator<byte[]> comparator;

  Order(Comparator<byte[]> comparator) {
    this.comparator = comparator;
  }

  public FamilyOptions options() {
    FamilyOptions options = FamilyOptions.defaults();
    return switch (this) {
      case BYTES -> options;
      case REVERSE -> options.keyOrder(KeyOrder.REVERSE_BYTEWISE);
      case JAVA -> options.keyOrder("by length", (a, b) -> comparator.compare(a.toArray(), b.toArray()));
    };
  }
}
