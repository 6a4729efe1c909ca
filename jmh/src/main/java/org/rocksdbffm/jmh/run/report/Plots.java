/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.jmh.run.report;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.rocksdbffm.jmh.run.plan.Cell;
import org.rocksdbffm.jmh.run.plan.Group;

/** The plots of results: bars for each group and size, the tail latencies, and the crossover of copy and pin. */
public record Plots(List<Result> results) {
  public static final String CROSSOVER = "crossover";
  public static final String TAILS = "tails";

  /** Returns the plots by the ends of their file names. */
  public Map<String, Plot> byName() {
    Map<String, List<Result>> bars = new LinkedHashMap<>();
    for (Result result : results) {
      if (result.threads() == 1) {
        bars.computeIfAbsent(nameFor(result), ignored -> new ArrayList<>()).add(result);
      }
    }
    Map<String, Plot> plots = new LinkedHashMap<>();
    bars.forEach((name, each) -> plots.put(name, Plot.of(new BarChart(titleFor(each.getFirst()), each))));
    CrossoverChart crossover = new CrossoverChart(results);
    if (crossover.hasLines()) {
      plots.put(CROSSOVER, Plot.of(crossover));
    }
    return plots;
  }

  private static boolean isPercentile(Result result) {
    return result.row().matches(".* p[0-9.]+");
  }

  private static String nameFor(Result result) {
    if (isPercentile(result)) {
      return TAILS;
    }
    return result.size() == 0 ? result.group() : result.group() + "-" + result.size();
  }

  private static String titleFor(Result result) {
    if (isPercentile(result)) {
      return "Percentiles of single gets, " + Cell.sizeText(result.size()) + ", 256 MiB of heap";
    }
    String atSize = result.size() == 0 ? "" : ", " + Cell.sizeText(result.size());
    return result.group() + atSize + ": time of " + Group.of(result.group()).unit();
  }

  /** Writes each plot twice, as SVG and as PNG. */
  public void write(Path folder, String stem) throws IOException {
    for (Map.Entry<String, Plot> plot : byName().entrySet()) {
      plot.getValue().writeSvg(folder.resolve(stem + "-" + plot.getKey() + ".svg"));
      plot.getValue().writePng(folder.resolve(stem + "-" + plot.getKey() + ".png"));
    }
  }
}
