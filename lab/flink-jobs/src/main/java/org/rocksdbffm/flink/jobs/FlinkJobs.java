/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.flink.jobs;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.flink.core.execution.CheckpointType;
import org.apache.flink.core.execution.SavepointFormatType;
import org.rocksdb.RocksDB;
import org.rocksdbffm.clients.Answers;

/**
 * Jobs with state in RocksDB, which print their state at the end. Arguments: the expected library, and a folder of
 * savepoints to continue from; without a folder, the jobs start without state, and leave savepoints.
 */
public final class FlinkJobs {
  private static final int KEYS = 200;
  private static final long EVENTS = 12_000;
  private static final long WINDOW_EVENTS = 180 * Windows.BLOCK;
  private static final Topology KEYED = Topology.keyed(KEYS, new KeyedStates(null));

  private static final int FAILURES = 2;
  private static final long LONG_LIFE = Long.MAX_VALUE >> 1;
  private static final long ROUND = ExpiringStates.KEYS;

  private static final String FORK = "frocksdbjni";
  private static final String TIMERS = "state.backend.rocksdb.timer-service.factory";
  private static final String INGEST = "state.backend.rocksdb.use-ingest-db-restore-mode";
  private static final String OPTIONS_FACTORY = "state.backend.rocksdb.options-factory";

