/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.compat.tools;

import java.nio.ByteBuffer;
import java.util.Comparator;
import org.rocksdb.AbstractComparator;
import org.rocksdb.ComparatorOptions;

/** A comparator in Java with a name and a function. */
public final class LambdaComparator extends AbstractComparator {
  private final String name;
  private final Comparator<ByteBuffer> order;

  public LambdaComparator(ComparatorOptions options, String name, Comparator<ByteBuffer> order) {
    this.name = name; // first: the superclass asks for the name
    this.order = order;
    super(options);
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public int compare(ByteBuffer a, ByteBuffer b) {
    return order.compare(a, b);
  }
}
