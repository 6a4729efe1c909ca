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
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.rocksdbffm.tools.ChildJvm;
import org.rocksdbffm.torture.world.Folders;

/**
 * Tests every option of the engine in child JVMs, which may crash: alone and in combinations, at its bounds and beyond,
 * when a database is created, while it is open, when it is reopened, and read-only. Arguments: {@code --minutes N} (or
 * {@code --seconds N}), {@code --seed S}, {@code --shrink N} for the seconds to shrink, {@code --replay FILE} for a
 * saved case, {@code --unchecked NAMES} for options to set without the library's checks, {@code *} for all.
 */
public final class OptionTorture {
  private static final Pattern LAST_CASE = Pattern.compile("(?s).*" + OptionChild.BEGINS + "(-?\\d+)\n.*");
  private static final Pattern CASE = Pattern.compile(OptionChild.BEGINS + "-?\\d+\n");
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
    long seed = System.nanoTime();
    Duration time = Duration.ofMinutes(1);
    Duration shrinking = Duration.ofMinutes(1);
    String unchecked = "";
    String replayed = null;
    for (int i = 0; i + 1 < arguments.length; i += 2) {
      String value = arguments[i + 1];
      switch (arguments[i]) {
        case "--minutes" -> time = Duration.ofMinutes(Long.parseLong(value));
        case "--seconds" -> time = Duration.ofSeconds(Long.parseLong(value));
        case "--seed" -> seed = Long.parseLong(value);
        case "--shrink" -> shrinking = Duration.ofSeconds(Long.parseLong(value));
        case "--unchecked" -> unchecked = value;
        case "--replay" -> replayed = value;
        default -> {
          System.err.println(
              "./torture --options [--minutes N | --seconds N] [--seed S] [--shrink SECONDS] [--unchecked NAMES] "
                  + "[--replay FILE]");
          System.exit(2);
        }
      }
    }
    OptionTorture torture = new OptionTorture(shrinking, unchecked);
    if (replayed != null) {
      ChildJvm.Finished child = torture.runCase(Path.of(replayed).toAbsolutePath());
      System.out.println(hasSurvived(child) ? "It went well." : failureOf(child));
      System.exit(hasSurvived(child) ? 0 : 1);
    }
    System.out.println("seed " + seed + ", " + time);
    Outcome outcome = torture.run(seed, time);
    System.out.println(outcome.report);
    System.exit(outcome.survived ? 0 : 1);
  }

  /** The outcome of a run: its report, and whether all cases succeeded. */
  record Outcome(boolean survived, String report) {}

  Outcome run(long seed, Duration time) throws IOException {
    long end = System.nanoTime() + time.toNanos();
    long next = seed;
    while (System.nanoTime() < end) {
      long seconds = Math.min(MOST_OF_A_CHILD.toSeconds(), 1 + Duration.ofNanos(end - System.nanoTime()).toSeconds());
      ChildJvm.Finished child = inChild("run", String.valueOf(seconds), String.valueOf(next));
      count(child.output());
      Matcher last = LAST_CASE.matcher(child.output());
      long reached = last.matches() ? Long.parseLong(last.group(1)) : next;
      next = reached + 1;
      if (!hasSurvived(child)) {
        findings.add("The case of seed " + reached + " fails.\n" + failureOf(child) + shrink(reached));
        System.out.println(findings.getLast());
      }
    }
    return new Outcome(findings.isEmpty(), report());
  }

  private void count(String output) {
    cases += CASE.matcher(output).results().count();
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

  private static String failureOf(ChildJvm.Finished child) {
    String crash = child.crashReport().lines().limit(60).reduce("", (a, b) -> a + b + "\n");
    String output = CASE.matcher(child.output()).replaceAll("");
    return "exit " + child.exitCode() + "\n" + output + crash;
  }

  private String shrink(long seed) throws IOException {
    OptionCase failing = OptionCase.of(seed, KnownOption.named(unchecked));
    Path file = Path.of("options-" + seed + ".case").toAbsolutePath();
    OptionCase smallest = new OptionShrinker(smaller -> fails(smaller, file), shrinking).shrink(failing);
    smallest.write(file);
    return "It is written down in " + file + " (./torture --options --replay " + file + "):\n" + smallest;
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
