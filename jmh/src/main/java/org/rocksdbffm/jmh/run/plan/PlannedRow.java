/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.jmh.run.plan;

import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;
import org.rocksdbffm.jmh.benchmarks.FirstGet;

/**
 * A line of the result: a benchmark with its parameters.
 *
 * @param benchmark the class and the method
 * @param parameters of the benchmark, except the engine and the size
 * @param sizes the sizes to measure
 * @param threads the numbers of threads in a full run, ascending; a quick run uses the first
 * @param engines that have the row
 * @param jniRows the corresponding rows of rocksdbjni, of which the fastest is compared
 * @param nativeRow the corresponding row of C
 * @param percentiles the percentiles of single operations that are reported; if empty, the average is reported
 */
public record PlannedRow(
    Group group,
    String name,
    String benchmark,
    Map<String, String> parameters,
    ValueSizes sizes,
    List<Integer> threads,
    Set<Engine> engines,
    List<String> jniRows,
    String nativeRow,
    List<Double> percentiles) {
  private static final String PACKAGE = "org.rocksdbffm.jmh.";

  /** The columns that are not parameters. */
  private static final Set<String> RESERVED =
      Set.of("sizes", "quick", "headline", "often", "threads", "engines", "jni", "native", "percentiles");

  /** Parses a line of the table; the lists are named lists of sizes. */
  public static PlannedRow of(String line, Map<String, String> lists) {
    String[] columns = line.split(" \\| ");
    Map<String, String> rest = new HashMap<>();
    for (String column : List.of(columns).subList(3, columns.length)) {
      int sign = column.indexOf('=');
      String value = column.substring(sign + 1);
      rest.put(column.substring(0, sign), lists.getOrDefault(value, value));
    }
    String name = columns[1];
    ValueSizes sizes =
        new ValueSizes(
            rest.containsKey("sizes") ? "valueSize" : null,
            list(rest.getOrDefault("sizes", "0"), Integer::valueOf),
            list(rest.get("quick"), Integer::valueOf),
            list(rest.get("headline"), Integer::valueOf),
            list(rest.get("often"), Integer::valueOf));
    List<Integer> threads = list(rest.getOrDefault("threads", "1"), Integer::valueOf);
    String engines = rest.get("engines");
    Set<Engine> some =
        engines == null ? Engine.ALL : Set.copyOf(list(engines, each -> Engine.valueOf(each.toUpperCase(Locale.ROOT))));
    String jni = rest.getOrDefault("jni", name);
    List<String> jniRows = jni.isEmpty() ? List.of() : List.of(jni.split("; "));
    String nativeRow = rest.getOrDefault("native", name);
    List<Double> percentiles = list(rest.get("percentiles"), Double::valueOf);
    rest.keySet().removeAll(RESERVED);
    return new PlannedRow(
        Group.of(columns[0]), name, PACKAGE + columns[2], Map.copyOf(rest), sizes, threads, some, jniRows, nativeRow,
            percentiles);
  }

  private static <T> List<T> list(String values, Function<String, T> parser) {
    return values == null ? List.of() : Stream.of(values.split(",")).map(parser).toList();
  }

  public int fewestThreads() {
    return threads.getFirst();
  }

  /** Whether the row is measured by starting processes, instead of by JMH. */
  public boolean isStart() {
    return benchmark.startsWith(FirstGet.class.getName());
  }
}
