/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.jmh.programs.clients;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToLongFunction;

/**
 * The costs of a phase on one library.
 *
 * @param wallMillis from its start to its end
 * @param cpuMillis of the whole process
 * @param jitMillis of the threads of the JIT compilers, contained in {@code cpuMillis}
 * @param inlinedBytes of bytecode, by C2
 */
record PhaseCost(long wallMillis, long cpuMillis, long jitMillis, long inlinedBytes) {
  private static final String MARK = "phase: ";

  /** Returns the phases in the output of a client's program. */
  static Map<String, PhaseCost> in(List<String> lines) {
    Map<String, PhaseCost> phases = new LinkedHashMap<>();
    for (String line : lines) {
      if (line.startsWith(MARK)) {
        String[] words = line.substring(MARK.length()).split("\\|");
        phases.put(words[0], new PhaseCost(number(words[1]), number(words[2]), number(words[3]), number(words[4])));
      }
    }
    return phases;
  }

  private static long number(String word) {
    return Long.parseLong(word);
  }

  /** Returns the medians of rounds. The inlined bytes come from a separate process, which logged the inlining. */
  static PhaseCost median(List<PhaseCost> rounds, long inlinedBytes) {
    return new PhaseCost(
        median(rounds, PhaseCost::wallMillis),
        median(rounds, PhaseCost::cpuMillis),
        median(rounds, PhaseCost::jitMillis),
        inlinedBytes);
  }

  private static long median(List<PhaseCost> rounds, ToLongFunction<PhaseCost> cost) {
    List<Long> sorted = new ArrayList<>(rounds.stream().map(cost::applyAsLong).sorted().toList());
    int half = sorted.size() / 2;
    return sorted.size() % 2 == 1 ? sorted.get(half) : (sorted.get(half - 1) + sorted.get(half)) / 2;
  }

  PhaseCost plus(PhaseCost other) {
    return new PhaseCost(
        wallMillis + other.wallMillis,
        cpuMillis + other.cpuMillis,
        jitMillis + other.jitMillis,
        inlinedBytes + other.inlinedBytes);
  }
}
