/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.torture.exits;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.rocksdbffm.FamilyOptions;
import org.rocksdbffm.RocksDb;
import org.rocksdbffm.tools.ChildJvm;

/**
 * Starts and ends processes of the core and of the drop-in, several concurrently and under load, and counts the exit
 * statuses: {@code N [--seed S] [--jobs J] [--again core|dropin WAY]}. Findings are a status that does not match the
 * way, a process that does not end, and an acknowledged entry that is missing.
 */
public final class ExitTorture {
  private static final int PATIENCE_SECONDS = 90;
  private static final int ONE_IN_IS_LOOKED_AT = 8;
  private static final String[] FLAGS = {
    "-Xmx64m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Xshare:auto", "-Dorg.rocksdbffm.leaks=sampled"
  };

  private final Map<String, Integer> ends = new TreeMap<>();
  private final List<String> findings = new ArrayList<>();

  public static void main(String[] arguments) throws Exception {
    int count = Integer.parseInt(arguments[0]);
    long seed = System.nanoTime();
    int jobs = 3;
    String kind = null;
    Way way = null;
    for (int i = 1; i < arguments.length; i++) {
      switch (arguments[i]) {
        case "--seed" -> seed = Long.parseLong(arguments[++i]);
        case "--jobs" -> jobs = Integer.parseInt(arguments[++i]);
        case "--again" -> {
          kind = arguments[++i];
          way = Way.valueOf(arguments[++i]);
        }
        default -> {
          System.err.println("./torture --exits N [--seed S] [--jobs J] [--again core|dropin WAY]");
          System.exit(2);
        }
      }
    }
    System.out.println("seed " + seed);
    ExitTorture torture = new ExitTorture();
    Runtime.getRuntime().addShutdownHook(new Thread(() -> System.out.print(torture.report())));
    torture.run(count, new Random(seed), jobs, kind, way);
    System.exit(torture.findings.isEmpty() ? 0 : 1);
  }

  /** Starts a number of processes. The kind and the way are chosen randomly if null. */
  void run(int count, Random random, int jobs, String kind, Way way) throws Exception {
    List<Future<?>> all = new ArrayList<>();
    List<Way> possible = Stream.of(Way.values()).filter(ExitTorture::isHeard).toList();
    Thread load = Thread.ofPlatform().daemon().start(ExitTorture::compute);
    try (ExecutorService executor = Executors.newFixedThreadPool(jobs)) {
      for (int i = 0; i < count; i++) {
        String library = kind != null ? kind : random.nextBoolean() ? "core" : "dropin";
        Way end = way != null ? way : possible.get(random.nextInt(possible.size()));
        boolean isLookedAt = random.nextInt(ONE_IN_IS_LOOKED_AT) == 0;
        int delay = random.nextInt(60);
        all.add(executor.submit(() -> {
          runOne(library, end, delay, isLookedAt);
          return null;
        }));
      }
      for (Future<?> each : all) {
        each.get();
      }
    } finally {
      load.interrupt();
    }
  }

  /**
   * Whether child processes receive the way's signal: they ignore SIGINT if this process runs in a shell's background.
   */
  static boolean isHeard(Way way) {
    if (way.signal() == null) {
      return true;
    }
    try (Stream<String> lines = Files.lines(Path.of("/proc/self/status"))) {
      String ignored = lines.filter(line -> line.startsWith("SigIgn:")).findFirst().orElseThrow().split("\\s+")[1];
      int number = way.status - 128;
      return (Long.parseUnsignedLong(ignored, 16) >>> (number - 1) & 1) == 0;
    } catch (IOException e) {
      return true;
    }
  }

  private static void compute() {
    while (!Thread.currentThread().isInterrupted()) {
      Thread.onSpinWait();
    }
  }

  private void runOne(String kind, Way way, int delay, boolean isLookedAt) throws Exception {
    try (ChildJvm.Running running =
        ChildJvm.of(Victim.class).with(FLAGS).start(kind, way.name(), "db")) {
      runOne(running, kind, way, delay, isLookedAt);
    }
  }

  private void runOne(ChildJvm.Running running, String kind, Way way, int delay, boolean isLookedAt) throws Exception {
    Process process = running.process();
    if (way.signal() != null) {
      awaitReady(running);
      Thread.sleep(delay);
      new ProcessBuilder("kill", "-" + way.signal(), String.valueOf(process.pid())).start().waitFor();
    }
    boolean ended = process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS);
    if (!ended) {
      process.destroyForcibly().waitFor();
    }
    String status = ended ? String.valueOf(process.exitValue()) : "never";
    String said = running.output();
    String wrong = ended && process.exitValue() == way.status ? "" : "ended with " + status;
    if (wrong.isEmpty() && isLookedAt) {
      wrong = missing(kind, way, running.folder());
    }
    print(kind, way, status, wrong, said);
  }

  private static void awaitReady(ChildJvm.Running running) throws InterruptedException {
    while (running.process().isAlive() && !running.output().contains("waits for a signal")) {
      Thread.sleep(5);
    }
  }

  /**
   * Returns the first acknowledged entry that is missing, or an empty string. Does not check databases with a Java
   * comparator.
   */
  private static String missing(String kind, Way way, Path folder) {
    if (kind.equals("dropin") && way.isInCall()) {
      return "";
    }
    FamilyOptions options = FamilyOptions.defaults();
    if (kind.equals("core")) {
      options = options.mergeOperator(CoreStore.MERGE, (key, value, operands) -> null);
    }
    try (RocksDb db = RocksDb.at(folder.resolve("db")).defaults(options).openReadOnly()) {
      for (int number = 0; number < 100; number++) {
        if (db.get(Victim.key(number)) == null) {
          return "row " + number + " of 100 that were acknowledged is not there";
        }
      }
      return "";
    }
  }

  private synchronized void print(String kind, Way way, String status, String wrong, String said) {
    ends.merge(kind + " " + way + ": " + status, 1, Integer::sum);
    if (!wrong.isEmpty()) {
      String again = "; again: ./torture --exits 100 --again " + kind + " " + way + "\n";
      String finding = kind + " " + way + " " + wrong + again + said;
      findings.add(finding);
      System.out.println(finding);
    }
  }

  synchronized String report() {
    StringBuilder text = new StringBuilder();
    ends.forEach((end, count) -> text.append("  %6d x %s%n".formatted(count, end)));
    int all = ends.values().stream().mapToInt(Integer::intValue).sum();
    text.append("%d processes, %d of them ended wrongly%n".formatted(all, findings.size()));
    return text.toString();
  }

  List<String> findings() {
    return findings;
  }
}
