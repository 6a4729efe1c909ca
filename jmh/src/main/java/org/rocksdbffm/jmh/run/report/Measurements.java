/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.jmh.run.report;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.rocksdbffm.jmh.run.plan.Cell;
import org.rocksdbffm.jmh.run.plan.Engine;

/** The outcomes of all rounds, by cell, and their results. */
public final class Measurements {
  private final Map<Cell, List<Round>> rounds = new LinkedHashMap<>();
  private final Set<Cell> givenUp = new HashSet<>();

  /** The outcome of a cell in a round, and the outcomes of all cells that alternated with it. */
  private record Round(Outcome outcome, Map<Cell, Outcome> together) {}

  /**
   * Adds a round of a row's cells.
   *
   * @param together the outcomes of the cells and their {@link #guests}, which were measured alternately
   */
  public void add(List<Cell> row, Map<Cell, Outcome> together) {
    for (Cell cell : row) {
      Outcome outcome = together.get(cell);
      if (outcome != null) {
        rounds.computeIfAbsent(cell, ignored -> new ArrayList<>()).add(new Round(outcome, together));
      }
    }
  }

  /**
   * Returns the cells of other rows with which these cells are compared, if already measured. The guests are measured
   * again, alternating with the row's cells, because measurements at different times are hard to compare. The repeated
   * outcomes are not part of the guests' own rows.
   */
  public List<Cell> guests(List<Cell> row) {
    Cell cell = row.getFirst();
    return Stream.of(fastest(jniOf(cell)), fastest(nativeOf(cell)))
        .flatMap(Optional::stream)
        .filter(guest -> !guest.row().equals(cell.row()))
        .toList();
  }

  /** Removes a cell that could not be measured in every round. */
  public void giveUp(Cell cell) {
    rounds.remove(cell);
    givenUp.add(cell);
  }

  public boolean isGivenUp(Cell cell) {
    return givenUp.contains(cell);
  }

  /** Returns the number of rounds: the maximum of all cells. */
  public int rounds() {
    return rounds.values().stream().mapToInt(List::size).max().orElse(0);
  }

  public List<Result> results() {
    List<Result> results = new ArrayList<>();
    rounds.forEach(
        (cell, each) ->
            each.getFirst().outcome().nanos().keySet().forEach(suffix -> results.add(result(cell, suffix))));
    return results;
  }

  private Result result(Cell cell, String suffix) {
    MedianSpread spread = nanos(cell, suffix);
    MedianSpread vsJni = cell.engine() == Engine.JNI ? null : ratios(jniOf(cell), cell, suffix);
    MedianSpread vsNative = cell.engine() == Engine.NATIVE ? null : ratios(nativeOf(cell), cell, suffix);
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

  /** Returns the ratio to the fastest of other cells, over all rounds; null if there are no others. */
  private MedianSpread ratios(List<Cell> others, Cell cell, String suffix) {
    List<Round> roundsOfCell = rounds.get(cell);
    List<MedianSpread> ratios = new ArrayList<>();
    for (int i = 0; i < roundsOfCell.size(); i++) {
      ratio(others, roundsOfCell.get(i), i, suffix).ifPresent(ratios::add);
    }
    return ratios.isEmpty() ? null : MedianSpread.over(ratios);
  }

  /**
   * Returns the ratio to cells that alternated with the cell, or, if there were none, to other cells of the same round.
   */
  private Optional<MedianSpread> ratio(List<Cell> others, Round round, int number, String suffix) {
    double[] divisors = round.outcome().nanos().get(suffix);
    List<double[]> together =
        others.stream()
            .map(round.together()::get)
            .filter(Objects::nonNull)
            .map(other -> other.nanos().get(suffix))
            .toList();
    if (!together.isEmpty()) {
      return fastestOf(together).map(dividends -> ratiosByTurn(dividends, divisors));
    }
    List<double[]> apart =
        others.stream()
            .map(rounds::get)
            .filter(rounds -> rounds.size() > number)
            .map(rounds -> rounds.get(number).outcome().nanos().get(suffix))
            .toList();
    return fastestOf(apart).map(dividends -> ratioOfMiddles(dividends, divisors));
  }

  private static Optional<double[]> fastestOf(List<double[]> some) {
    return some.stream().min(Comparator.comparingDouble(nanos -> MedianSpread.ofMiddleHalf(nanos).median()));
  }

  /** Returns the ratios of adjacent turns. */
  private static MedianSpread ratiosByTurn(double[] dividends, double[] divisors) {
    double[] ratios = new double[Math.min(dividends.length, divisors.length)];
    for (int i = 0; i < ratios.length; i++) {
      ratios[i] = dividends[i] / divisors[i];
    }
    return MedianSpread.ofMiddleHalf(ratios);
  }

  /** Returns the ratio of measurements at different times; its bounds compare the worst with the best. */
  private static MedianSpread ratioOfMiddles(double[] dividends, double[] divisors) {
    MedianSpread dividend = MedianSpread.ofMiddleHalf(dividends);
    MedianSpread divisor = MedianSpread.ofMiddleHalf(divisors);
    return new MedianSpread(
        dividend.low() / divisor.high(), dividend.median() / divisor.median(), dividend.high() / divisor.low());
  }

  private MedianSpread nanos(Cell cell, String suffix) {
    return MedianSpread.over(
        rounds.get(cell).stream().map(round -> MedianSpread.ofMiddleHalf(round.outcome().nanos().get(suffix)))
            .toList());
  }

  /** Returns the median of the rounds; 0 for less than a byte, which the profiler itself allocates. */
  private Double bytesPerOp(Cell cell) {
    double[] bytes =
        rounds.get(cell).stream()
            .map(round -> round.outcome().bytesPerOp())
            .filter(Objects::nonNull)
            .mapToDouble(b -> b)
            .toArray();
    return bytes.length == 0 ? null : (double) Math.round(MedianSpread.of(bytes).median());
  }

  private List<Cell> jniOf(Cell cell) {
    return cell.row().jniRows().stream().flatMap(row -> find(cell, row, Engine.JNI)).toList();
  }

  private List<Cell> nativeOf(Cell cell) {
    return find(cell, cell.row().nativeRow(), Engine.NATIVE).toList();
  }

  private Stream<Cell> find(Cell like, String row, Engine engine) {
    return rounds.keySet().stream()
        .filter(cell -> cell.engine() == engine && cell.row().name().equals(row))
        .filter(cell -> cell.row().group() == like.row().group())
        .filter(cell -> cell.size() == like.size() && cell.threads() == like.threads());
  }

  /** Returns the fastest cell, among cells with repeated measurements in a process. */
  private Optional<Cell> fastest(List<Cell> some) {
    return some.stream()
        .filter(cell -> !cell.row().isStart())
        .min(Comparator.comparingDouble(this::middle));
  }

  /** Returns the cell's average, or its lowest percentile. */
  private double middle(Cell cell) {
    return nanos(cell, rounds.get(cell).getFirst().outcome().nanos().keySet().iterator().next()).median();
  }

  /** Rounds to four digits, or to an integer. */
  private static double rounded(double value) {
    if (value == 0 || !Double.isFinite(value)) {
      return value;
    }
    double unit = Math.pow(10, Math.min(0, Math.floor(Math.log10(Math.abs(value))) - 3));
    return unit == 1 ? Math.rint(value) : Math.rint(value / unit) / Math.rint(1 / unit);
  }
}
