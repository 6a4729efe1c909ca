/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.flink.jobs;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.apache.flink.api.common.JobID;
import org.apache.flink.api.common.JobStatus;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.api.connector.source.util.ratelimit.RateLimiterStrategy;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.connector.datagen.source.DataGeneratorSource;
import org.apache.flink.core.execution.CheckpointType;
import org.apache.flink.core.execution.JobClient;
import org.apache.flink.core.execution.SavepointFormatType;
import org.apache.flink.runtime.checkpoint.CompletedCheckpointStats;
import org.apache.flink.runtime.execution.ExecutionState;
import org.apache.flink.runtime.executiongraph.AccessExecutionGraph;
import org.apache.flink.runtime.executiongraph.AccessExecutionVertex;
import org.apache.flink.runtime.jobmaster.JobResult;
import org.apache.flink.runtime.minicluster.MiniCluster;
import org.apache.flink.runtime.minicluster.MiniClusterConfiguration;
import org.apache.flink.runtime.minicluster.MiniClusterJobClient;
import org.apache.flink.runtime.minicluster.MiniClusterJobClient.JobFinalizationBehavior;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.functions.sink.v2.DiscardingSink;

/** A run of a job in a cluster in this JVM, from its start or a savepoint to a savepoint or its end. */
final class Phase {
  private static final long LONGEST_WAIT = TimeUnit.SECONDS.toNanos(180);
  private static final long BETWEEN_LOOKS = TimeUnit.MILLISECONDS.toNanos(5);
  private static final int EVENTS_PER_SECOND = 10_000;
  private static final String SLOTS = "taskmanager.numberOfTaskSlots";

  private final MiniCluster cluster;
  private final Path folder;
  private final JobClient job;

  /**
   * Starts a job in a separate cluster, with as many slots as the job needs.
   *
   * @param events the total number of events of the source
   * @param from the savepoint, or checkpoint, to start from; null to start without state
   */
  Phase(
      Path folder,
      Map<String, String> settings,
      Topology topology,
      long events,
      int parallelism,
      String from)
      throws Exception {
    Map<String, String> all = new HashMap<>(Map.of(SLOTS, String.valueOf(parallelism)));
    all.putAll(settings(folder, settings));
    if (from != null) {
      all.put("execution.state-recovery.path", from);
    }
    JobProgress.start();
    this.folder = folder;
    this.cluster =
        new MiniCluster(
            new MiniClusterConfiguration.Builder()
                .setConfiguration(Configuration.fromMap(all))
                .setNumSlotsPerTaskManager(Integer.parseInt(all.get(SLOTS)))
                .withRandomPorts()
                .build());
    cluster.start();
    DataGeneratorSource<Long> source =
        new DataGeneratorSource<>(JobProgress::made, events, subtasks -> more -> JobProgress.gate(), Types.LONG);
    this.job = submit(all, source, topology, parallelism, JobFinalizationBehavior.SHUTDOWN_CLUSTER);
  }

  private Phase(MiniCluster cluster, Path folder, Map<String, String> settings, Topology topology) throws Exception {
    this.cluster = cluster;
    this.folder = folder;
    DataGeneratorSource<Long> source =
        new DataGeneratorSource<>(
            event -> event, Long.MAX_VALUE, RateLimiterStrategy.perSecond(EVENTS_PER_SECOND), Types.LONG);
    this.job = submit(settings(folder, settings), source, topology, 1, JobFinalizationBehavior.NOTHING);
  }

  /** Starts another, endless job in the same task manager. */
  Phase beside(Path path, Map<String, String> settings, Topology topology) throws Exception {
    return new Phase(cluster, path, settings, topology);
  }

  private JobClient submit(
      Map<String, String> settings,
      DataGeneratorSource<Long> events,
      Topology topology,
      int parallelism,
      JobFinalizationBehavior atItsEnd)
      throws Exception {
    StreamExecutionEnvironment environment =
        StreamExecutionEnvironment.createLocalEnvironment(parallelism, Configuration.fromMap(settings));
    DataStream<Long> source =
        environment
            .fromSource(
                events,
                WatermarkStrategy.<Long>forMonotonousTimestamps().withTimestampAssigner((event, time) -> event),
                "events")
            .uid("events")
            .setParallelism(1); // keeps the order of a key's events
    topology.of(source).sinkTo(new DiscardingSink<>()).uid("end");
    JobID id = cluster.submitJob(environment.getStreamGraph().getJobGraph()).get().getJobID();
    return new MiniClusterJobClient(id, cluster, getClass().getClassLoader(), atItsEnd);
  }

  private static Map<String, String> settings(Path folder, Map<String, String> more) {
    Map<String, String> all =
        new HashMap<>(
            Map.of(
                "state.backend.type", "rocksdb",
                "state.backend.rocksdb.localdir", local(folder).toString(),
                "execution.checkpointing.dir", folder.resolve("checkpoints").toUri().toString(),
                "restart-strategy.type", "fixed-delay",
                "restart-strategy.fixed-delay.attempts", "1",
                "restart-strategy.fixed-delay.delay", "10 ms",
                "taskmanager.memory.managed.size", "64m"));
    all.putAll(more);
    return all;
  }

