/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.jmh.programs.soak;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;
import org.rocksdbffm.jmh.run.plan.Engine;
import org.rocksdbffm.jmh.work.TemporaryFolder;

/** The program behind {@code ./bench soak}: the engines one after the other, each in a process of its own. */
public final class SoakBench {
  private static final String USAGE =
      """
      usage: ./bench soak [--minutes N] [--engines jni,compat,ffm]
      Runs a mixed load at nine tenths of what the machine does, an hour for each engine unless another time is given.
      """;

  private static final int MISTAKE = 2;
  private static final int MINUTES = 60;
  private static final int SECONDS = 60;
  private static final int MOST_MINUTES = 10_000;
  private static final List<Engine> ENGINES = List.of(Engine.JNI, Engine.COMPAT, Engine.FFM);
  private static final int THIRDS = 3;

  private SoakBench() {}

  /** Runs what the command line asks for; exits with 2 if it says nothing that can be done. */
  public static void main(String[] words) throws Exception {
    int minutes = MINUTES;
    List<Engine> engines = ENGINES.stream().filter(Engine::isAvailable).toList();
    try {
      for (int i = 0; i < words.length; i += 2) {
        String argument = i + 1 < words.length ? words[i + 1] : "";
        switch (words[i]) {
          case "--minutes" -> minutes = minutes(argument);
          case "--engines" -> engines = Arrays.stream(argument.split(",")).map(SoakBench::engine).toList();
          default -> throw new IllegalArgumentException("There is no option " + words[i]);
        }
      }
    } catch (IllegalArgumentException e) {
      System.err.println(e.getMessage());
      System.err.print(USAGE);
      System.exit(MISTAKE);
    }
    for (Engine engine : engines) {
      System.out.printf(Locale.ROOT, "%-8s %9s %10s %10s %8s%n", engine.id(), "steps/s", "p99 us", "p99.9 us", "MiB");
      System.out.print(summary(run(engine, minutes, SECONDS)));
    }
  }

  private static int minutes(String argument) {
    int minutes = argument.matches("\\d{1,5}") ? Integer.parseInt(argument) : 0;
    if (minutes < 1 || minutes > MOST_MINUTES) {
      throw new IllegalArgumentException("--minutes: '" + argument + "', but it takes 1 to " + MOST_MINUTES);
    }
    return minutes;
  }

  private static Engine engine(String name) {
    return ENGINES.stream()
        .filter(engine -> engine.id().equals(name) && engine.isAvailable())
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException("There is no engine '" + name + "'"));
  }

  /** Runs an engine's process, and tells each minute when it is over. */
  static List<SoakMinute> run(Engine engine, int minutes, int seconds) throws IOException, InterruptedException {
    List<SoakMinute> figures = new ArrayList<>();
    List<String> output = new ArrayList<>();
    try (TemporaryFolder folder = TemporaryFolder.create()) {
      Process process =
          new ProcessBuilder(
                  Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                  "--enable-native-access=ALL-UNNAMED",
                  "-Xmx512m",
                  "-cp",
                  engine.classPath(),
                  SoakProcess.class.getName(),
                  engine.parameter(),
                  folder.path().toString(),
                  Integer.toString(minutes),
                  Integer.toString(seconds))
              .redirectErrorStream(true)
              .start();
      try (BufferedReader lines = process.inputReader()) {
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
          SoakMinute minute = SoakMinute.parse(line);
          if (minute == null) {
            output.add(line);
          } else {
            figures.add(minute);
            System.out.printf(Locale.ROOT, "%-8d %s%n", figures.size(), minute.text());
          }
        }
      }
      if (process.waitFor() != 0) {
        throw new IOException(engine.id() + " ended with " + process.exitValue() + ":\n" + String.join("\n", output));
      }
    }
    return figures;
  }

  /** The last third of the minutes next to the first one: about 1 where nothing grows or gets slower. */
  static String summary(List<SoakMinute> minutes) {
    int third = Math.max(1, minutes.size() / THIRDS);
    List<SoakMinute> first = minutes.subList(0, third);
    List<SoakMinute> last = minutes.subList(minutes.size() - third, minutes.size());
    return String.format(
        Locale.ROOT,
        "%-8s %8.2fx %9.2fx %9.2fx %7.2fx%n",
        "growth",
        ratio(last, first, SoakMinute::perSecond),
        ratio(last, first, SoakMinute::p99Micros),
        ratio(last, first, SoakMinute::p999Micros),
        ratio(last, first, SoakMinute::residentMib));
  }

  private static double ratio(List<SoakMinute> some, List<SoakMinute> others, ToDoubleFunction<SoakMinute> figure) {
    return median(some, figure) / median(others, figure);
  }

  private static double median(List<SoakMinute> minutes, ToDoubleFunction<SoakMinute> figure) {
    double[] figures = minutes.stream().mapToDouble(figure).sorted().toArray();
    return (figures[(figures.length - 1) / 2] + figures[figures.length / 2]) / 2;
  }
}
