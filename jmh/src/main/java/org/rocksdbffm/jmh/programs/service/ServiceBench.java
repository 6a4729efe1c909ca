/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.jmh.programs.service;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.rocksdbffm.jmh.run.plan.Engine;
import org.rocksdbffm.jmh.work.TemporaryFolder;

/**
 * The program behind {@code ./bench service}: a service with small limits, as rocksdbjni, the drop-in and this library run
 * it, and the most memory that its process ever had. The limit is set from outside where the operating system lets us.
 */
public final class ServiceBench {
  private static final String USAGE =
      """
      usage: ./bench service [--minutes N] [--memory MIB]
      Ten minutes for each engine and 512 MiB, unless others are given. A process that needs more is killed where this user
      may limit memory (by a control group), and told of in any case.
      """;

  private static final int MISTAKE = 2;
  private static final int FAILURE = 1;
  private static final int MINUTES = 10;
  private static final int MEMORY_MIB = 512;
  private static final int SECONDS = 60;
  private static final int MOST = 100_000;
  private static final List<Engine> ENGINES = List.of(Engine.JNI, Engine.COMPAT, Engine.FFM);

  private ServiceBench() {}

  /** Runs what the command line asks for; exits with 2 if it says nothing that can be done, with 1 if a limit was passed. */
  public static void main(String[] words) throws Exception {
    int minutes = MINUTES;
    int memory = MEMORY_MIB;
    try {
      for (int i = 0; i < words.length; i += 2) {
        int number = number(words[i], i + 1 < words.length ? words[i + 1] : "");
        switch (words[i]) {
          case "--minutes" -> minutes = number;
          case "--memory" -> memory = number;
          default -> throw new IllegalArgumentException("There is no option " + words[i]);
        }
      }
    } catch (IllegalArgumentException e) {
      System.err.println(e.getMessage());
      System.err.print(USAGE);
      System.exit(MISTAKE);
    }
    boolean passed = true;
    System.out.printf(Locale.ROOT, "%-8s %9s %9s %9s %10s%n", "engine", "reads/s", "rows/s", "writes/s", "most MiB");
    for (Engine engine : ENGINES.stream().filter(Engine::isAvailable).toList()) {
      ServiceProcess.Outcome its = run(engine, minutes * SECONDS, memory);
      boolean below = its.mostResidentMib() <= memory;
      System.out.printf(
          Locale.ROOT, "%-8s %9.0f %9.0f %9.0f %10.0f %s%n", engine.id(), its.readsPerSecond(), its.rowsPerSecond(),
          its.writesPerSecond(), its.mostResidentMib(), below ? "" : "above the limit");
      passed &= below || engine == Engine.JNI;
    }
    System.exit(passed ? 0 : FAILURE);
  }

  private static int number(String option, String argument) {
    int number = argument.matches("\\d{1,6}") ? Integer.parseInt(argument) : 0;
    if (number < 1 || number > MOST) {
      throw new IllegalArgumentException(option + ": '" + argument + "', but it takes 1 to " + MOST);
    }
    return number;
  }

  /** Runs an engine's process below a limit. */
  static ServiceProcess.Outcome run(Engine engine, int seconds, int memoryMib)
      throws IOException, InterruptedException {
    try (TemporaryFolder folder = TemporaryFolder.create();
        MemoryGroup group = MemoryGroup.of(memoryMib)) {
      List<String> command = new ArrayList<>(group.prefix());
      command.addAll(
          List.of(
              Path.of(System.getProperty("java.home"), "bin", "java").toString(),
              "--enable-native-access=ALL-UNNAMED",
              "-Xmx96m",
              "-Djava.io.tmpdir=" + folder.path(), // with the library of a process that the system kills
              "-cp",
              engine.classPath(),
              ServiceProcess.class.getName(),
              engine.parameter(),
              folder.path().toString(),
              Integer.toString(seconds)));
      ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
      // ./bench has freed memory stay with the processes that it compares; here it is memory that counts.
      builder.environment().keySet().removeIf(name -> name.startsWith("MALLOC_"));
      Process process = builder.start();
      ServiceProcess.Outcome outcome = null;
      List<String> output = new ArrayList<>();
      try (BufferedReader lines = process.inputReader()) {
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
          ServiceProcess.Outcome its = ServiceProcess.Outcome.parse(line);
          outcome = its == null ? outcome : its;
          output.add(line);
        }
      }
      if (process.waitFor() != 0 || outcome == null) {
        throw new IOException(
            engine.id() + " ended with " + process.exitValue() + ", 137 where it was killed for its memory:\n"
                + String.join("\n", output));
      }
      return outcome;
    }
  }
}
