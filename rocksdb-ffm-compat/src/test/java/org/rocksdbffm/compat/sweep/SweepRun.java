/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.compat.sweep;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;

/**
 * Runs cases in child processes with one {@code org.rocksdb}, and starts another process after each case that ends a
 * process or hangs.
 */
final class SweepRun {
  static final String ENDS = "ends the process";
  static final String HANGS = "hangs";

  /**
   * The address space of a child, so that a case with too many threads, or too much memory, does not exhaust the
   * machine.
   */
  private static final long MOST_KIBIBYTES = 20L << 20;

  /** How long a child may take to start, or to prepare its next case. */
  private static final long BETWEEN_CASES_MILLIS = TimeUnit.MINUTES.toMillis(5);

  /** The test classes. */
  static final String TESTS = Path.of("target", "test-classes").toAbsolutePath().toString();

  private final String classPath;
  private final List<String> flags;
  private final long limitMillis;

  /** A case that takes longer than the limit counts as hanging. */
  SweepRun(String classPath, List<String> flags, long limitMillis) {
    this.classPath = classPath;
    this.flags = flags;
    this.limitMillis = limitMillis;
  }

  static SweepRun ofRocksdbjni(long limitMillis) {
    return new SweepRun(TESTS + ":" + System.getProperty("rocksdbjni.jar"), List.of(), limitMillis);
  }

  static SweepRun ofDropIn(List<String> flags, long limitMillis) {
    return new SweepRun(System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")), flags,
        limitMillis);
  }

  /** Returns the outcomes of a program's cases, by name. The program gets the arguments and the first case. */
  Map<String, String> outcomes(Path folder, Class<?> program, String... arguments)
      throws IOException, InterruptedException {
    Map<String, String> outcomes = new LinkedHashMap<>();
    Progress progress = new Progress(outcomes);
    do {
      progress.restarted();
      Path work = Files.createTempDirectory(folder, "sweep");
      run(work, program, arguments, progress);
      delete(work);
    } while (progress.isInterrupted());
    return outcomes;
  }

  private void run(Path work, Class<?> program, String[] arguments, Progress progress)
      throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(List.of("sh", "-c", "ulimit -v " + MOST_KIBIBYTES + "; exec \"$@\"", "sh"));
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(
        List.of(
            "--enable-native-access=ALL-UNNAMED", "-Xmx512m", "-XX:-CreateCoredumpOnCrash", "-XX:ErrorFile=/dev/null",
            "-Djava.io.tmpdir=" + work));
    command.addAll(flags);
    command.addAll(List.of("-cp", classPath, program.getName(), work.toString(), Integer.toString(progress.next)));
    command.addAll(List.of(arguments));
    Process process =
        new ProcessBuilder(command).directory(work.toFile()).redirectError(ProcessBuilder.Redirect.DISCARD).start();
    Thread reader = Thread.ofPlatform().start(() -> progress.read(process.inputReader()));
    boolean hung = false;
    try {
      while (!process.waitFor(50, TimeUnit.MILLISECONDS)) {
        if (progress.idleMillis() > (progress.isInCase() ? limitMillis : BETWEEN_CASES_MILLIS)) {
          hung = true;
          break;
        }
      }
    } finally {
      if (process.isAlive()) { // destroying an ended process would close the output that is still unread
        process.destroyForcibly();
      }
    }
    reader.join();
    progress.ended(hung, process.waitFor());
  }

  /** The progress of a child process. */
  private static final class Progress {
    private final Map<String, String> outcomes;
    private final AtomicLong changed = new AtomicLong();
    private int next;
    private volatile String current; // null between cases
    private boolean interrupted;

    Progress(Map<String, String> outcomes) {
      this.outcomes = outcomes;
    }

    void restarted() {
      current = null;
      interrupted = false;
      changed.set(System.nanoTime());
    }

    void read(BufferedReader lines) {
      try (lines) {
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
          String[] words = line.split(" ", 3);
          if (words[0].equals(SweepProgram.BEGUN)) {
            next = Integer.parseInt(words[1]) + 1;
            changed.set(System.nanoTime());
            current = words[2];
          } else if (words[0].equals(SweepProgram.DONE)) {
            outcomes.put(current, words[2]);
            current = null;
          }
          changed.set(System.nanoTime());
        }
      } catch (IOException e) {
        return; // the process was destroyed
      }
    }

    boolean isInCase() {
      return current != null;
    }

    long idleMillis() {
      return TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - changed.get());
    }

    void ended(boolean hung, int status) {
      if (current != null) {
        outcomes.put(current, hung ? HANGS : ENDS + " with " + status);
        interrupted = true;
      } else if (hung || status != 0) {
        throw new IllegalStateException("a child process ended between cases, with " + status);
      }
    }

    boolean isInterrupted() {
      return interrupted;
    }
  }

  private static void delete(Path folder) throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(file);
      }
    }
  }
}
