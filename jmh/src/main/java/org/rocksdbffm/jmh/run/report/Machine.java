/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.jmh.run.report;

import com.sun.management.OperatingSystemMXBean;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The machine, the versions and the command of a run.
 *
 * @param commit of this library, with a "+" if the working copy had changes
 */
public record Machine(
    String processor,
    int processors,
    long memoryGiB,
    String system,
    String jdk,
    String rocksdb,
    String commit,
    String command,
    int rounds,
    String date) {
  private static final String UNKNOWN = "unknown";

  public static Machine ofThis(String command, int rounds) {
    OperatingSystemMXBean system = (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
    return new Machine(
        processorName(),
        system.getAvailableProcessors(),
        Math.round(system.getTotalMemorySize() / (double) (1 << 30)),
        system.getName() + " " + system.getVersion() + ", " + system.getArch(),
        System.getProperty("java.vendor.version", System.getProperty("java.vendor")) + " " + Runtime.version(),
        rocksdbOf(System.getProperty("java.class.path")),
        headCommit(),
        command,
        rounds,
        Instant.now().truncatedTo(ChronoUnit.MINUTES).toString());
  }

  private static String processorName() {
    try (Stream<String> lines = Files.lines(Path.of("/proc/cpuinfo"))) {
      return lines
          .filter(line -> line.startsWith("model name"))
          .map(line -> line.substring(line.indexOf(':') + 1).strip())
          .findFirst()
          .orElse(UNKNOWN);
    } catch (IOException notLinux) {
      return UNKNOWN;
    }
  }

  /** Returns RocksDB's version, from the jar with the library that all engines use. */
  static String rocksdbOf(String classPath) {
    Matcher matcher = Pattern.compile("rocksdbjni-([0-9.]+)\\.jar").matcher(classPath);
    return matcher.find() ? matcher.group(1) : UNKNOWN;
  }

  private static String headCommit() {
    String commit = git("rev-parse", "--short=12", "HEAD");
    boolean changed = !git("status", "--porcelain", "--untracked-files=no").isEmpty();
    return commit.isEmpty() ? UNKNOWN : commit + (changed ? "+" : "");
  }

  /** Returns the folder of the classes or of their jar, which is in the working copy. */
  private static File classes() {
    File file = new File(Machine.class.getProtectionDomain().getCodeSource().getLocation().getPath());
    return file.isDirectory() ? file : file.getParentFile();
  }

  private static String git(String... arguments) {
    try {
      Process process =
          new ProcessBuilder(Stream.concat(Stream.of("git"), Stream.of(arguments)).toList())
              .directory(classes())
              .redirectError(ProcessBuilder.Redirect.DISCARD)
              .start();
      try (BufferedReader output = process.inputReader()) {
        String line = output.readLine();
        process.destroy();
        return line == null ? "" : line;
      }
    } catch (IOException notThere) {
      return "";
    }
  }
}