  /** The settings of each job. Jobs with timers on the heap have no native savepoints, which do not contain timers. */
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
              "execution.state-recovery.from-local", "true",
              "execution.checkpointing.incremental", "true"),
          "flash", Map.of(
              "state.backend.rocksdb.predefined-options", "FLASH_SSD_OPTIMIZED",
              TIMERS, "HEAP",
              "execution.checkpointing.incremental", "false"));

  private FlinkJobs() {}

  public static void main(String[] arguments) {
    try {
      run(arguments);
      System.exit(0); // Flink's clusters leave threads running
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
      readFigures(folder.resolve("figures"));
      changelog(folder.resolve("changelog"));
      cancel(folder.resolve("cancelled"), folder.resolve("beside"));
      expire("compacted", folder, LONG_LIFE, 3 * ROUND, ExpiringStates.LIFE, ExpiringStates.LIFE);
      long life = ExpiringStates.SHORT_LIFE;
      expire("life given", folder, ExpiringStates.NO_END, 2 * ROUND, life, life);
      expire("life taken", folder, LONG_LIFE, 2 * ROUND, ExpiringStates.NO_END, LONG_LIFE);
    }
  }

  /** Checks that the expected library, and not the other one, is on the class path. */
  private static void requireLibrary(String name) throws IOException {
    String found = String.valueOf(RocksDB.class.getProtectionDomain().getCodeSource().getLocation());
    boolean hasJni = RocksDB.class.getResource("/librocksdbjni-linux64.so") != null;
    if (!found.contains("/" + name + "-") || hasJni != name.equals(FORK)) {
      throw new IllegalStateException(name + " was asked for, and not " + found);
    }
  }

  private static Map<String, String> withCheckpoints(Map<String, String> job) {
    Map<String, String> settings = new HashMap<>(job);
    settings.put("execution.checkpointing.interval", "100 ms");
    return settings;
  }

  private static void run(Map<String, String> job, Path folder, Topology topology, long events) throws Exception {
    Path savepoints = folder.resolve("savepoints");
    String savepoint = null;
    for (int parallelism = 1; parallelism <= 2; parallelism++) {
      Phase phase = new Phase(folder, withCheckpoints(job), topology, events, parallelism, savepoint);
      phase.goOnTo(events * (3 * parallelism - 2) / 9);
      phase.failAndRecover(events * (3 * parallelism - 1) / 9);
      phase.goOnTo(events * parallelism / 3);
      SavepointFormatType format = format(job, parallelism);
      savepoint = phase.stop(savepoints.resolve(format.name()), format);
    }
    new Phase(folder, withCheckpoints(job), topology, events, 3, savepoint).end();
  }

  private static void keyed(String job, Path folder) throws Exception {
    run(JOBS.get(job), folder.resolve(job.replaceAll("\\W+", "-")), KEYED, EVENTS);
    end(job);
  }

  /** Runs windows and joins, and compares their results with a model in memory. */
  private static void windows(String job, Path folder) throws Exception {
    run(JOBS.get(job), folder.resolve("windows-" + job), new Windows(), WINDOW_EVENTS);
    requireResults("windows, " + job, WindowModel.results(WINDOW_EVENTS));
  }

  private static void requireResults(String job, Map<Long, String> expected) {
    Map<Long, String> results = JobProgress.takeResults();
    expected.keySet().stream()
        .filter(key -> !expected.get(key).equals(results.get(key)))
        .findFirst()
        .ifPresent(key -> {
          throw new IllegalStateException(job + ", " + key + ": " + results.get(key) + " instead of "
              + expected.get(key));
        });
    Answers.say(job, results.size(), results.hashCode());
  }

  /** Returns the format of a savepoint: native if tables are ingested when two subtasks are rescaled to three. */
  private static SavepointFormatType format(Map<String, String> settings, int parallelism) {
    boolean isNative = settings.get(TIMERS).equals("ROCKSDB") && parallelism == 2 == settings.containsKey(INGEST);
    return isNative ? SavepointFormatType.NATIVE : SavepointFormatType.CANONICAL;
  }

  /** Continues from the savepoints of another run; Flink's fork cannot read all native ones. */
  private static void goOn(String job, Path folder, Path other, boolean isFork) throws Exception {
    for (SavepointFormatType format : SavepointFormatType.values()) {
      Path savepoints = other.resolve("savepoints").resolve(format.name());
      boolean isRead = format == SavepointFormatType.CANONICAL || !isFork || JOBS.get(job).containsKey(OPTIONS_FACTORY);
      if (isRead && Files.exists(savepoints)) {
        try (var found = Files.list(savepoints)) {
          Path savepoint = found.findFirst().orElseThrow();
          Path work = folder.resolve(other.getFileName()).resolve(format.name());
          new Phase(work, withCheckpoints(JOBS.get(job)), KEYED, EVENTS, 3, savepoint.toUri().toString()).end();
          end(job);
        }
      }
    }
  }

  private static void end(String job) {
    Answers answers = new Answers();
    JobProgress.takeResults().forEach((key, words) -> answers.row(key, words));
    answers.end(job);
  }

  /** Reads all RocksDB metrics that the backend supports, which have the same names with both libraries. */
  private static void readFigures(Path folder) throws Exception {
    Phase phase = new Phase(folder, withCheckpoints(NativeMetrics.settings()), KEYED, EVENTS, 2, null);
    phase.goOnTo(EVENTS / 3);
    phase.failAndRecover(EVENTS * 2 / 3);
    Answers names = new Answers();
    NativeMetrics.read().forEach(names::row);
    names.end("names of figures");
    for (String figure : List.of("estimate-num-keys", "total-sst-files-size", "bytes_written", "iter_bytes_read")) {
      Answers.say("there is some " + figure, NativeMetrics.sum(figure) > 0);
    }
    phase.end();
    end("figures");
  }

  /** Uses a changelog, with which RocksDB is rarely in a checkpoint: a failure applies later changes again. */
  private static void changelog(Path folder) throws Exception {
    Map<String, String> settings =
        Map.of(
            "state.changelog.enabled", "true",
            "state.changelog.storage", "filesystem",
            "state.changelog.dstl.dfs.base-path", folder.resolve("log").toUri().toString(),
            "state.changelog.periodic-materialize.interval", "200 ms",
            "restart-strategy.fixed-delay.attempts", String.valueOf(FAILURES),
            TIMERS, "ROCKSDB",
            "execution.checkpointing.incremental", "true");
    Topology keyed = Topology.keyed(KEYS, new KeyedStates(0L));
    Phase phase = new Phase(folder, withCheckpoints(settings), keyed, EVENTS, 2, null);
    phase.goOnTo(EVENTS / 10);
    phase.awaitTables();
    for (int failure = 1; failure <= FAILURES; failure++) {
      phase.goOnTo(EVENTS * 2 * failure / 10);
      phase.failAndRecover(EVENTS * (2 * failure + 1) / 10);
    }
    phase.end();
    end("changelog");
  }

  /** Cancels two jobs in a task manager, one by one; the second continues from its last complete checkpoint. */
  private static void cancel(Path folder, Path beside) throws Exception {
    Map<String, String> settings =
        Map.of(
            "taskmanager.numberOfTaskSlots", "2",
            "execution.checkpointing.interval", "1 d",
            "execution.checkpointing.incremental", "true",
            "execution.checkpointing.data-inline-threshold", "0",
            "execution.checkpointing.dir", HeldFiles.uri(folder.resolve("checkpoints")),
            "execution.checkpointing.externalized-checkpoint-retention", "RETAIN_ON_CANCELLATION");
    Phase phase = new Phase(folder, settings, KEYED, EVENTS, 1, null);
    Phase other = phase.beside(beside, settings, JobLoad.TTL);
    phase.goOnTo(EVENTS / 3);
    other.awaitTasks();
    other.checkpoint(CheckpointType.CONFIGURED);
    other.cancelInCheckpoint();
    phase.goOnTo(EVENTS / 2);
    String last = phase.checkpoint(CheckpointType.CONFIGURED).getExternalPath();
    phase.goOnTo(EVENTS * 2 / 3);
    phase.cancelInCheckpoint();
    JobProgress.takeCounts();
    new Phase(folder, settings, KEYED, EVENTS, 1, last).end();
    end("cancelled");
  }

  /** Writes state with a TTL, changes the TTL at an event, and compacts the state with the new TTL. */
  private static void expire(String job, Path parent, long life, long change, long newLife, long expected)
      throws Exception {
    Path folder = parent.resolve(job.replaceAll("\\W+", "-"));
    long firstNull = life == ExpiringStates.NO_END ? change : 0;
    Phase phase = expiring(folder, new ExpiringStates(life, firstNull), null);
    phase.goOnTo(change);
    String savepoint = phase.stop(folder.resolve("savepoints"), SavepointFormatType.NATIVE);
    expiring(folder, new ExpiringStates(newLife, firstNull), savepoint).end();
    requireResults(job, ExpiringStates.results(expected, firstNull));
  }

  private static Phase expiring(Path folder, ExpiringStates states, String savepoint) throws Exception {
    Map<String, String> clock = Map.of("state.backend.type", ClockedBackend.Factory.class.getName());
    Topology topology = Topology.keyed(ExpiringStates.KEYS, states);
    return new Phase(folder, clock, topology, ExpiringStates.READ, 1, savepoint);
  }
}
