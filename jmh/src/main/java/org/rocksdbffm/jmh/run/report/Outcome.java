/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.jmh.run.report;

import java.util.Map;

/**
 * The measurements of one cell in one round.
 *
 * @param nanos of each of its turns, by the suffix that the row's name gets, for there may be several percentiles; "" for
 *     the average
 * @param bytesPerOp what was allocated on the heap, null if that is not known
 */
public record Outcome(Map<String, double[]> nanos, Double bytesPerOp) {}
