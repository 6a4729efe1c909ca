/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.jmh.run;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * A line of the result: a benchmark with its parameters.
 *
 * @param benchmark a method, with its class
 * @param parameters all but the engine and the size
 * @param sizeParameter the parameter that takes the size, null if there is none
 * @param sizes the sizes in a full run; a single 0 where there is none
 * @param quickSizes those of a quick look
 * @param headlineSizes those of the headline set
 * @param threads the numbers of threads in a full run
 * @param engines who has it
 * @param jniRows what rocksdbjni has for the purpose, of which the fastest counts
 * @param nativeRow what C does for the purpose
 * @param percentiles what is told of single times; where it is empty, their average is
 */
record Row(
    Group group,
    String name,
    String benchmark,
    Map<String, String> parameters,
    String sizeParameter,
    List<Integer> sizes,
    List<Integer> quickSizes,
    List<Integer> headlineSizes,
    List<Integer> threads,
    Set<Engine> engines,
    List<String> jniRows,
    String nativeRow,
    List<Double> percentiles) {
  private static final List<Integer> NO_SIZE = List.of(0);

  /** A row of all engines, without a size, that is compared with itself. */
  static Row of(Group group, String name, Class<?> type, String method) {
    return new Row(
        group, name, type.getName() + "." + method, Map.of(), null, NO_SIZE, List.of(), List.of(), List.of(1),
        Engine.ALL, List.of(name), name, List.of());
  }

  Row with(String parameter, Object value) {
    Map<String, String> more = new TreeMap<>(parameters);
    more.put(parameter, value.toString());
    return new Row(
        group, name, benchmark, Map.copyOf(more), sizeParameter, sizes, quickSizes, headlineSizes, threads, engines,
        jniRows, nativeRow, percentiles);
  }

  Row sizes(Integer... values) {
    return new Row(
        group, name, benchmark, parameters, "valueSize", List.of(values), quickSizes, headlineSizes, threads, engines,
        jniRows, nativeRow, percentiles);
  }

  /** Belongs to a quick look; a 0 stands for a row without sizes. */
  Row quick(Integer... values) {
    return new Row(
        group, name, benchmark, parameters, sizeParameter, sizes, List.of(values), headlineSizes, threads, engines,
        jniRows, nativeRow, percentiles);
  }

  /** Belongs to the headline set; a 0 stands for a row without sizes. */
  Row headline(Integer... values) {
    return new Row(
        group, name, benchmark, parameters, sizeParameter, sizes, quickSizes, List.of(values), threads, engines,
        jniRows, nativeRow, percentiles);
  }

  Row threads(Integer... values) {
    return new Row(
        group, name, benchmark, parameters, sizeParameter, sizes, quickSizes, headlineSizes, List.of(values), engines,
        jniRows, nativeRow, percentiles);
  }

  Row only(Set<Engine> some) {
    return new Row(
        group, name, benchmark, parameters, sizeParameter, sizes, quickSizes, headlineSizes, threads, some, jniRows,
        nativeRow, percentiles);
  }

  /** Compared with the fastest of these rows of rocksdbjni. */
  Row againstJni(String... rows) {
    return new Row(
        group, name, benchmark, parameters, sizeParameter, sizes, quickSizes, headlineSizes, threads, engines,
        List.of(rows), nativeRow, percentiles);
  }

  Row againstNative(String row) {
    return new Row(
        group, name, benchmark, parameters, sizeParameter, sizes, quickSizes, headlineSizes, threads, engines, jniRows,
        row, percentiles);
  }

  Row percentiles(Double... values) {
    return new Row(
        group, name, benchmark, parameters, sizeParameter, sizes, quickSizes, headlineSizes, threads, engines, jniRows,
        nativeRow, List.of(values));
  }

  /** Whether it is not only of a full run. */
  boolean isShownOften(int size) {
    return quickSizes.contains(size) || headlineSizes.contains(size);
  }

  boolean hasSizes() {
    return sizeParameter != null;
  }

  /** Whether it is measured by starting processes, and not by JMH. */
  boolean isStart() {
    return benchmark.startsWith(StartTrial.class.getName());
  }
}
