/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.jmh.run;

import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.rocksdbffm.jmh.benchmarks.FirstGet;
import org.rocksdbffm.jmh.process.EngineProcess;
import org.rocksdbffm.jmh.run.plan.Cell;
import org.rocksdbffm.jmh.run.plan.Engine;
import org.rocksdbffm.jmh.run.report.Outcome;

/** Runs processes that read one value, alternating between engines, and measures each step. */
final class StartTrial implements Trial {
  /** The steps whose times the program prints, in order. */
  private static final List<String> STEPS = List.of(": load", ": open", ": first get", ": second get");

  private static final String WHOLE = " to first value";
  private static final int STARTS = 7;
  private static final double NANOS = 1e9; // per second

  private final Path dataFolder;

  StartTrial(Path dataFolder) {
    this.dataFolder = dataFolder;
  }

  @Override
  public Map<Cell, Outcome> run(List<Cell> cells, Consumer<TrialException> failures) {
    Map<Cell, Outcome> outcomes = new LinkedHashMap<>();
    cells.forEach(cell -> outcomes.put(cell, new Outcome(steps(), null)));
    for (int i = 0; i < STARTS; i++) {
      for (Cell cell : List.copyOf(outcomes.keySet())) {
        try {
          start(cell, i, outcomes.get(cell).nanos());
        } catch (TrialException e) {
          outcomes.remove(cell);
          failures.accept(e);
        }
      }
    }
    return outcomes;
  }

  private static Map<String, double[]> steps() {
    Map<String, double[]> steps = new LinkedHashMap<>();
    steps.put(WHOLE, new double[STARTS]);
    STEPS.forEach(step -> steps.put(step, new double[STARTS]));
    return steps;
  }

  private void start(Cell cell, int index, Map<String, double[]> steps) throws TrialException {
    try {
      EngineProcess.Ended ended = run(cell.engine());
      String line = ended.lines().isEmpty() ? "nothing" : ended.lines().getFirst();
      String[] words = line.split(" ");
      if (words.length <= STEPS.size() || Long.parseLong(words[STEPS.size()]) != FirstGet.look()) {
        throw new TrialException(cell, "the process printed " + line, null);
      }
      steps.get(WHOLE)[index] = ended.firstLineSeconds() * NANOS;
      for (int step = 0; step < STEPS.size(); step++) {
        steps.get(STEPS.get(step))[index] = Long.parseLong(words[step]);
      }
    } catch (IOException e) {
      throw new TrialException(cell, e.getMessage(), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new TrialException(cell, "interrupted", e);
    }
  }

  private EngineProcess.Ended run(Engine engine) throws IOException, InterruptedException {
    return engine == Engine.NATIVE
        ? EngineProcess.run(FirstGet.nativeCommand(dataFolder))
        : EngineProcess.of(engine).run(line -> { }, FirstGet.class.getName(), engine.parameter(), dataFolder);
  }
}
