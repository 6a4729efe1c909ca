/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.jmh.run.report;

import java.util.List;
import org.rocksdbffm.jmh.run.plan.Cell;
import org.rocksdbffm.jmh.run.plan.Engine;
import org.rocksdbffm.jmh.run.plan.Group;

/** The table of goals: the targeted speed relative to rocksdbjni, and the measured speed of this library and C. */
public final class Goals {
  private record Goal(Group group, String row, int size, double ratio) {}

  private static final List<Goal> GOALS =
      List.of(
          new Goal(Group.GET, "pinned", 4096, 1.2),
          new Goal(Group.GET, "pinned", 65536, 2.8),
          new Goal(Group.GET, "pinned, under writes, p99.9", 4096, 1),
          new Goal(Group.SCAN, "forward", 100, 1.6),
          new Goal(Group.SCAN, "forward", 4096, 1.9),
          new Goal(Group.SCAN, "forward", 65536, 3.5),
          new Goal(Group.MULTIGET, "list of 100", 100, 1.3),
          new Goal(Group.MULTIGET, "pinned of 100", 65536, 3),
          new Goal(Group.WRITE, "batch of 100", 100, 1.2),
          new Goal(Group.CALLBACK, "get, Java comparator", 0, 4));

  private final List<Result> results;

  public Goals(List<Result> results) {
    this.results = results;
  }

  public String markdown() {
    StringBuilder text = new StringBuilder("| row | size | goal | ffm | native | |\n|:--|:--|--:|--:|--:|:--|\n");
    for (Goal goal : GOALS) {
      Result result = result(goal, Engine.FFM);
      if (result != null && result.vsJni() != null) {
        text.append(line(goal, result, result(goal, Engine.NATIVE)));
      }
    }
    return text.toString();
  }

  private static String line(Goal goal, Result result, Result natives) {
    return "| %s: %s | %s | %s | %s | %s | %s |\n"
        .formatted(
            goal.group().id(),
            goal.row(),
            Cell.sizeText(goal.size()),
            ResultTable.ratio(goal.ratio()),
            ResultTable.vsJni(result),
            natives == null ? "" : ResultTable.vsJni(natives),
            outcome(goal.ratio(), result, natives));
  }

  private static String outcome(double goal, Result result, Result natives) {
    if (result.vsJni() >= goal) {
      return "reached";
    }
    if (natives != null && natives.vsJniHigh() < goal) {
      return "not by C either";
    }
    return result.vsJniHigh() >= goal ? "within the spread" : "missed";
  }

  private Result result(Goal goal, Engine engine) {
    return Result.find(results, goal.group(), goal.row(), goal.size(), engine);
  }
}
