/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.flink.jobs;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.apache.flink.core.execution.SavepointFormatType;
import org.rocksdb.RocksDB;
import org.rocksdbffm.clients.Answers;

/**
 * Jobs with state in RocksDB, which say what their state was at the end. The arguments are the library that has to be
 * there, and a folder of savepoints to go on from; without that, the jobs begin, and leave savepoints.
 */
public final class FlinkJobs {
  private static final int KEYS = 200;
  private static final long EVENTS = 12_000;
  private static final long WINDOW_EVENTS = 180 * Windows.BLOCK;
  private static final Topology KEYED = Topology.keyed(KEYS, new KeyedStates());

  private static final long LONG_LIFE = Long.MAX_VALUE >> 1;

  private static final String FORK = "frocksdbjni";
  private static final String TIMERS = "state.backend.rocksdb.timer-service.factory";
  private static final String INGEST = "state.backend.rocksdb.use-ingest-db-restore-mode";
  private static final String OPTIONS_FACTORY = "state.backend.rocksdb.options-factory";

  /** The settings of each job. Timers on the heap are not in a native savepoint of Flink's, so those have none. */
  private static final Map<String, Map<String, String>> JOBS =
      Map.of(
          "default", Map.of(
              "state.backend.rocksdb.predefined-options", "DEFAULT",
              OPTIONS_FACTORY, OlderTables.class.getName(),
              TIMERS, "ROCKSDB",
              "execution.checkpointing.incremental", "true"),
          "spinning disk", Map.of(
              "state.backend.rocksdb.predefined-options", "SPINNING_DISK_OPTIMIZED",
              "state.backend.rocksdb.memory.fixed-per-slot", "32m",
              TIMERS, "HEAP",
              "execution.checkpointing.incremental", "true"),
          "spinning disk, much memory", Map.of(
              "state.backend.rocksdb.predefined-options", "SPINNING_DISK_OPTIMIZED_HIGH_MEM",
              "state.backend.rocksdb.memory.managed", "false",
              TIMERS, "ROCKSDB",
              INGEST, "true",
              "execution.checkpointing.incremental", "true"),
          "flash", Map.of(
              "state.backend.rocksdb.predefined-options", "FLASH_SSD_OPTIMIZED",
              TIMERS, "HEAP",
              "execution.checkpointing.incremental", "false"));

  private FlinkJobs() {}

  public static void main(String[] arguments) {
    try {
      run(arguments);
      System.exit(0); // clusters leave threads behind
    } catch (Throwable e) {
      e.printStackTrace();
      System.exit(1);
    }
  }

  private static void run(String[] arguments) throws Exception {
    requireLibrary(arguments[0]);
    Path folder = Path.of("").toAbsolutePath();
    for (String job : JOBS.keySet().stream().sorted().toList()) {
      if (arguments.length == 1) {
        keyed(job, folder);
      } else {
        goOn(job, folder, Path.of(arguments[1]).resolve(job.replaceAll("\\W+", "-")), arguments[0].equals(FORK));
      }
    }
    if (arguments.length == 1) {
      windows("default", folder);
      windows("flash", folder);
      expire(folder.resolve("expiring"));
    }
  }

  /** Nothing of the other library is on the class path. */
  private static void requireLibrary(String name) throws IOException {
    String found = String.valueOf(RocksDB.class.getProtectionDomain().getCodeSource().getLocation());
    boolean hasJni = RocksDB.class.getResource("/librocksdbjni-linux64.so") != null;
    if (!found.contains("/" + name + "-") || hasJni != name.equals(FORK)) {
      throw new IllegalStateException(name + " was asked for, and not " + found);
    }
  }

  private static Map<String, String> withCheckpoints(String job) {
    Map<String, String> settings = new HashMap<>(JOBS.get(job));
    settings.put("execution.checkpointing.interval", "100 ms");
    return settings;
  }

