/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.flink.jobs;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.flink.core.execution.CheckpointType;
import org.rocksdbffm.clients.Answers;

/** Measures a load in a separate JVM: a short warm-up, then the whole load. Argument: the load's name. */
public final class MeasuredJob {
  private static final int CHECKPOINTS = 10;
  private static final int WARM_UP = 5;
  private static final Map<String, String> SETTINGS =
      Map.of(
          "execution.checkpointing.incremental", "true",
          "execution.checkpointing.interval", "1 d",
          "pipeline.auto-watermark-interval", "10 ms",
          "state.backend.rocksdb.timer-service.factory", "ROCKSDB");

  private MeasuredJob() {}

  public static void main(String[] arguments) {
    try {
      JobLoad load = JobLoad.valueOf(arguments[0]);
      run(Path.of("warm-up").toAbsolutePath(), load, load.events / WARM_UP, false);
      run(Path.of("measured").toAbsolutePath(), load, load.events, true);
      System.exit(0); // clusters leave threads running
    } catch (Throwable e) {
      e.printStackTrace();
      System.exit(1);
    }
  }

  private static void run(Path folder, JobLoad load, long events, boolean says) throws Exception {
    Phase phase = new Phase(folder, SETTINGS, load, events, 1, null);
    phase.awaitTasks();
    long wall = System.nanoTime();
    long cpu = cpu();
    long stored = 0;
    for (int each = 1; each <= CHECKPOINTS; each++) {
      phase.goOnTo(events * each / CHECKPOINTS - 1);
      stored += phase.checkpoint(CheckpointType.INCREMENTAL).getCheckpointedSize();
    }
    long full = phase.checkpoint(CheckpointType.FULL).getStateSize();
    phase.end();
    Map<String, Long> counts = JobProgress.takeCounts();
    if (says) {
      Answers.say("wall ms", TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - wall));
      Answers.say("CPU ms", TimeUnit.NANOSECONDS.toMillis(cpu() - cpu));
      Answers.say("full checkpoint KiB", full >> 10);
      Answers.say("incremental checkpoints KiB", stored >> 10);
      counts.forEach(Answers::say);
    }
  }

  private static long cpu() {
    return ((OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean()).getProcessCpuTime();
  }
}
