/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.flink.jobs;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.apache.flink.api.common.JobID;
import org.apache.flink.api.common.JobStatus;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.connector.datagen.source.DataGeneratorSource;
import org.apache.flink.core.execution.CheckpointType;
import org.apache.flink.core.execution.JobClient;
import org.apache.flink.core.execution.SavepointFormatType;
import org.apache.flink.runtime.checkpoint.CompletedCheckpointStats;
import org.apache.flink.runtime.execution.ExecutionState;
import org.apache.flink.runtime.executiongraph.AccessExecutionGraph;
import org.apache.flink.runtime.executiongraph.AccessExecutionVertex;
import org.apache.flink.runtime.minicluster.MiniCluster;
import org.apache.flink.runtime.minicluster.MiniClusterConfiguration;
import org.apache.flink.runtime.minicluster.MiniClusterJobClient;
import org.apache.flink.runtime.minicluster.MiniClusterJobClient.JobFinalizationBehavior;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.functions.sink.v2.DiscardingSink;

/** A job in a cluster of its own in this JVM, from its start, or from a savepoint, to a savepoint or its end. */
final class Phase {
  private static final long LONGEST_WAIT = TimeUnit.SECONDS.toNanos(180);
  private static final long BETWEEN_LOOKS = TimeUnit.MILLISECONDS.toNanos(5);

  private final MiniCluster cluster;
  private final JobClient job;

  /**
   * Starts a job.
   *
   * @param events that the source has in all
   * @param from the savepoint to start from; null for none
   */
  Phase(
      Path folder,
      Map<String, String> settings,
      Topology topology,
      long events,
      int parallelism,
      String from)
      throws Exception {
    Map<String, String> all = new HashMap<>(settings(folder));
    all.putAll(settings);
    if (from != null) {
      all.put("execution.state-recovery.path", from);
    }
    Configuration configuration = Configuration.fromMap(all);
    StreamExecutionEnvironment environment =
        StreamExecutionEnvironment.createLocalEnvironment(parallelism, configuration);
    Progress.start();
    DataStream<Long> source =
        environment
            .fromSource(
                new DataGeneratorSource<Long>(Progress::made, events, subtasks -> more -> Progress.gate(), Types.LONG),
                WatermarkStrategy.<Long>forMonotonousTimestamps().withTimestampAssigner((event, time) -> event),
                "events")
            .uid("events")
            .setParallelism(1); // so that the events of a key have an order
    topology.of(source).sinkTo(new DiscardingSink<>()).uid("end");
    this.cluster =
        new MiniCluster(
            new MiniClusterConfiguration.Builder()
                .setConfiguration(configuration)
                .setNumSlotsPerTaskManager(parallelism)
                .withRandomPorts()
                .build());
    cluster.start();
    JobID id = cluster.submitJob(environment.getStreamGraph().getJobGraph()).get().getJobID();
    this.job = new MiniClusterJobClient(id, cluster, getClass().getClassLoader(), JobFinalizationBehavior.SHUTDOWN_CLUSTER);
  }

  private static Map<String, String> settings(Path folder) {
    return Map.of(
        "state.backend.type", "rocksdb",
        "state.backend.rocksdb.localdir", folder.resolve("local").toString(),
        "execution.checkpointing.dir", folder.resolve("checkpoints").toUri().toString(),
        "restart-strategy.type", "fixed-delay",
        "restart-strategy.fixed-delay.attempts", "1",
        "restart-strategy.fixed-delay.delay", "10 ms",
        "taskmanager.memory.managed.size", "64m");
  }

  void goOnTo(long event) throws Exception {
    Progress.goOnTo(event);
    await("the source to make " + event + " events", Progress::isAtLimit);
  }

  /** Has a function throw after a checkpoint, and waits until checkpoints are made again. */
  void failAndRecover(long event) throws Exception {
    awaitCheckpoints(1);
    Progress.fail();
    Progress.goOnTo(event);
    await("the failure", Progress::hasFailed);
    awaitCheckpoints(2);
  }

  private void awaitCheckpoints(int more) throws Exception {
    int before = Progress.CHECKPOINTS.get();
    await("a checkpoint", () -> Progress.CHECKPOINTS.get() >= before + more);
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

  String stop(Path folder, SavepointFormatType format) throws Exception {
    return job.stopWithSavepoint(false, folder.toUri().toString(), format)
        .get(LONGEST_WAIT, TimeUnit.NANOSECONDS);
  }

  void end() throws Exception {
    Progress.goOnTo(Long.MAX_VALUE);
    job.getJobExecutionResult().get(LONGEST_WAIT, TimeUnit.NANOSECONDS);
  }

  private void await(String what, BooleanSupplier is) throws Exception {
    long start = System.nanoTime();
    while (!is.getAsBoolean()) {
      if (job.getJobExecutionResult().isDone()) {
        job.getJobExecutionResult().get();
        throw new IllegalStateException("the job ended before " + what);
      }
      if (System.nanoTime() - start > LONGEST_WAIT) {
        throw new IllegalStateException("waited too long for " + what);
      }
      LockSupport.parkNanos(BETWEEN_LOOKS);
    }
  }
}
