/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.jmh.programs.process;

import com.sun.management.OperatingSystemMXBean;
import com.sun.management.ThreadMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/**
 * The resources that a process has used until a point in time.
 *
 * @param nanos the time
 * @param cpuNanos the CPU time of all threads, including the engine's and the compilers'
 * @param allocatedBytes by all its Java threads
 * @param compileMillis the CPU time of the JIT compilers' threads; if the platform does not report it, the elapsed time
 *     of compilations
 */
record Mark(long nanos, long cpuNanos, long allocatedBytes, long compileMillis) {
  private static final Path TASKS = Path.of("/proc/self/task");
  private static final List<String> COMPILERS = List.of("C1 Compiler", "C2 Compiler");
  private static final int USER = 11; // fields after the name, from 0
  private static final long MILLIS_IN_TICK = 10;

  static Mark now() {
    return new Mark(
        System.nanoTime(),
        ((OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean()).getProcessCpuTime(),
        ((ThreadMXBean) ManagementFactory.getThreadMXBean()).getTotalThreadAllocatedBytes(),
        compileMillisNow());
  }

  /** Returns the mark of a process' start, at a time. */
  static Mark begin(long nanos) {
    return new Mark(nanos, 0, 0, 0);
  }

  private static long compileMillisNow() {
    if (!Files.isDirectory(TASKS)) {
      return ManagementFactory.getCompilationMXBean().getTotalCompilationTime();
    }
    long ticks = 0;
    try (Stream<Path> tasks = Files.list(TASKS)) {
      for (Path task : tasks.toList()) {
        ticks += compilerTicks(task.resolve("stat"));
      }
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
    return ticks * MILLIS_IN_TICK;
  }

  private static long compilerTicks(Path stat) {
    String line;
    try {
      line = Files.readString(stat);
    } catch (IOException ended) {
      return 0; // the file is missing or cannot be read when its thread has ended
    }
    if (COMPILERS.stream().noneMatch(line.substring(line.indexOf('(') + 1)::startsWith)) {
      return 0;
    }
    String[] fields = line.substring(line.lastIndexOf(')') + 2).split(" ");
    return Long.parseLong(fields[USER]) + Long.parseLong(fields[USER + 1]);
  }
}
