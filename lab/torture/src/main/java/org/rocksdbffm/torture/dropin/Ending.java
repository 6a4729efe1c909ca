/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.torture.dropin;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.rocksdbffm.torture.dropin.steps.CallStep;
import org.rocksdbffm.torture.dropin.steps.StepLog;
import org.rocksdbffm.torture.dropin.steps.Watchdog;

/**
 * The end of a child process.
 *
 * @param killed why the parent ended it, or empty
 * @param log the lines of its {@link StepLog}
 */
record Ending(int exit, String killed, String output, String crash, List<String> log) {
  private static final Pattern FRAME = Pattern.compile("# Problematic frame:\n# (.*)");
  private static final Pattern SAID =
      Pattern.compile("(?m)^(?:" + DropInChild.SAYS_WRONG + "|" + Watchdog.SAYS + "|terminate called|  what\\(\\)|ODD: "
          + "|double free|free\\(\\)|malloc|corrupted|munmap|.*Assertion).*$");

  private static final int MOST_SAID = 250;

  boolean isGood() {
    return exit == 0 && killed.isEmpty() && crash.isEmpty() && output.contains(DropInChild.SURVIVED)
        && !output.contains("ODD: ");
  }

  /** Returns a text that identifies the cause: two endings with the same text most likely have the same cause. */
  String kind() {
    return isGood() ? "good" : withoutNumbers(kindOfBad());
  }

  /** Returns a message without the numbers and addresses that differ between runs. */
  static String withoutNumbers(String said) {
    String same =
        said.replaceAll("0x[0-9a-f]+", "0x").replaceAll("\\$\\w+|\\d{3,}", "N").replaceAll("has \\{.*", "...");
    return same.length() > MOST_SAID ? same.substring(0, MOST_SAID) : same;
  }

  private String kindOfBad() {
    Matcher frame = FRAME.matcher(crash);
    if (frame.find()) {
      return "crash in " + frame.group(1).strip() + last();
    }
    List<String> said = new ArrayList<>();
    Matcher line = SAID.matcher(output);
    while (line.find() && said.size() < 2) {
      said.add(line.group().strip());
    }
    String reason = killed.isEmpty() ? "exit " + exit : killed;
    return said.isEmpty() || !said.get(0).startsWith(Watchdog.SAYS) && !said.get(0).startsWith("ODD")
        ? reason + " " + said + last()
        : said.get(0).replaceAll("HANGS: \\d+ \\d+", "hangs:").replaceAll(" [\\[x\"#%<].*", "");
  }

  private String last() {
    return unfinished().stream().map(step -> ", in " + step.member()).reduce("", String::concat);
  }

  List<CallStep> unfinished() {
    Map<String, CallStep> open = new LinkedHashMap<>();
    for (String line : log) {
      if (line.startsWith(StepLog.CASE)) {
        open.clear();
      } else if (line.startsWith(StepLog.OUTCOME)) {
        open.remove(line.split(" ")[1]);
      } else if (!line.startsWith(StepLog.WROTE) && line.indexOf(' ') > 0) {
        open.put(line.split(" ")[1], CallStep.parse(line));
      }
    }
    return List.copyOf(open.values());
  }

  /** Returns the last output, for a report. */
  String report() {
    String report = crash.lines().limit(90).reduce("", (a, b) -> a + b + "\n");
    List<String> lines = output.lines().toList();
    return "exit " + exit + " " + killed + "\n"
        + String.join("\n", lines.subList(Math.max(0, lines.size() - 80), lines.size())) + "\n" + report;
  }
}
