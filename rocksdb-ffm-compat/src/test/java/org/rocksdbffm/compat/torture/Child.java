/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.compat.torture;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A {@link TortureChild} in a separate process and folder, which is deleted when this is closed. */
final class Child implements AutoCloseable {
  private static final long MOST_MEMORY = 6L << 30;

  private final Path folder;

  Child() throws IOException {
    folder = Files.createTempDirectory("torture");
    Files.createDirectories(folder.resolve("play"));
    Files.createDirectories(folder.resolve("tmp"));
  }

  /** Runs the child to its end, or ends it if it takes too much time or memory. */
  Ending run(long flagsSeed, long seconds, String mode, String... arguments) throws IOException {
    List<String> command = command(flagsSeed);
    command.addAll(List.of(TortureChild.class.getName(), mode, log().toString()));
    command.addAll(List.of(arguments));
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .directory(folder.resolve("play").toFile())
            .redirectErrorStream(true)
            .redirectOutput(output().toFile());
    // Fills freed memory, so that it does not look valid.
    builder.environment().put("GLIBC_TUNABLES", "glibc.malloc.perturb=165");
    Process process = builder.start();
    String killed = "";
    try {
      long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
      while (killed.isEmpty() && !process.waitFor(200, TimeUnit.MILLISECONDS)) {
        killed =
            System.nanoTime() > end ? "it does not end" : memory(process) > MOST_MEMORY ? "it takes 6 GiB of memory" : "";
      }
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    } finally {
      process.destroyForcibly();
    }
    process.onExit().join();
    return new Ending(process.exitValue(), killed, text(output()), text(folder.resolve("hs_err")), lines(log()));
  }

  private List<String> command(long flagsSeed) {
    Random random = new Random(flagsSeed);
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(
        List.of(
            "--enable-native-access=ALL-UNNAMED",
            "-Xmx384m",
            "-XX:+UseSerialGC",
            "-XX:-CreateCoredumpOnCrash",
            "-XX:ErrorFile=" + folder.resolve("hs_err"),
            "-Djava.io.tmpdir=" + folder.resolve("tmp"),
            "-Djdk.reflect.useNativeAccessorOnly=true"));
    if (random.nextInt(4) != 0) {
      command.add("-XX:TieredStopAtLevel=1"); // most calls are executed only a few times
    }
    if (random.nextInt(4) == 0) {
      command.add("-ea");
    }
    String without = System.getProperty("torture.without");
    if (without != null) {
      command.add("-Dtorture.without=" + without);
    }
    command.addAll(List.of("-cp", classPath()));
    return command;
  }

  private static String classPath() {
    String path = System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
    return Stream.of(path.split(":"))
        .map(entry -> Path.of(entry).toAbsolutePath().toString())
        .collect(Collectors.joining(":"));
  }

  private static long memory(Process process) {
    try (Stream<String> lines = Files.lines(Path.of("/proc/" + process.pid() + "/status"))) {
      return lines
          .filter(line -> line.startsWith("VmRSS:"))
          .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")) << 10)
          .findFirst()
          .orElse(0);
    } catch (IOException | UncheckedIOException e) {
      return 0; // the process has ended, or the system has no such files
    }
  }

  Path references() {
    return folder.resolve("play").resolve("refs");
  }

  private Path log() {
    return folder.resolve("log");
  }

  private Path output() {
    return folder.resolve("output");
  }

  private static String text(Path file) throws IOException {
    return Files.exists(file) ? new String(Files.readAllBytes(file), java.nio.charset.StandardCharsets.UTF_8) : "";
  }

  private static List<String> lines(Path file) throws IOException {
    return text(file).lines().toList();
  }

  @Override
  public void close() throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(file);
      }
    }
  }
}
