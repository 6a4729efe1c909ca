/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.server;

import com.sun.management.OperatingSystemMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;

/** The CPU time of this process. */
final class ProcessorTime {
  private static final Path THREADS = Path.of("/proc/self/task");

  private ProcessorTime() {}

  /**
   * Returns the sum of the kernel scheduler's times of all live threads, which are exact; the JVM's own count has a
   * resolution of 10 ms. If the kernel does not report such times, returns the JVM's count.
   */
  static long nanos() {
    long sum = 0;
    try (DirectoryStream<Path> threads = Files.newDirectoryStream(THREADS)) {
      for (Path thread : threads) {
        sum += nanosOf(thread);
      }
    } catch (IOException noSuchFolder) {
      sum = 0;
    }
    return sum > 0
        ? sum
        : ((OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean()).getProcessCpuTime();
  }

  private static long nanosOf(Path thread) {
    String counts;
    try {
      counts = Files.readString(thread.resolve("schedstat"));
    } catch (IOException ended) {
      return 0; // the file is missing or cannot be read when its thread has ended
    }
    return Long.parseLong(counts, 0, counts.indexOf(' '), 10);
  }
}
