/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.torture.dropin;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.rocksdbffm.tools.ChildJvm;

/** A {@link DropInChild} in a separate process, whose calls may change files of their working folder. */
final class DropInProcess implements AutoCloseable {
  private static final long MOST_MEMORY = 6L << 30;
  private static final String PLAY = "play";
  private static final String LOG = "log";

  private final ChildJvm.Running running;

  DropInProcess(long flagsSeed, String mode, String... arguments) {
    List<String> words = new ArrayList<>(List.of(mode, "../" + LOG));
    words.addAll(List.of(arguments));
    running =
        ChildJvm.of(DropInChild.class)
            .with(flags(flagsSeed))
            .configured(DropInProcess::configure)
            .start(words.toArray(String[]::new));
  }

  private static void configure(ProcessBuilder builder) {
    File play = new File(builder.directory(), PLAY);
    play.mkdir();
    builder.directory(play);
    builder.environment().put("GLIBC_TUNABLES", "glibc.malloc.perturb=165"); // so that freed memory does not look valid
    String guard = System.getProperty("torture.guard");
    if (guard != null) {
      builder.environment().put("LD_PRELOAD", guard); // the guard makes freed memory inaccessible
    }
  }

  private static String[] flags(long seed) {
    Random random = new Random(seed);
    List<String> flags =
        new ArrayList<>(
            List.of(
                "-Xmx384m",
                "-XX:+UseSerialGC",
                "-XX:-CreateCoredumpOnCrash",
                "-XX:ErrorFile=../hs_err_pid%p.log",
                "-Dorg.rocksdbffm.leaks=sampled",
                "-Djdk.reflect.useNativeAccessorOnly=true"));
    if (random.nextInt(4) != 0) {
      flags.add("-XX:TieredStopAtLevel=1"); // most calls are executed only a few times
    }
    if (random.nextInt(4) == 0) {
      flags.add("-ea");
    }
    String without = System.getProperty("torture.without");
    if (without != null) {
      flags.add("-Dtorture.without=" + without);
    }
    return flags.toArray(String[]::new);
  }

  /** Waits for the end of the child, and ends it if it takes too much time or memory. */
  Ending await(long seconds) throws IOException {
    Process process = running.process();
    String killed = "";
    try {
      long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
      while (killed.isEmpty() && !process.waitFor(200, TimeUnit.MILLISECONDS)) {
        killed =
            System.nanoTime() > end ? "it does not end" : memory(process) > MOST_MEMORY ? "it takes 6 GiB of memory"
            : "";
      }
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    } finally {
      process.destroyForcibly();
    }
    process.onExit().join();
    Path log = running.folder().resolve(LOG);
    List<String> lines =
        Files.exists(log) ? new String(Files.readAllBytes(log), StandardCharsets.UTF_8).lines().toList() : List.of();
    return new Ending(process.exitValue(), killed, running.output(), running.crashReport(), lines);
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
    return running.folder().resolve(PLAY).resolve("refs");
  }

  @Override
  public void close() {
    running.close();
  }
}
