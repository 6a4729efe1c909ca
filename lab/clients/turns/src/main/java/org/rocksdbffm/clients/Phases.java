/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.clients;

import com.sun.management.OperatingSystemMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;

/**
 * Measures the phases of a client's program, and prints a line for each, which {@code ./bench clients} reads. With the
 * argument {@code counting}, it also counts the bytes of bytecode that C2 inlines, from a JFR recording, which slows
 * the process down: its times are not used.
 */
public final class Phases implements AutoCloseable {
  static final String MARK = "phase: ";

  private static final String COMPILATION = "jdk.Compilation";
  private static final int C2 = 4;
  private static final long MILLIS_OF_TICK = 10; // of Linux
  private static final int USER_TICKS = 11; // words of a thread's stat file, after its name
  private static final int SYSTEM_TICKS = 12;

  private final OperatingSystemMXBean system =
      (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
  private final List<Phase> phases = new ArrayList<>();
  private final Path folder;
  private final Recording recording; // null without counting

  private record Phase(String name, Instant end, long wallMillis, long cpuMillis, long jitMillis) {}

  /** A part of a phase, which the phase repeats. */
  @FunctionalInterface
  public interface Step {
    void run(int number) throws Exception;
  }

  /**
   * Starts the measurement.
   *
   * @param arguments the program's arguments: an empty folder, and optionally {@code counting}
   */
  public Phases(String... arguments) {
    folder = Path.of(arguments[0]);
    recording = List.of(arguments).contains("counting") ? new Recording() : null;
    if (recording != null) {
      recording.enable(COMPILATION).withoutThreshold();
      recording.start();
    }
  }

  /** Returns a path in the folder of the program. */
  public String path(String name) {
    return folder.resolve(name).toString();
  }

  /** Runs a phase. */
  public void run(String name, int steps, Step step) throws Exception {
    long wall = System.nanoTime();
    long cpu = system.getProcessCpuTime();
    long jit = jitMillis();
    for (int i = 0; i < steps; i++) {
      step.run(i);
    }
    wall = System.nanoTime() - wall;
    cpu = system.getProcessCpuTime() - cpu;
    phases.add(new Phase(name, Instant.now(), wall / 1_000_000, cpu / 1_000_000, jitMillis() - jit));
  }

  /** Returns the processor time of the compilers' threads; only on Linux. */
  private static long jitMillis() throws IOException {
    long ticks = 0;
    try (Stream<Path> threads = Files.list(Path.of("/proc/self/task"))) {
      for (Path thread : threads.toList()) {
        ticks += compilerTicks(thread.resolve("stat"));
      }
    }
    return ticks * MILLIS_OF_TICK;
  }

  private static long compilerTicks(Path stat) {
    try {
      String text = Files.readString(stat);
      if (!text.contains("(C1 Comp") && !text.contains("(C2 Comp")) {
        return 0;
      }
      String[] words = text.substring(text.lastIndexOf(')') + 2).split(" ");
      return Long.parseLong(words[USER_TICKS]) + Long.parseLong(words[SYSTEM_TICKS]);
    } catch (IOException ended) {
      return 0;
    }
  }

  /** Prints the phases. */
  @Override
  public void close() throws IOException {
    long[] inlined = inlined();
    for (int i = 0; i < phases.size(); i++) {
      Phase phase = phases.get(i);
      System.out.println(
          MARK + String.join("|", phase.name, "" + phase.wallMillis, "" + phase.cpuMillis, "" + phase.jitMillis,
              "" + inlined[i]));
    }
  }

  /** Returns the bytes of bytecode that the compilations of each phase inlined; zeros without counting. */
  private long[] inlined() throws IOException {
    long[] inlined = new long[phases.size()];
    if (recording == null) {
      return inlined;
    }
    Path file = folder.resolve("phases.jfr");
    recording.stop();
    recording.dump(file);
    recording.close();
    for (RecordedEvent compilation : RecordingFile.readAllEvents(file)) {
      int phase = phaseOf(compilation.getEndTime());
      boolean isCounted = phase < inlined.length && compilation.getEventType().getName().equals(COMPILATION);
      if (isCounted && compilation.getShort("compileLevel") == C2) {
        inlined[phase] += compilation.getLong("inlinedBytes");
      }
    }
    return inlined;
  }

  private int phaseOf(Instant time) {
    int phase = 0;
    while (phase < phases.size() && time.isAfter(phases.get(phase).end)) {
      phase++;
    }
    return phase;
  }
}
