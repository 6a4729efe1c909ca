/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.torture;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.rocksdbffm.tools.ChildJvm;
import org.rocksdbffm.torture.world.Folders;

/**
 * Runs random cases in child JVMs, which may crash, and shrinks a case that fails. Arguments: {@code --minutes N} (or
 * {@code --seconds N}), {@code --seed S}, {@code --shrink N} for the seconds to shrink, {@code --only NAME} for
 * operations whose names begin with NAME, {@code --replay FILE} for a saved case, or {@code --kill ROUNDS} for a
 * {@link KillLoop}.
 */
public final class Torture {
  private static final Pattern LAST_CASE = Pattern.compile("(?s).*" + TortureChild.BEGINS + "(-?\\d+)\n.*");
  private static final Duration GRACE = Duration.ofSeconds(150);
  private static final Duration CASE = Duration.ofMinutes(3);
  private static final int ATTEMPTS = 3;

  /** Runs the rest of a command in a mount namespace with a folder mounted twice, if the user has the permission. */
  private static final String MOUNT =
      """
      bind='mount --bind "$1" "$2" && shift 2'
      unshare -rm sh -c "$bind" sh "$1" "$2" 2>/dev/null || { shift 2; exec "$@"; }
      exec unshare -rm sh -c "$bind"' && exec "$@"' sh "$@"
      """;

  private static final int MOST_SHOWN = 60;

  private final long seed;
  private final Duration time;
  private final Duration shrinking;

  Torture(long seed, Duration time, Duration shrinking) {
    this.seed = seed;
    this.time = time;
    this.shrinking = shrinking;
  }

  public static void main(String[] arguments) throws Exception {
    long seed = System.nanoTime();
    Duration time = Duration.ofMinutes(1);
    Duration shrinking = Duration.ofMinutes(3);
    int kill = 0;
    for (int i = 0; i + 1 < arguments.length; i += 2) {
      String value = arguments[i + 1];
      switch (arguments[i]) {
        case "--minutes" -> time = Duration.ofMinutes(Long.parseLong(value));
        case "--seconds" -> time = Duration.ofSeconds(Long.parseLong(value));
        case "--seed" -> seed = Long.parseLong(value);
        case "--shrink" -> shrinking = Duration.ofSeconds(Long.parseLong(value));
        case "--only" -> System.setProperty("torture.only", value);
        case "--kill" -> kill = Integer.parseInt(value);
        case "--replay" -> System.exit(replay(Path.of(value)));
        default -> {
          System.err.println("./torture [--minutes N | --seconds N] [--seed S] [--shrink SECONDS] [--only NAME] | "
              + "--replay FILE | --kill ROUNDS");
          System.exit(2);
        }
      }
    }
    if (kill > 0) {
      System.out.println("seed " + seed + ": " + KillLoop.run(kill, seed));
      return;
    }
    System.out.println("seed " + seed + ", " + time);
    Outcome outcome = new Torture(seed, time, shrinking).run();
    System.out.println(outcome.report);
    System.exit(outcome.survived ? 0 : 1);
  }

  private static int replay(Path file) throws IOException {
    Outcome outcome = runCase(file.toAbsolutePath(), 10);
    System.out.println(outcome.report);
    return outcome.survived ? 0 : 1;
  }

  /** The outcome of a run: its report, or, after a failure, the failure and the smallest case that causes it. */
  record Outcome(boolean survived, String report) {}

  Outcome run() throws IOException {
    ChildJvm.Finished child =
        inChild(time.plus(GRACE), "run", String.valueOf(time.toSeconds()), String.valueOf(seed));
    if (hasSurvived(child)) {
      return new Outcome(true, withoutCases(child.output()));
    }
    Matcher last = LAST_CASE.matcher(child.output());
    if (!last.matches()) {
      return new Outcome(false, failureOf(child));
    }
    long failed = Long.parseLong(last.group(1));
    return new Outcome(false, "The case of seed " + failed + " fails.\n" + failureOf(child) + shrink(Case.of(failed)));
  }

  private static ChildJvm.Finished inChild(Duration most, String... arguments) throws IOException {
    Path folder = Folders.create();
    Path mounted = Files.createDirectory(folder.resolve("mounted"));
    try {
      return ChildJvm.of(TortureChild.class)
          .with("-Xmx1g", "-Dorg.rocksdbffm.leaks=all", "-Dtorture.folder=" + folder)
          .with("-Dtorture.only=" + System.getProperty("torture.only", ""))
          .launchedBy("sh", "-c", MOUNT, "sh", folder.toString(), mounted.toString())
          .within(most)
          .run(arguments);
    } finally {
      Folders.delete(folder);
    }
  }

  private static boolean hasSurvived(ChildJvm.Finished child) {
    return child.exitCode() == 0 && child.crashReport().isEmpty() && child.output()
        .contains("no native object is left");
  }

  private static String withoutCases(String output) {
    return output.replaceAll(TortureChild.BEGINS + "-?\\d+\n", "");
  }

  private static String failureOf(ChildJvm.Finished child) {
    String crash = child.crashReport().lines().limit(120).reduce("", (a, b) -> a + b + "\n");
    return "exit " + child.exitCode() + "\n" + withoutCases(child.output()) + crash;
  }

  private String shrink(Case failing) throws IOException {
    Path file = Path.of("torture.case").toAbsolutePath();
    if (shrinking.isZero()) {
      failing.write(file);
      return "It is written down in " + file + ": ./torture --replay " + file;
    }
    Path candidate = Files.createTempFile("torture", ".case");
    try {
      Case smallest =
          new Shrinker(
                  smaller -> fails(smaller, candidate),
                  shrinking)
              .shrink(failing);
      smallest.write(file);
      Outcome again = runCase(file, 10);
      return "\nOf its %d steps %d are left, one line a client, in %s (./torture --replay %s)%n%s%s"
          .formatted(
              failing.steps(),
              smallest.steps(),
              file,
              file,
              smallest.steps() <= MOST_SHOWN ? smallest : "",
              again.survived ? "" : again.report);
    } finally {
      Files.delete(candidate);
    }
  }

  private static boolean fails(Case one, Path file) {
    try {
      one.write(file);
      return !runCase(file, ATTEMPTS).survived;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Runs a case several times, because a race may not occur each time. */
  private static Outcome runCase(Path file, int attempts) throws IOException {
    for (int i = 0; i < attempts; i++) {
      ChildJvm.Finished child = inChild(CASE, "case", file.toString());
      if (!hasSurvived(child)) {
        return new Outcome(false, failureOf(child));
      }
    }
    return new Outcome(true, "It went well " + attempts + " times.");
  }
}
