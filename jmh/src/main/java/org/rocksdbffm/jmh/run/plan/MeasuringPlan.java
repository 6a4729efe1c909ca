/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.jmh.run.plan;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * The cells to measure. In a round, the engines of a row are measured together, so that drift affects all of them.
 *
 * @param cells all cells, which the first rounds measure
 * @param oftener the cells that further rounds measure; {@link ValueSizes#isOften} selects them in a full run
 */
public record MeasuringPlan(List<Cell> cells, List<Cell> oftener) {
  public static MeasuringPlan of(BenchArguments arguments, List<PlannedRow> catalogue) {
    List<Cell> cells = new ArrayList<>();
    List<Cell> oftener = new ArrayList<>();
    for (PlannedRow row : catalogue) {
      if (!arguments.groups().isEmpty() && !arguments.groups().contains(row.group()) || !isWanted(row, arguments)) {
        continue;
      }
      for (int size : sizes(row, arguments)) {
        for (int threads : threads(row, size, arguments)) {
          List<Cell> engines = engines(row, size, threads, arguments.isForAll());
          cells.addAll(engines);
          if (!arguments.isForAll() || arguments.quick()
              || row.sizes().isOften(size) && threads == row.fewestThreads()) {
            oftener.addAll(engines);
          }
        }
      }
    }
    return new MeasuringPlan(List.copyOf(cells), List.copyOf(oftener));
  }

  private static boolean isWanted(PlannedRow row, BenchArguments arguments) {
    return arguments.rows().isEmpty() || arguments.rows().contains(row.name());
  }

  /** Returns the sizes of a row; a row requested by name has its full sizes if it has no quick ones. */
  private static List<Integer> sizes(PlannedRow row, BenchArguments arguments) {
    List<Integer> chosen = row.sizes().full();
    if (arguments.quick() && !arguments.groups().isEmpty()) {
      boolean named = !arguments.rows().isEmpty() && row.sizes().quick().isEmpty();
      chosen = named ? chosen : row.sizes().quick();
    } else if (arguments.groups().isEmpty()) {
      chosen = row.sizes().headline();
    }
    return arguments.sizes().isEmpty() || !row.sizes().areAny() || chosen.isEmpty() ? chosen : arguments.sizes();
  }

  /** Returns all numbers of threads for the quick sizes in a full run; otherwise only the smallest number. */
  private static List<Integer> threads(PlannedRow row, int size, BenchArguments arguments) {
    if (row.isStart()) {
      return List.of(1);
    }
    if (!arguments.threads().isEmpty()) {
      return arguments.threads();
    }
    boolean full = !arguments.quick() && !arguments.groups().isEmpty();
    return full && row.sizes().quick().contains(size) ? row.threads() : List.of(row.fewestThreads());
  }

  private static List<Cell> engines(PlannedRow row, int size, int threads, boolean amongAll) {
    List<Cell> cells = new ArrayList<>();
    Set<Engine> engines = new TreeSet<>(row.engines());
    engines.removeIf(engine -> !engine.isAvailable());
    if (amongAll && row.group() != Group.COMPAT && !row.isStart()) {
      engines.remove(Engine.COMPAT); // the drop-in's group has the same rows
    }
    engines.forEach(engine -> cells.add(new Cell(row, size, threads, engine)));
    return cells;
  }

  /** Returns the cells of a round by row. The order of the engines rotates from round to round. */
  public List<List<Cell>> round(int number, boolean further) {
    List<Cell> cells = further ? oftener : this.cells;
    List<List<Cell>> round = new ArrayList<>();
    int start = 0;
    while (start < cells.size()) {
      int end = start;
      while (end < cells.size() && isOfSameRow(cells.get(start), cells.get(end))) {
        end++;
      }
      List<Cell> engines = new ArrayList<>(cells.subList(start, end));
      Collections.rotate(engines, number);
      round.add(engines);
      start = end;
    }
    return round;
  }

  private static boolean isOfSameRow(Cell some, Cell other) {
    return some.row().equals(other.row()) && some.size() == other.size() && some.threads() == other.threads();
  }
}
