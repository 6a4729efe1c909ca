/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.torture.runs;

import java.util.OptionalLong;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.rocksdbffm.tools.ChildJvm;

/** The lines with which a child names the seed of each case before the case starts. */
public final class CaseLines {
  private static final Pattern LINE = Pattern.compile("case of seed (-?\\d+)\n");
  private static final int MOST_LINES_OF_A_CRASH = 120;

  private CaseLines() {}

  public static void print(long seed) {
    System.out.println("case of seed " + seed);
  }

  public static long count(String output) {
    return LINE.matcher(output).results().count();
  }

  /** Returns the seed of the last case that started. */
  public static OptionalLong last(String output) {
    return LINE.matcher(output).results()
        .map(MatchResult::group)
        .mapToLong(line -> Long.parseLong(line.replaceAll("[^-\\d]", "")))
        .reduce((_, seed) -> seed);
  }

  public static String without(String output) {
    return LINE.matcher(output).replaceAll("");
  }

  /** Returns the exit code, the output and the crash report of a child that failed. */
  public static String failure(ChildJvm.Finished child) {
    String crash =
        child.crashReport().lines().limit(MOST_LINES_OF_A_CRASH).reduce("", (all, line) -> all + line + "\n");
    return "exit " + child.exitCode() + "\n" + without(child.output()) + crash;
  }
}
