/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.server.load;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.rocksdbffm.server.load.HandOff.Way;

/** The measurements with values of one size: the rounds of each kind of store, by fork. */
public final class HandOffRounds {
  static final String HEADER =
      """
      | transport | values by way of | bytes | requests/s | requests/CPU s | lowest..highest round | to byte[] | half \
      of the \
      rounds | forks | heap B/request |
      |--|--|--:|--:|--:|--:|--:|--:|--:|--:|""";

  private final List<Map<Way, List<Round>>> forks = new ArrayList<>();

  /** Requests per second, requests per second of the server's CPU time, and heap bytes per request. */
  record Round(double perSecond, double perCpuSecond, double heapBytes) {}

  void beginFork() {
    forks.add(new EnumMap<>(Way.class));
  }

  void add(Way way, Round round) {
    forks.getLast().computeIfAbsent(way, any -> new ArrayList<>()).add(round);
  }

  void print(String server, int size) {
    for (Way way : Way.values()) {
      List<Round> rounds = forks.stream().flatMap(fork -> fork.get(way).stream()).toList();
      double[] perCpuSecond = rounds.stream().mapToDouble(Round::perCpuSecond).sorted().toArray();
      double[] ratios = forks.stream().flatMapToDouble(fork -> ratios(fork, way)).sorted().toArray();
      System.out.printf(
          Locale.ROOT,
          "| %s | %s | %d | %.0f | %.0f | %.0f..%.0f | %.2f | %.2f..%.2f | %s | %.0f |%n",
          server,
          way.title,
          size,
          quantile(rounds.stream().mapToDouble(Round::perSecond), 0.5),
          quantile(DoubleStream.of(perCpuSecond), 0.5),
          perCpuSecond[0],
          perCpuSecond[perCpuSecond.length - 1],
          quantile(DoubleStream.of(ratios), 0.5),
          quantile(DoubleStream.of(ratios), 0.25),
          quantile(DoubleStream.of(ratios), 0.75),
          String.join(" ", byForks(way).toList()),
          quantile(rounds.stream().mapToDouble(Round::heapBytes), 0.5));
    }
  }

  private Stream<String> byForks(Way way) {
    return forks.stream().map(fork -> String.format(Locale.ROOT, "%.2f", quantile(ratios(fork, way), 0.5)));
  }

  /** Returns the ratios of adjacent rounds, because a disturbance of the machine affects both. */
  private static DoubleStream ratios(Map<Way, List<Round>> fork, Way way) {
    List<Round> rounds = fork.get(way);
    List<Round> arrays = fork.get(Way.ARRAY);
    return IntStream.range(0, rounds.size()).mapToDouble(i -> rounds.get(i).perCpuSecond / arrays.get(i).perCpuSecond);
  }

  /** Returns a quantile, interpolated between the two nearest values. */
  private static double quantile(DoubleStream figures, double part) {
    double[] sorted = figures.sorted().toArray();
    double at = part * (sorted.length - 1);
    int below = (int) at;
    int above = Math.min(below + 1, sorted.length - 1);
    return sorted[below] + (at - below) * (sorted[above] - sorted[below]);
  }
}
