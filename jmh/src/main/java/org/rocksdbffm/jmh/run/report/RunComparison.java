/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.jmh.run.report;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.rocksdbffm.jmh.run.plan.Cell;

/**
 * Reports the results that got slower or faster since an older run on the same machine. Prints the ratio to C, too: if
 * C changed as well, the machine is the cause.
 */
public final class RunComparison {
  private static final double NOTABLE = 1.05;

  private final Map<Result.Id, Result> old = new HashMap<>();
  private final StringBuilder text = new StringBuilder();
  private int compared;
  private int slower;

  public RunComparison(List<Result> older, List<Result> newer) {
    older.forEach(result -> old.put(result.id(), result));
    newer.forEach(this::compare);
  }

  /** Reports a change if the spreads do not overlap, and if it is large enough. */
  private void compare(Result now) {
    Result before = old.get(now.id());
    if (before == null) {
      return;
    }
    compared++;
    if (now.nsLow() > before.nsHigh() && now.ns() > before.ns() * NOTABLE) {
      slower++;
      print("slower", before, now);
    } else if (now.nsHigh() < before.nsLow() && before.ns() > now.ns() * NOTABLE) {
      print("faster", before, now);
    }
  }

  private void print(String what, Result before, Result now) {
    String atSize = now.size() == 0 ? "" : ", " + Cell.sizeText(now.size());
    String byThreads = now.threads() == 1 ? "" : ", " + now.threads() + " threads";
    text.append(
        "%s: %s, %s%s%s, %s: %s ns (%s to %s), was %s ns (%s to %s)%s%n"
            .formatted(
                what, now.group(), now.row(), atSize, byThreads, now.engine(), ResultTable.number(now.ns()),
                ResultTable.number(now.nsLow()), ResultTable.number(now.nsHigh()), ResultTable.number(before.ns()),
                ResultTable.number(before.nsLow()), ResultTable.number(before.nsHigh()), distance(before, now)));
  }

  private static String distance(Result before, Result now) {
    if (before.vsNative() == null || now.vsNative() == null) {
      return "";
    }
    return "; against native %s, was %s".formatted(ResultTable.ratio(now.vsNative()),
        ResultTable.ratio(before.vsNative()));
  }

  public int slower() {
    return slower;
  }

  @Override
  public String toString() {
    return text + "%d of %d figures got slower beyond both spreads and %d %%.%n"
        .formatted(slower, compared, Math.round((NOTABLE - 1) * 100));
  }
}