  private static Path local(Path folder) {
    return folder.resolve("local");
  }

  void goOnTo(long event) throws Exception {
    JobProgress.goOnTo(event);
    await("the source to make " + event + " events", JobProgress::isAtLimit);
  }

  /** Makes a function throw after a checkpoint, and waits for the next checkpoint. */
  void failAndRecover(long event) throws Exception {
    awaitCheckpoints(1);
    JobProgress.fail();
    JobProgress.goOnTo(event);
    await("the failure", JobProgress::hasFailed);
    awaitCheckpoints(2);
  }

  private void awaitCheckpoints(int more) throws Exception {
    int before = JobProgress.CHECKPOINTS.get();
    await("a checkpoint", () -> JobProgress.CHECKPOINTS.get() >= before + more);
  }

  /** Waits until a task of a job with a changelog has stored tables. */
  void awaitTables() throws Exception {
    Path owned = folder.resolve("checkpoints").resolve(job.getJobID().toString()).resolve("taskowned");
    await("tables", () -> Files.isDirectory(owned) && !isEmpty(owned));
  }

  void awaitTasks() throws Exception {
    await("all tasks to run", () -> {
      AccessExecutionGraph graph = cluster.getExecutionGraph(job.getJobID()).join();
      boolean runs = graph.getState() == JobStatus.RUNNING;
      for (AccessExecutionVertex task : graph.getAllExecutionVertices()) {
        runs &= task.getExecutionState() == ExecutionState.RUNNING;
      }
      return runs;
    });
  }

  /** Makes a checkpoint. */
  CompletedCheckpointStats checkpoint(CheckpointType type) throws Exception {
    long id = cluster.triggerCheckpoint(job.getJobID(), type).get(LONGEST_WAIT, TimeUnit.NANOSECONDS);
    return (CompletedCheckpointStats)
        cluster.getExecutionGraph(job.getJobID()).get().getCheckpointStatsSnapshot().getHistory().getCheckpointById(id);
  }

  /** Cancels the job while it stores files of a checkpoint. Afterwards, no database may exist or be open. */
  void cancelInCheckpoint() throws Exception {
    HeldFiles.hold();
    CompletableFuture<Long> checkpoint = cluster.triggerCheckpoint(job.getJobID(), CheckpointType.CONFIGURED);
    await("a file of the checkpoint", () -> HeldFiles.isHeld() || checkpoint.isDone());
    if (checkpoint.isDone()) {
      throw new IllegalStateException("nothing of the checkpoint was held: " + checkpoint.get());
    }
    CompletableFuture<JobResult> result = cluster.requestJobResult(job.getJobID());
    job.cancel().get(LONGEST_WAIT, TimeUnit.NANOSECONDS);
    HeldFiles.release();
    result.get(LONGEST_WAIT, TimeUnit.NANOSECONDS);
    await("its databases to be gone", () -> isGone(local(folder)), () -> {});
  }

  /** Whether a folder is empty, and no file that was deleted from it is still open. */
  private static boolean isGone(Path databases) {
    if (!isEmpty(databases)) {
      return false;
    }
    try (Stream<Path> open = Files.list(Path.of("/proc/self/fd"))) {
      return open.noneMatch(link -> isBelow(databases, link));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static boolean isEmpty(Path folder) {
    try (Stream<Path> files = Files.list(folder)) {
      return files.findAny().isEmpty();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static boolean isBelow(Path folder, Path link) {
    try {
      return Files.readSymbolicLink(link).startsWith(folder);
    } catch (IOException closed) {
      return false;
    }
  }

  String stop(Path folder, SavepointFormatType format) throws Exception {
    return job.stopWithSavepoint(false, folder.toUri().toString(), format)
        .get(LONGEST_WAIT, TimeUnit.NANOSECONDS);
  }

  void end() throws Exception {
    JobProgress.goOnTo(Long.MAX_VALUE);
    job.getJobExecutionResult().get(LONGEST_WAIT, TimeUnit.NANOSECONDS);
  }

  private void await(String what, BooleanSupplier is) throws Exception {
    await(what, is, () -> {
      if (job.getJobExecutionResult().isDone()) {
        job.getJobExecutionResult().get();
        throw new IllegalStateException("the job ended before " + what);
      }
    });
  }

  private interface Check {
    void run() throws Exception;
  }

  private static void await(String what, BooleanSupplier is, Check inBetween) throws Exception {
    long start = System.nanoTime();
    while (!is.getAsBoolean()) {
      inBetween.run();
      if (System.nanoTime() - start > LONGEST_WAIT) {
        throw new IllegalStateException("waited too long for " + what);
      }
      LockSupport.parkNanos(BETWEEN_LOOKS);
    }
  }
}
