/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.jmh.programs.clients;

import java.util.Comparator;
import java.util.List;
import java.util.Locale;

/** A phase of a client's program, on both libraries. */
record ClientPhase(String name, PhaseCost rocksdbjni, PhaseCost dropIn) {
  private static final String HEAD =
      """
      | phase | CPU | before | wall | CPU ms | JIT ms | inlined bytes |
      |:--|--:|--:|--:|--:|--:|--:|
      """;

  /** Returns how many times as much processor time rocksdbjni takes: above 1, the drop-in takes less. */
  double cpu() {
    return ratio(rocksdbjni.cpuMillis(), dropIn.cpuMillis());
  }

  private double wall() {
    return ratio(rocksdbjni.wallMillis(), dropIn.wallMillis());
  }

  private static double ratio(long rocksdbjni, long dropIn) {
    return (double) rocksdbjni / Math.max(1, dropIn);
  }

  /** Returns a Markdown table with the largest loss first and the sum last. */
  static String table(List<ClientPhase> phases, List<ClientPhase> old) {
    StringBuilder text = new StringBuilder(HEAD);
    phases.stream()
        .sorted(Comparator.comparingDouble(ClientPhase::cpu))
        .forEach(phase -> text.append(phase.row(find(phase.name, old))));
    if (!phases.isEmpty()) {
      text.append(sum(phases).row(old.isEmpty() ? null : sum(old)));
    }
    return text.toString();
  }

  private static ClientPhase find(String name, List<ClientPhase> phases) {
    return phases.stream().filter(phase -> phase.name.equals(name)).findFirst().orElse(null);
  }

  static ClientPhase sum(List<ClientPhase> phases) {
    return new ClientPhase(
        "sum",
        phases.stream().map(ClientPhase::rocksdbjni).reduce(PhaseCost::plus).orElseThrow(),
        phases.stream().map(ClientPhase::dropIn).reduce(PhaseCost::plus).orElseThrow());
  }

  private String row(ClientPhase before) {
    return String.format(
        Locale.ROOT,
        "| %s | %.2fx | %s | %.2fx | %d, %d | %d, %d | %d, %d |\n",
        name,
        cpu(),
        before == null ? "" : String.format(Locale.ROOT, "%.2fx", before.cpu()),
        wall(),
        rocksdbjni.cpuMillis(),
        dropIn.cpuMillis(),
        rocksdbjni.jitMillis(),
        dropIn.jitMillis(),
        rocksdbjni.inlinedBytes(),
        dropIn.inlinedBytes());
  }
}
