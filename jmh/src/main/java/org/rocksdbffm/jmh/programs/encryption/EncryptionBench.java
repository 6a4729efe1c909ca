/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.jmh.programs.encryption;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.rocksdbffm.DatabaseOptions;
import org.rocksdbffm.KeyRange;
import org.rocksdbffm.RocksDb;
import org.rocksdbffm.jmh.command.CommandLine;
import org.rocksdbffm.jmh.process.EngineProcess;
import org.rocksdbffm.jmh.process.Printed;
import org.rocksdbffm.jmh.programs.process.ProcessFigures;
import org.rocksdbffm.jmh.programs.process.YcsbProcess;
import org.rocksdbffm.jmh.programs.store.Stores;
import org.rocksdbffm.jmh.run.plan.Engine;
import org.rocksdbffm.jmh.run.report.MedianSpread;
import org.rocksdbffm.jmh.work.TemporaryFolder;

/** The program behind {@code ./bench encryption}: the standard YCSB client on plain and on encrypted files. */
public final class EncryptionBench {
  private static final String USAGE =
      """
      usage: ./bench encryption [load] [a] [c] [--forks N] [--records N] [--steps N]
      Runs workloads of the YCSB client with one thread, alternately on plain and on encrypted files, each in a JVM of
      its own, with a block cache of 64 MiB; a record has 1 KiB. The ratios are encrypted against plain, of one turn.
      """;

  private static final int MOST = 10_000_000;
  private static final List<String> SIDES = List.of(Stores.FFM, Stores.ENCRYPTED);

  private final int forks;
  private final int records;
  private final long steps;

  private EncryptionBench(CommandLine line) throws CommandLine.Mistake {
    forks = line.number("--forks", 5, MOST);
    records = line.number("--records", 40_000, MOST);
    steps = line.number("--steps", 1_000_000, MOST);
  }

  /** Runs the requested workloads. */
  public static void main(String[] words) throws Exception {
    CommandLine.run(USAGE, EncryptionBench::start, words);
  }

  private static int start(String... words) throws Exception {
    CommandLine line = CommandLine.parse(Set.of(), Set.of("--forks", "--records", "--steps"), words);
    EncryptionBench bench = new EncryptionBench(line);
    List<String> workloads = line.chosen("workload", List.of(YcsbProcess.LOAD, "a", "c"), String::equals);
    try (TemporaryFolder loaded = TemporaryFolder.create()) {
      for (String side : SIDES) {
        Path folder = Files.createDirectory(loaded.path().resolve(side));
        bench.run(side, YcsbProcess.LOAD, folder);
        compact(side, folder);
      }
      for (String workload : workloads) {
        bench.measure(workload, loaded.path());
      }
    }
    return 0;
  }

  /** Gives both sides tables of the same levels. */
  private static void compact(String side, Path folder) {
    DatabaseOptions plain = DatabaseOptions.defaults();
    DatabaseOptions options = side.equals(Stores.ENCRYPTED) ? plain.encryption(Stores.KEYS) : plain;
    try (RocksDb db = RocksDb.at(folder).options(options).open()) {
      db.compact(KeyRange.all());
    }
  }

  private void measure(String workload, Path loaded) throws IOException, InterruptedException {
    Map<String, List<ProcessFigures>> figures =
        Map.of(Stores.FFM, new ArrayList<>(), Stores.ENCRYPTED, new ArrayList<>());
    for (int fork = 0; fork < forks; fork++) {
      for (String side : fork % 2 == 0 ? SIDES : SIDES.reversed()) {
        try (TemporaryFolder data = TemporaryFolder.create()) {
          if (!workload.equals(YcsbProcess.LOAD)) {
            copy(loaded.resolve(side), data.path());
          }
          figures.get(side).add(run(side, workload, data.path()));
        }
      }
    }
    List<ProcessFigures> plain = figures.get(Stores.FFM);
    List<ProcessFigures> encrypted = figures.get(Stores.ENCRYPTED);
    MedianSpread time = MedianSpread.ofRatios(encrypted, plain, each -> (double) each.nanos() / each.steps());
    MedianSpread cpu = MedianSpread.ofRatios(encrypted, plain, each -> (double) each.cpuNanos() / each.steps());
    MedianSpread p99 = MedianSpread.ofRatios(encrypted, plain, ProcessFigures::p99);
    System.out.printf("%-4s time %s, CPU %s, p99 %s%n", workload, text(time), text(cpu), text(p99));
  }

  private static String text(MedianSpread ratio) {
    return "%.3f (%.3f to %.3f)".formatted(ratio.median(), ratio.low(), ratio.high());
  }

  private ProcessFigures run(String side, String workload, Path data) throws IOException, InterruptedException {
    boolean isLoad = workload.equals(YcsbProcess.LOAD);
    EngineProcess.Ended ended =
        EngineProcess.of(Engine.FFM)
            .run(
                line -> { },
                YcsbProcess.class.getName(),
                side,
                workload,
                data,
                isLoad ? 0 : steps,
                isLoad ? 0 : steps,
                1,
                records);
    ProcessFigures figures = Printed.in(ProcessFigures.class, ended.lines());
    if (figures.checksum() != 0) {
      throw new IOException(workload + " failed on " + side + " files:\n" + String.join("\n", ended.lines()));
    }
    return figures;
  }

  private static void copy(Path from, Path to) throws IOException {
    try (Stream<Path> files = Files.list(from)) {
      for (Path file : files.toList()) {
        Files.copy(file, to.resolve(file.getFileName()));
      }
    }
  }
}
