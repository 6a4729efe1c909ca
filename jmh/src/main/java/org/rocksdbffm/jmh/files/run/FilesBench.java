/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.jmh.files.run;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.rocksdbffm.jmh.files.work.FileRow;
import org.rocksdbffm.jmh.run.plan.Engine;
import org.rocksdbffm.jmh.run.report.Spread;
import org.rocksdbffm.jmh.work.TemporaryFolder;

/** The program behind {@code ./bench files}. */
public final class FilesBench {
  private static final int FAILURE = 1;
  private static final int MISTAKE = 2;
  private static final List<Engine> ENGINES = List.of(Engine.JNI, Engine.COMPAT, Engine.FFM);
  private static final String LEGEND =
      """
      Medians of the processes, and the lowest and the highest. More is better; each is also told against the process of jni
      that ran in the same turn. Files are synced, so the disk has a share in all but the tails.
      """;

  private final FilesArguments arguments;

  private FilesBench(FilesArguments arguments) {
    this.arguments = arguments;
  }

  /** Measures the rows that the command line asks for; exits with 2 if it says nothing that can be done. */
  public static void main(String[] words) throws Exception {
    if (List.of(words).contains("--help")) {
      System.out.println(FilesArguments.USAGE);
      return;
    }
    try {
      new FilesBench(FilesArguments.parse(words)).run();
    } catch (FilesArguments.Mistake e) {
      System.err.println(e.getMessage());
      System.err.println(FilesArguments.USAGE);
      System.exit(MISTAKE);
    } catch (IOException e) {
      System.err.println(e.getMessage());
      System.exit(FAILURE);
    }
  }

  private void run() throws IOException, InterruptedException {
    System.out.printf(
        Locale.ROOT, "%-13s %-6s %10s %-10s %-24s %s%n", "work", "engine", "median", "", "lowest to highest", "against jni");
    for (FileRow row : arguments.rows()) {
      System.out.print(lines(row, measure(row)));
    }
    System.out.println(LEGEND);
  }

  /** Runs the engines by turns, each time in another order. */
  private Map<Engine, List<FilesFigures>> measure(FileRow row) throws IOException, InterruptedException {
    Map<Engine, List<FilesFigures>> figures = new EnumMap<>(Engine.class);
    List<Engine> engines = new ArrayList<>(ENGINES.stream().filter(Engine::isAvailable).toList());
    for (int fork = 0; fork < arguments.forks(); fork++) {
      for (Engine engine : engines) {
        figures.computeIfAbsent(engine, its -> new ArrayList<>()).add(start(row, engine));
      }
      Collections.rotate(engines, 1);
    }
    long sums = figures.values().stream().flatMap(List::stream).map(FilesFigures::checksum).distinct().count();
    if (sums != 1) {
      throw new IOException(row.id() + " did not make the same everywhere: " + figures);
    }
    return figures;
  }

  private FilesFigures start(FileRow row, Engine engine) throws IOException, InterruptedException {
    try (TemporaryFolder folder = TemporaryFolder.create()) {
      List<String> command =
          List.of(
              Path.of(System.getProperty("java.home"), "bin", "java").toString(),
              "--enable-native-access=ALL-UNNAMED",
              "-cp",
              engine.classPath(),
              FilesProcess.class.getName(),
              engine.parameter(),
              row.id(),
              folder.path().toString(),
              Integer.toString(arguments.mib(row)),
              Double.toString(arguments.warmUpSeconds()),
              Double.toString(arguments.seconds()));
      Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
      List<String> output;
      try (BufferedReader reader = process.inputReader()) {
        output = reader.lines().toList();
      }
      int exit = process.waitFor();
      FilesFigures figures = FilesFigures.in(output);
      if (exit != 0 || figures == null) {
        throw new IOException(command + " ended with " + exit + ":\n" + String.join("\n", output));
      }
      return figures;
    }
  }

  static String lines(FileRow row, Map<Engine, List<FilesFigures>> figures) {
    StringBuilder lines = new StringBuilder();
    for (Engine engine : ENGINES) {
      if (figures.containsKey(engine)) {
        Spread rate = Spread.of(rates(figures.get(engine)));
        Spread ratio = Spread.of(ratios(figures.get(engine), figures.get(Engine.JNI)));
        lines.append(
            String.format(
                Locale.ROOT,
                "%-13s %-6s %10.1f %-10s %-24s %.2fx (%.2f to %.2f)%n",
                row.id(),
                engine.id(),
                rate.median(),
                row.unit(),
                String.format(Locale.ROOT, "%.1f to %.1f", rate.low(), rate.high()),
                ratio.median(),
                ratio.low(),
                ratio.high()));
      }
    }
    return lines.toString();
  }

  private static double[] rates(List<FilesFigures> figures) {
    return figures.stream().mapToDouble(FilesFigures::perSecond).toArray();
  }

  private static double[] ratios(List<FilesFigures> figures, List<FilesFigures> jni) {
    double[] ratios = new double[figures.size()];
    for (int i = 0; i < ratios.length; i++) {
      ratios[i] = figures.get(i).perSecond() / jni.get(i).perSecond();
    }
    return ratios;
  }
}
