/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.torture.options;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import org.rocksdbffm.tools.ChildJvm;
import org.rocksdbffm.torture.runs.CaseLines;
import org.rocksdbffm.torture.runs.RunArguments;
import org.rocksdbffm.torture.runs.RunOutcome;
import org.rocksdbffm.torture.runs.Shrinker;
import org.rocksdbffm.torture.world.Folders;

/**
 * Tests every option of the engine in child JVMs, which may crash: separately and in combinations, at its bounds and
 * beyond, when a database is created, while it is open, when it is reopened, and read-only. Arguments:
 * {@code --minutes N} (or {@code --seconds N}), {@code --seed S}, {@code --shrink N} for the seconds to shrink,
 * {@code --replay FILE} for a saved case, {@code --unchecked NAMES} for options to set without the library's checks,
 * {@code *} for all.
 */
public final class OptionTorture {
  private static final String USAGE =
      "./torture --options [--minutes N | --seconds N] [--seed S] [--shrink SECONDS] [--unchecked NAMES] "
          + "[--replay FILE]";
  private static final Pattern REFUSED = Pattern.compile("refused (\\d+) x (.*)");
  private static final Duration GRACE = Duration.ofMinutes(3);

  /** Limits the cases of a JVM, because the engine's threads that options created stay until it exits. */
  private static final Duration MOST_OF_A_CHILD = Duration.ofSeconds(60);

  private static final String[] HEAPS = {"-Xmx256m", "-Xmx256m", "-Xmx64m"};

  private final Duration shrinking;
  private final String unchecked;
  private final List<String> findings = new ArrayList<>();
  private final Map<String, Long> refusals = new TreeMap<>();
  private long cases;
  private int children;

  OptionTorture(Duration shrinking, String unchecked) {
    this.shrinking = shrinking;
    this.unchecked = unchecked;
  }

  public static void main(String[] arguments) throws IOException {
    RunArguments given = RunArguments.parse(USAGE, List.of("--unchecked", "--replay"), arguments);
    OptionTorture torture =
        new OptionTorture(given.shrinking(Duration.ofMinutes(1)), given.others().getOrDefault("--unchecked", ""));
    String replayed = given.others().get("--replay");
    if (replayed != null) {
      ChildJvm.Finished child = torture.runCase(Path.of(replayed).toAbsolutePath());
      boolean survived = hasSurvived(child);
      new RunOutcome(survived, survived ? "It went well." : CaseLines.failure(child)).exit();
    }
    given.print();
    torture.run(given.seed(), given.time()).exit();
  }

  RunOutcome run(long seed, Duration time) throws IOException {
    long end = System.nanoTime() + time.toNanos();
    long next = seed;
    while (System.nanoTime() < end) {
      long seconds = Math.min(MOST_OF_A_CHILD.toSeconds(), 1 + Duration.ofNanos(end - System.nanoTime()).toSeconds());
      ChildJvm.Finished child = inChild("run", String.valueOf(seconds), String.valueOf(next));
      count(child.output());
      long reached = CaseLines.last(child.output()).orElse(next);
      next = reached + 1;
      if (!hasSurvived(child)) {
        findings.add("The case of seed " + reached + " fails.\n" + CaseLines.failure(child) + shrink(reached));
        System.out.println(findings.getLast());
      }
    }
    return new RunOutcome(findings.isEmpty(), report());
  }

  private void count(String output) {
    cases += CaseLines.count(output);
    REFUSED.matcher(output).results().forEach(
        found -> refusals.merge(found.group(2), Long.parseLong(found.group(1)), Long::sum));
  }

  private String report() {
    StringBuilder text = new StringBuilder();
    refusals.forEach((kind, count) -> text.append("  %9d x %s%n".formatted(count, kind)));
    text.append("%d cases in %d JVMs, %d failed%n".formatted(cases, children, findings.size()));
    return text.toString();
  }

  private ChildJvm.Finished inChild(String... arguments) throws IOException {
    Path folder = Folders.create();
    String heap = HEAPS[children++ % HEAPS.length];
    try (ChildJvm.Running running =
        ChildJvm.of(OptionChild.class)
            .with(heap, "-Dtorture.folder=" + folder, "-Dtorture.options.unchecked=" + unchecked)
            .within(MOST_OF_A_CHILD.plus(GRACE))
            .start(arguments)) {
      try {
        return running.await();
      } catch (AssertionError hangs) {
        return new ChildJvm.Finished(Progress.HANGS, running.output() + hangs.getMessage(), "");
      }
    } finally {
      Folders.delete(folder);
    }
  }

  static boolean hasSurvived(ChildJvm.Finished child) {
    return child.exitCode() == 0 && child.crashReport().isEmpty() && child.output().contains(OptionChild.ENDS);
  }

  private String shrink(long seed) throws IOException {
    OptionCase failing = OptionCase.of(seed, KnownOption.named(unchecked));
    Path file = Path.of("options-" + seed + ".case").toAbsolutePath();
    OptionCase smallest = smallest(failing, one -> fails(one, file), shrinking);
    smallest.write(file);
    return "It is written down in " + file + " (./torture --options --replay " + file + "):\n" + smallest;
  }

  /** Omits options, and steps at the end. */
  static OptionCase smallest(OptionCase failing, Predicate<OptionCase> fails, Duration most) {
    Shrinker<OptionCase> shrinker = new Shrinker<>(fails, most);
    OptionCase fewest = shrinker.shrink(failing, OptionCase::settings, OptionCase::with);
    return shrinker.shrink(fewest, one -> one.withSteps(Math.max(1, one.steps() / 2)));
  }

  private boolean fails(OptionCase one, Path file) {
    try {
      one.write(file);
      return !hasSurvived(runCase(file));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  ChildJvm.Finished runCase(Path file) throws IOException {
    return inChild("case", file.toString());
  }
}
