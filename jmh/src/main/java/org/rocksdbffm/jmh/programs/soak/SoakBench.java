/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.jmh.programs.soak;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.ToDoubleFunction;
import org.rocksdbffm.jmh.command.CommandLine;
import org.rocksdbffm.jmh.process.EngineProcess;
import org.rocksdbffm.jmh.process.Printed;
import org.rocksdbffm.jmh.run.plan.Engine;
import org.rocksdbffm.jmh.run.report.MedianSpread;
import org.rocksdbffm.jmh.work.TemporaryFolder;

/** The program behind {@code ./bench soak}: runs the engines one after another, each in a separate process. */
public final class SoakBench {
  private static final String USAGE =
      """
      usage: ./bench soak [--minutes N] [ENGINE ...]
      Runs a mixed load on jni, compat and ffm, or on those named, at nine tenths of what the machine does, an hour \
      for each engine unless another time is given.
      """;

  private static final int MINUTES = 60;
  private static final int SECONDS = 60;
  private static final int MOST_MINUTES = 10_000;
  private static final List<Engine> ENGINES = List.of(Engine.JNI, Engine.COMPAT, Engine.FFM);
  private static final int THIRDS = 3;

  private SoakBench() {}

  /** Runs the load on the requested engines. */
  public static void main(String[] words) throws Exception {
    CommandLine.run(USAGE, SoakBench::start, words);
  }

  private static int start(String... words) throws Exception {
    CommandLine line = CommandLine.parse(Set.of(), Set.of("--minutes"), words);
    int minutes = line.number("--minutes", MINUTES, MOST_MINUTES);
    List<Engine> available = ENGINES.stream().filter(Engine::isAvailable).toList();
    for (Engine engine : line.chosen("engine", available, (each, name) -> each.id().equals(name))) {
      System.out.printf(Locale.ROOT, "%-8s %9s %10s %10s %8s%n", engine.id(), "steps/s", "p99 us", "p99.9 us", "MiB");
      System.out.print(summary(run(engine, minutes, SECONDS)));
    }
    return 0;
  }

  /** Runs an engine's process, and prints the result of each minute. */
  static List<SoakMinute> run(Engine engine, int minutes, int seconds) throws IOException, InterruptedException {
    List<SoakMinute> figures = new ArrayList<>();
    try (TemporaryFolder folder = TemporaryFolder.create()) {
      EngineProcess.of(engine, "-Xmx512m")
          .run(
              line -> {
                SoakMinute minute = Printed.parse(SoakMinute.class, line);
                if (minute != null) {
                  figures.add(minute);
                  System.out.printf(Locale.ROOT, "%-8d %s%n", figures.size(), minute.text());
                }
              },
              SoakProcess.class.getName(),
              engine.parameter(),
              folder.path(),
              minutes,
              seconds);
    }
    return figures;
  }

  /** Compares the last third of the minutes with the first: about 1 if nothing grows or gets slower. */
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
    return MedianSpread.of(some, figure).median() / MedianSpread.of(others, figure).median();
  }
}
