/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.jmh.run;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.rocksdbffm.jmh.FirstGet;

/** Starts processes that read one value, again and again, and takes the median of each of their steps. */
final class StartTrial implements Trial {
  /** What the program prints, in its order. */
  private static final List<String> STEPS = List.of(": load", ": open", ": first get", ": second get");

  private static final String WHOLE = " to first value";
  private static final int STARTS = 3;

  private final Path dataFolder;

  StartTrial(Path dataFolder) {
    this.dataFolder = dataFolder;
  }

  @Override
  public Outcome run(Cell cell) throws TrialException {
    Map<String, double[]> steps = new LinkedHashMap<>();
    steps.put(WHOLE, new double[STARTS]);
    STEPS.forEach(step -> steps.put(step, new double[STARTS]));
    for (int i = 0; i < STARTS; i++) {
      start(cell, i, steps);
    }
    Map<String, Double> nanos = new LinkedHashMap<>();
    steps.forEach((step, times) -> nanos.put(step, Spread.of(times).median()));
    return new Outcome(nanos, null);
  }

  private void start(Cell cell, int index, Map<String, double[]> steps) throws TrialException {
    try {
      long started = System.nanoTime();
      Process process =
          new ProcessBuilder(command(cell.engine())).redirectError(ProcessBuilder.Redirect.INHERIT).start();
      String line;
      try (BufferedReader output = process.inputReader()) {
        line = output.readLine();
        steps.get(WHOLE)[index] = System.nanoTime() - started;
      }
      int exit = process.waitFor();
      String[] words = line == null ? new String[0] : line.split(" ");
      if (exit != 0 || words.length <= STEPS.size() || Long.parseLong(words[STEPS.size()]) != FirstGet.look()) {
        throw new TrialException(cell, "the process ended with " + exit + " and printed " + line, null);
      }
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

  private List<String> command(Engine engine) {
    if (engine == Engine.NATIVE) {
      return FirstGet.nativeCommand(dataFolder);
    }
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add("--enable-native-access=ALL-UNNAMED");
    command.addAll(List.of("-cp", engine.classPath()));
    command.addAll(List.of(FirstGet.class.getName(), engine.parameter(), dataFolder.toString()));
    return command;
  }
}
