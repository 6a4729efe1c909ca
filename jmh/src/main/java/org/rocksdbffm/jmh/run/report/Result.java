/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.jmh.run.report;

import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import java.util.List;
import org.rocksdbffm.jmh.run.plan.Engine;
import org.rocksdbffm.jmh.run.plan.Group;

/**
 * The result of an engine in a row: an object of the results' file. A ratio above 1 means that this engine is faster
 * than the other.
 *
 * @param size of a value or row in bytes; 0 if none
 * @param ns the median of the rounds, in nanoseconds
 * @param nsLow the minimum
 * @param nsHigh the maximum
 * @param bytesPerOp the heap memory that an operation allocates; null if not measured
 * @param vsJni the speed relative to the corresponding row of rocksdbjni; null if none
 * @param vsJniLow the lowest ratio of a round
 * @param vsJniHigh the highest ratio of a round
 * @param vsNative the speed relative to C
 */
@JsonPropertyOrder({
  "group", "row", "size", "threads", "engine", "ns", "nsLow", "nsHigh", "bytesPerOp", "vsJni", "vsJniLow", "vsJniHigh",
  "vsNative"
})
public record Result(
    String group,
    String row,
    int size,
    int threads,
    String engine,
    double ns,
    double nsLow,
    double nsHigh,
    Double bytesPerOp,
    Double vsJni,
    Double vsJniLow,
    Double vsJniHigh,
    Double vsNative) {
  /** The fields that identify a result in different files. */
  record Id(String group, String row, int size, int threads, String engine) {}

  Id id() {
    return new Id(group, row, size, threads, engine);
  }

  /** Returns the single-threaded result of a row, or null. */
  static Result find(List<Result> results, Group group, String row, int size, Engine engine) {
    Id wanted = new Id(group.id(), row, size, 1, engine.id());
    return results.stream().filter(each -> each.id().equals(wanted)).findFirst().orElse(null);
  }

  public boolean isOf(Engine wanted) {
    return engine.equals(wanted.id());
  }

  /** Whether the ratio's spread includes 1, so that neither engine is clearly faster. */
  boolean isNotToldApart() {
    return vsJni != null && vsJniLow <= 1 && vsJniHigh >= 1;
  }
}
