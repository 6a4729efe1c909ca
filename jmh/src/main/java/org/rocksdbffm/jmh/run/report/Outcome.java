/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.jmh.run.report;

import java.util.Map;

/**
 * The measurements of one cell in one round.
 *
 * @param nanos of each turn, by the suffix of the row's name, because there may be several percentiles; "" for the
 *     average
 * @param bytesPerOp the allocated heap memory; null if unknown
 */
public record Outcome(Map<String, double[]> nanos, Double bytesPerOp) {}
