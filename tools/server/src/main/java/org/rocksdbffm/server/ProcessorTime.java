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
   * resolution of 10 ms.
   */
  static long nanos() {
    long sum = 0;
    try (DirectoryStream<Path> threads = Files.newDirectoryStream(THREADS)) {
      for (Path thread : threads) {
        sum += nanosOf(thread);
      }
      return sum;
    } catch (IOException e) {
      return ((OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean()).getProcessCpuTime();
    }
  }

  private static long nanosOf(Path thread) throws IOException {
    if (!Files.exists(thread)) {
      return 0; // the thread has ended
    }
    String counts = Files.readString(thread.resolve("schedstat"));
    return Long.parseLong(counts, 0, counts.indexOf(' '), 10);
  }
}
