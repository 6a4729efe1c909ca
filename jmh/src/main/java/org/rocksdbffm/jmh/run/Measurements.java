/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.jmh.run;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;

/** The outcomes of all rounds, by cell, and what follows from them. */
final class Measurements {
  private final Map<Cell, List<Outcome>> outcomes = new LinkedHashMap<>();
  private final Set<Cell> givenUp = new HashSet<>();

  void add(Cell cell, Outcome outcome) {
    outcomes.computeIfAbsent(cell, ignored -> new ArrayList<>()).add(outcome);
  }

  /** Forgets a cell, which has no figures for all rounds. */
  void giveUp(Cell cell) {
    outcomes.remove(cell);
    givenUp.add(cell);
  }

  boolean isGivenUp(Cell cell) {
    return givenUp.contains(cell);
  }

  /** How often the cell that was measured most was measured. */
  int rounds() {
    return outcomes.values().stream().mapToInt(List::size).max().orElse(0);
  }

  List<Result> results() {
    List<Result> results = new ArrayList<>();
    outcomes.forEach(
        (cell, its) -> its.getFirst().nanos().keySet().forEach(suffix -> results.add(result(cell, suffix))));
    return results;
  }

  private Result result(Cell cell, String suffix) {
    Spread spread = nanos(cell, suffix);
    Spread vsJni = cell.engine() == Engine.JNI ? null : ratios(fastestJni(cell, suffix), cell, suffix);
    Spread vsNative =
        cell.engine() == Engine.NATIVE
            ? null
            : ratios(find(cell, cell.row().nativeRow(), Engine.NATIVE), cell, suffix);
    return new Result(
        cell.row().group().id(),
        cell.row().name() + suffix,
        cell.size(),
        cell.threads(),
        cell.engine().id(),
        rounded(spread.median()),
        rounded(spread.low()),
        rounded(spread.high()),
        bytesPerOp(cell),
        vsJni == null ? null : rounded(vsJni.median()),
        vsJni == null ? null : rounded(vsJni.low()),
        vsJni == null ? null : rounded(vsJni.high()),
        vsNative == null ? null : rounded(vsNative.median()));
  }

  /** Over the rounds that both were measured in. */
  private Spread ratios(Cell other, Cell cell, String suffix) {
    if (other == null) {
      return null;
    }
    List<Outcome> dividends = outcomes.get(other);
    List<Outcome> divisors = outcomes.get(cell);
    List<Spread> rounds = new ArrayList<>();
    for (int i = 0; i < Math.min(dividends.size(), divisors.size()); i++) {
      double[] its = divisors.get(i).nanos().get(suffix);
      double[] others = dividends.get(i).nanos().get(suffix);
      rounds.add(other.row().equals(cell.row()) ? ratiosByTurn(others, its) : ratioOfMiddles(others, its));
    }
    return Spread.over(rounds);
  }

  /** Of turns that followed each other. */
  private static Spread ratiosByTurn(double[] dividends, double[] divisors) {
    double[] ratios = new double[Math.min(dividends.length, divisors.length)];
    for (int i = 0; i < ratios.length; i++) {
      ratios[i] = dividends[i] / divisors[i];
    }
    return Spread.ofMiddleHalf(ratios);
  }

  /** Of what was measured at different times: the worst for the one against the best for the other, and vice versa. */
  private static Spread ratioOfMiddles(double[] dividends, double[] divisors) {
    Spread dividend = Spread.ofMiddleHalf(dividends);
    Spread divisor = Spread.ofMiddleHalf(divisors);
    return new Spread(
        dividend.low() / divisor.high(), dividend.median() / divisor.median(), dividend.high() / divisor.low());
  }

  private Spread nanos(Cell cell, String suffix) {
    return Spread.over(
        outcomes.get(cell).stream().map(outcome -> Spread.ofMiddleHalf(outcome.nanos().get(suffix))).toList());
  }

  /** The median of the rounds; what is below a byte is the profiler's own. */
  private Double bytesPerOp(Cell cell) {
    double[] bytes =
        outcomes.get(cell).stream().map(Outcome::bytesPerOp).filter(Objects::nonNull).mapToDouble(b -> b).toArray();
    return bytes.length == 0 ? null : (double) Math.round(Spread.of(bytes).median());
  }

  private Cell fastestJni(Cell cell, String suffix) {
    return cell.row().jniRows().stream()
        .map(row -> find(cell, row, Engine.JNI))
        .filter(Objects::nonNull)
        .min(Comparator.comparingDouble(other -> nanos(other, suffix).median()))
        .orElse(null);
  }

  private Cell find(Cell like, String row, Engine engine) {
    Stream<Cell> cells = outcomes.keySet().stream();
    return cells
        .filter(cell -> cell.engine() == engine && cell.row().name().equals(row))
        .filter(cell -> cell.row().group() == like.row().group())
        .filter(cell -> cell.size() == like.size() && cell.threads() == like.threads())
        .findFirst()
        .orElse(null);
  }

  /** To four digits, or to the unit. */
  private static double rounded(double value) {
    if (value == 0 || !Double.isFinite(value)) {
      return value;
    }
    double unit = Math.pow(10, Math.min(0, Math.floor(Math.log10(Math.abs(value))) - 3));
    return unit == 1 ? Math.rint(value) : Math.rint(value / unit) / Math.rint(1 / unit);
  }
}
