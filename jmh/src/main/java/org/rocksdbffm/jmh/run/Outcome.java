/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.jmh.run;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.DoubleStream;

/**
 * What was measured in one cell, in one round.
 *
 * @param nanos of each of its turns, by the suffix that the row's name gets, for there may be several percentiles; "" for
 *     the average
 * @param bytesPerOp what was allocated on the heap, null if that is not known
 */
record Outcome(Map<String, double[]> nanos, Double bytesPerOp) {
  /** The turns of both; what was allocated is told by the later. */
  Outcome followedBy(Outcome later) {
    Map<String, double[]> both = new LinkedHashMap<>();
    nanos.forEach(
        (suffix, turns) -> {
          double[] itsTurns = later.nanos.get(suffix);
          both.put(suffix, DoubleStream.concat(DoubleStream.of(turns), DoubleStream.of(itsTurns)).toArray());
        });
    return new Outcome(both, later.bytesPerOp);
  }
}