  private static void run(String job, Path folder, Topology topology, long events) throws Exception {
    Path savepoints = folder.resolve("savepoints");
    String savepoint = null;
    for (int parallelism = 1; parallelism <= 2; parallelism++) {
      Phase phase = new Phase(folder, withCheckpoints(job), topology, events, parallelism, savepoint);
      phase.goOnTo(events * (3 * parallelism - 2) / 9);
      phase.failAndRecover(events * (3 * parallelism - 1) / 9);
      phase.goOnTo(events * parallelism / 3);
      SavepointFormatType format = format(JOBS.get(job), parallelism);
      savepoint = phase.stop(savepoints.resolve(format.name()), format);
    }
    new Phase(folder, withCheckpoints(job), topology, events, 3, savepoint).end();
  }

  private static void keyed(String job, Path folder) throws Exception {
    run(job, folder.resolve(job.replaceAll("\\W+", "-")), KEYED, EVENTS);
    end(job);
  }

  /** Windows and joins end as those in memory do. */
  private static void windows(String job, Path folder) throws Exception {
    run(job, folder.resolve("windows-" + job), new Windows(), WINDOW_EVENTS);
    requireResults("windows, " + job, WindowModel.results(WINDOW_EVENTS));
  }

  private static void requireResults(String job, Map<Long, String> expected) {
    Map<Long, String> results = Progress.takeResults();
    expected.keySet().stream()
        .filter(key -> !expected.get(key).equals(results.get(key)))
        .findFirst()
        .ifPresent(key -> {
          throw new IllegalStateException(job + ", " + key + ": " + results.get(key) + " instead of " + expected.get(key));
        });
    Answers.say(job, results.size(), results.hashCode());
  }

  /** A native savepoint of two subtasks is what a third takes tables in from. */
  private static SavepointFormatType format(Map<String, String> settings, int parallelism) {
    boolean isNative = settings.get(TIMERS).equals("ROCKSDB") && parallelism == 2 == settings.containsKey(INGEST);
    return isNative ? SavepointFormatType.NATIVE : SavepointFormatType.CANONICAL;
  }

  /** Goes on from savepoints that another run has left; the fork cannot read each native one. */
  private static void goOn(String job, Path folder, Path other, boolean isFork) throws Exception {
    for (SavepointFormatType format : SavepointFormatType.values()) {
      Path savepoints = other.resolve("savepoints").resolve(format.name());
      boolean isRead = format == SavepointFormatType.CANONICAL || !isFork || JOBS.get(job).containsKey(OPTIONS_FACTORY);
      if (isRead && Files.exists(savepoints)) {
        try (var found = Files.list(savepoints)) {
          Path savepoint = found.findFirst().orElseThrow();
          Path work = folder.resolve(other.getFileName()).resolve(format.name());
          new Phase(work, withCheckpoints(job), KEYED, EVENTS, 3, savepoint.toUri().toString()).end();
          end(job);
        }
      }
    }
  }

  private static void end(String job) {
    Answers answers = new Answers();
    Progress.takeResults().forEach((key, words) -> answers.row(key, words));
    answers.end(job);
  }

  /** State that is written with a long life, and compacted with a short one. */
  private static void expire(Path folder) throws Exception {
    Phase phase = expiring(folder, LONG_LIFE, null);
    phase.goOnTo(ExpiringStates.FILLED);
    String savepoint = phase.stop(folder.resolve("savepoints"), SavepointFormatType.NATIVE);
    expiring(folder, ExpiringStates.LIFE, savepoint).end();
    requireResults("compacted", ExpiringStates.results());
  }

  private static Phase expiring(Path folder, long life, String savepoint) throws Exception {
    Topology states = Topology.keyed(ExpiringStates.KEYS, new ExpiringStates(life));
    Map<String, String> clock = Map.of("state.backend.type", ClockedBackend.Factory.class.getName());
    return new Phase(folder, clock, states, ExpiringStates.READ, 1, savepoint);
  }
}
