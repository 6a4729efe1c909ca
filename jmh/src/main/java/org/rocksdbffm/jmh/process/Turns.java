/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.jmh.process;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToLongFunction;
import org.rocksdbffm.jmh.run.plan.Engine;

/**
 * The results of a program that ran alternately on each engine, in a different order in each round.
 *
 * @param <T> the result of a run
 */
public record Turns<T>(Map<Engine, List<T>> runs) {
  /** A program that runs once on an engine. */
  @FunctionalInterface
  public interface Program<T> {
    T run(Engine engine) throws IOException, InterruptedException;
  }

  /** Runs a program a number of times on each available engine. */
  public static <T> Turns<T> of(List<Engine> engines, int times, Program<T> program)
      throws IOException, InterruptedException {
    Map<Engine, List<T>> runs = new EnumMap<>(Engine.class);
    List<Engine> order = new ArrayList<>(engines.stream().filter(Engine::isAvailable).toList());
    for (int i = 0; i < times; i++) {
      for (Engine engine : order) {
        runs.computeIfAbsent(engine, each -> new ArrayList<>()).add(program.run(engine));
      }
      Collections.rotate(order, 1);
    }
    return new Turns<>(runs);
  }

  /** Returns the checksum of all runs; throws if they differ. */
  public long requireOneSum(String name, ToLongFunction<T> checksum) throws IOException {
    List<Long> sums = runs.values().stream().flatMap(List::stream).map(checksum::applyAsLong).distinct().toList();
    if (sums.size() != 1) {
      throw new IOException(name + " did not read or write the same everywhere: " + runs);
    }
    return sums.getFirst();
  }
}
