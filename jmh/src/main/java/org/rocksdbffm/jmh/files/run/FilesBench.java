/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.jmh.files.run;

import java.io.IOException;
import java.util.List;
import java.util.Locale;
import org.rocksdbffm.jmh.command.CommandLine;
import org.rocksdbffm.jmh.files.work.FileRow;
import org.rocksdbffm.jmh.process.EngineProcess;
import org.rocksdbffm.jmh.process.Printed;
import org.rocksdbffm.jmh.process.Turns;
import org.rocksdbffm.jmh.run.plan.Engine;
import org.rocksdbffm.jmh.run.report.MedianSpread;
import org.rocksdbffm.jmh.work.TemporaryFolder;

/** The program behind {@code ./bench files}. */
public final class FilesBench {
  private static final List<Engine> ENGINES = List.of(Engine.JNI, Engine.COMPAT, Engine.FFM);
  private static final String LEGEND =
      """
      Medians of the processes, and the lowest and the highest. More is better; each is also set against the process \
      of jni
      that ran in the same turn. Files are synced, so the disk has a share in all but the tails.
      """;

  private FilesBench() {}

  /** Measures the requested rows. */
  public static void main(String[] words) throws Exception {
    CommandLine.run(FilesArguments.USAGE, FilesBench::run, words);
  }

  private static int run(String... words) throws Exception {
    FilesArguments arguments = FilesArguments.parse(words);
    System.out.printf(
        Locale.ROOT, "%-13s %-6s %10s %-10s %-24s %s%n", "work", "engine", "median", "", "lowest to highest",
            "against jni");
    for (FileRow row : arguments.rows()) {
      Turns<FilesFigures> turns = Turns.of(ENGINES, arguments.forks(), engine -> start(row, engine, arguments));
      turns.requireOneSum(row.id(), FilesFigures::checksum);
      System.out.print(lines(row, turns));
    }
    System.out.println(LEGEND);
    return 0;
  }

  private static FilesFigures start(FileRow row, Engine engine, FilesArguments arguments)
      throws IOException, InterruptedException {
    try (TemporaryFolder folder = TemporaryFolder.create()) {
      return Printed.in(
          FilesFigures.class,
          EngineProcess.of(engine)
              .run(
                  line -> { },
                  FilesProcess.class.getName(),
                  engine.parameter(),
                  row.id(),
                  folder.path(),
                  arguments.mib(row),
                  arguments.warmUpSeconds(),
                  arguments.seconds())
              .lines());
    }
  }

  static String lines(FileRow row, Turns<FilesFigures> turns) {
    StringBuilder lines = new StringBuilder();
    for (Engine engine : ENGINES) {
      List<FilesFigures> figures = turns.runs().get(engine);
      if (figures != null) {
        MedianSpread rate = MedianSpread.of(figures, FilesFigures::perSecond);
        MedianSpread ratio = MedianSpread.ofRatios(figures, turns.runs().get(Engine.JNI), FilesFigures::perSecond);
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
}
