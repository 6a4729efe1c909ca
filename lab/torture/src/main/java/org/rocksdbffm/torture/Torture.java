/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.torture;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;
import org.rocksdbffm.tools.ChildJvm;
import org.rocksdbffm.torture.kill.KillLoop;
import org.rocksdbffm.torture.runs.CaseLines;
import org.rocksdbffm.torture.runs.RunArguments;
import org.rocksdbffm.torture.runs.RunOutcome;
import org.rocksdbffm.torture.world.Folders;

/**
 * Runs random cases in child JVMs, which may crash, and shrinks a case that fails. Arguments: {@code --minutes N} (or
 * {@code --seconds N}), {@code --seed S}, {@code --shrink N} for the seconds to shrink, {@code --only NAME} for
 * operations whose names begin with NAME, {@code --replay FILE} for a saved case, or {@code --kill ROUNDS} for a
 * {@link KillLoop}.
 */
public final class Torture {
  private static final String USAGE =
      "./torture [--minutes N | --seconds N] [--seed S] [--shrink SECONDS] [--only NAME] | --replay FILE | --kill "
      + "ROUNDS | --kill-encrypted ROUNDS";
  private static final Duration GRACE = Duration.ofSeconds(150);
  private static final Duration CASE = Duration.ofMinutes(10);
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
    RunArguments given =
        RunArguments.parse(USAGE, List.of("--only", "--kill", "--kill-encrypted", "--replay"), arguments);
    if (given.others().containsKey("--only")) {
      System.setProperty("torture.only", given.others().get("--only"));
    }
    if (given.others().containsKey("--replay")) {
      runCase(Path.of(given.others().get("--replay")).toAbsolutePath(), 10).exit();
    } else if (given.others().containsKey("--kill")) {
      kill(given, "--kill", false);
    } else if (given.others().containsKey("--kill-encrypted")) {
      kill(given, "--kill-encrypted", true);
    } else {
      given.print();
      new Torture(given.seed(), given.time(), given.shrinking(Duration.ofMinutes(3))).run().exit();
    }
  }

  private static void kill(RunArguments given, String option, boolean isEncrypted) throws Exception {
    int rounds = Integer.parseInt(given.others().get(option));
    System.out.println("seed " + given.seed() + ": " + KillLoop.run(rounds, given.seed(), isEncrypted));
  }

  RunOutcome run() throws IOException {
    ChildJvm.Finished child =
        inChild(time.plus(GRACE), "run", String.valueOf(time.toSeconds()), String.valueOf(seed));
    if (hasSurvived(child)) {
      return new RunOutcome(true, CaseLines.without(child.output()));
    }
    String failure = CaseLines.failure(child);
    OptionalLong last = CaseLines.last(child.output());
    if (last.isEmpty()) {
      return new RunOutcome(false, failure);
    }
    long failed = last.getAsLong();
    return new RunOutcome(false, "The case of seed " + failed + " fails.\n" + failure + shrink(Case.of(failed)));
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

  private String shrink(Case failing) throws IOException {
    Path file = Path.of("torture.case").toAbsolutePath();
    if (shrinking.isZero()) {
      failing.write(file);
      return "It is written down in " + file + ": ./torture --replay " + file;
    }
    Path candidate = Files.createTempFile("torture", ".case");
    try {
      Case smallest = failing.smallest(one -> fails(one, candidate), shrinking);
      smallest.write(file);
      RunOutcome again = runCase(file, 10);
      return "\nOf its %d steps %d are left, one line a client, in %s (./torture --replay %s)%n%s%s"
          .formatted(
              failing.steps(),
              smallest.steps(),
              file,
              file,
              smallest.steps() <= MOST_SHOWN ? smallest : "",
              again.survived() ? "" : again.report());
    } finally {
      Files.delete(candidate);
    }
  }

  private static boolean fails(Case one, Path file) {
    try {
      one.write(file);
      return !runCase(file, ATTEMPTS).survived();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Runs a case several times, because a race may not occur each time. */
  private static RunOutcome runCase(Path file, int attempts) throws IOException {
    for (int i = 0; i < attempts; i++) {
      ChildJvm.Finished child = inChild(CASE, "case", file.toString());
      if (!hasSurvived(child)) {
        return new RunOutcome(false, CaseLines.failure(child));
      }
    }
    return new RunOutcome(true, "It went well " + attempts + " times.");
  }
}
