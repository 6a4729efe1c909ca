/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.jmh.run.plan;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.rocksdbffm.jmh.benchmarks.FirstGet;

/**
 * A line of the result: a benchmark with its parameters.
 *
 * @param benchmark a method, with its class
 * @param parameters all but the engine and the size
 * @param sizes the sizes that it is measured with
 * @param threads the numbers of threads in a full run, the fewest first, which a quick look has
 * @param engines those that have the row
 * @param jniRows the rows that rocksdbjni has for the purpose, of which the fastest counts
 * @param nativeRow the row that C has for the purpose
 * @param percentiles those of single times that are reported; where there are none, the average is
 */
public record Row(
    Group group,
    String name,
    String benchmark,
    Map<String, String> parameters,
    Sizes sizes,
    List<Integer> threads,
    Set<Engine> engines,
    List<String> jniRows,
    String nativeRow,
    List<Double> percentiles) {
  /** A row of all engines, without a size, that is compared with itself. */
  public static Row of(Group group, String name, Class<?> type, String method) {
    return new Row(
        group, name, type.getName() + "." + method, Map.of(), Sizes.NONE, List.of(1), Engine.ALL, List.of(name), name,
        List.of());
  }

  Row with(String parameter, Object value) {
    Map<String, String> more = new TreeMap<>(parameters);
    more.put(parameter, value.toString());
    return new Row(
        group, name, benchmark, Map.copyOf(more), sizes, threads, engines, jniRows, nativeRow, percentiles);
  }

  private Row with(Sizes its) {
    return new Row(group, name, benchmark, parameters, its, threads, engines, jniRows, nativeRow, percentiles);
  }

  public Row sizes(Integer... values) {
    return with(sizes.full("valueSize", List.of(values)));
  }

  /** Belongs to a quick look; a 0 stands for a row without sizes. */
  public Row quick(Integer... values) {
    return with(sizes.quick(List.of(values)));
  }

  /** Belongs to the headline set; a 0 stands for a row without sizes. */
  public Row headline(Integer... values) {
    return with(sizes.headline(List.of(values)));
  }

  /** Is measured in several JVMs where all is measured, as quick looks and the headline set are anyway. */
  public Row often(Integer... values) {
    return with(sizes.often(List.of(values)));
  }

  public Row threads(Integer... values) {
    return new Row(
        group, name, benchmark, parameters, sizes, List.of(values), engines, jniRows, nativeRow, percentiles);
  }

  public Row only(Set<Engine> some) {
    return new Row(group, name, benchmark, parameters, sizes, threads, some, jniRows, nativeRow, percentiles);
  }

  public int fewestThreads() {
    return threads.getFirst();
  }

  /** Compared with the fastest of these rows of rocksdbjni. */
  public Row againstJni(String... rows) {
    return new Row(
        group, name, benchmark, parameters, sizes, threads, engines, List.of(rows), nativeRow, percentiles);
  }

  public Row againstNative(String row) {
    return new Row(group, name, benchmark, parameters, sizes, threads, engines, jniRows, row, percentiles);
  }

  public Row percentiles(Double... values) {
    return new Row(
        group, name, benchmark, parameters, sizes, threads, engines, jniRows, nativeRow, List.of(values));
  }

  /** Whether it is measured by starting processes, and not by JMH. */
  public boolean isStart() {
    return benchmark.startsWith(FirstGet.class.getName());
  }
}
