/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.metrics;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.DoubleSupplier;

/** A metric of the process, a database or a column family. Equal only to itself. */
final class Series {
  private final Metric metric;
  private final Map<String, String> owner;
  private final DoubleSupplier value;
  private volatile double last = Double.NaN;

  /** Creates a series; {@code owner} has the tags of the database or column family, and is empty for the process. */
  Series(Metric metric, Map<String, String> owner, DoubleSupplier value) {
    this.metric = metric;
    this.owner = owner;
    this.value = value;
  }

  Metric metric() {
    return metric;
  }

  Map<String, String> owner() {
    return owner;
  }

  /** Returns the tags of the owner and the metric. */
  Map<String, String> tags() {
    Map<String, String> tags = new LinkedHashMap<>(owner);
    tags.putAll(metric.tags());
    return tags;
  }

  /**
   * Returns the current value; NaN if it is unknown. A counter keeps its last value if it becomes unknown: otherwise, a
   * rate over an interval with the gap would be unknown too.
   */
  double value() {
    double now = value.getAsDouble();
    if (metric.kind() != Metric.Kind.COUNTER) {
      return now;
    }
    last = Double.isNaN(now) ? last : now;
    return last;
  }
}
