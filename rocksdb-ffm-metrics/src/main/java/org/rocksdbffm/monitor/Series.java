/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.monitor;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.DoubleSupplier;

/** A figure of one thing: the process, a database, or a family of it. Two are the same only if they are one object. */
final class Series {
  private final Figure figure;
  private final Map<String, String> owner;
  private final DoubleSupplier value;
  private volatile double last = Double.NaN;

  /** The owner is the process, without tags; or has those of a database, or a family. */
  Series(Figure figure, Map<String, String> owner, DoubleSupplier value) {
    this.figure = figure;
    this.owner = owner;
    this.value = value;
  }

  Figure figure() {
    return figure;
  }

  Map<String, String> owner() {
    return owner;
  }

  /** The owner's tags, and those of the figure. */
  Map<String, String> tags() {
    Map<String, String> tags = new LinkedHashMap<>(owner);
    tags.putAll(figure.tags());
    return tags;
  }

  /** NaN if it is unknown; a counter that is not known any more stays, for a rate would be unknown for as long as it spans. */
  double value() {
    double now = value.getAsDouble();
    if (figure.kind() != Figure.Kind.COUNTER) {
      return now;
    }
    last = Double.isNaN(now) ? last : now;
    return last;
  }
}
