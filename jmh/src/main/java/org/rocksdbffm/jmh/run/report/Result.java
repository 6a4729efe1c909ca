/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.jmh.run.report;

import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import java.util.List;
import org.rocksdbffm.jmh.run.plan.Engine;
import org.rocksdbffm.jmh.run.plan.Group;

/**
 * The figures of one engine in one row: an object of the results' file. A ratio above 1 means that this engine is
 * faster than the other.
 *
 * @param size of a value or row in bytes, 0 where there is none
 * @param ns the median of the rounds, in nanoseconds
 * @param nsLow the lowest
 * @param nsHigh the highest
 * @param bytesPerOp what the operation allocates on the heap, null where that is not measured
 * @param vsJni how many times as fast as what rocksdbjni has for the purpose, null if it has nothing
 * @param vsJniLow the lowest ratio of a round
 * @param vsJniHigh the highest
 * @param vsNative the same against C
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
  /** The fields by which the same result is found in two files. */
  record Id(String group, String row, int size, int threads, String engine) {}

  Id id() {
    return new Id(group, row, size, threads, engine);
  }

  /** The one of a row on one thread; null if there is none. */
  static Result find(List<Result> results, Group group, String row, int size, Engine engine) {
    Id wanted = new Id(group.id(), row, size, 1, engine.id());
    return results.stream().filter(its -> its.id().equals(wanted)).findFirst().orElse(null);
  }

  public boolean isOf(Engine wanted) {
    return engine.equals(wanted.id());
  }

  /** Whether the ratio's spread leaves open who is faster. */
  boolean isNotToldApart() {
    return vsJni != null && vsJniLow <= 1 && vsJniHigh >= 1;
  }
}
