/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.compat.torture.steps;


import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/** Minimizes a failing case by leaving out steps while it still fails. */
public final class Shrinker {
  private final Predicate<Case> fails;
  private final long end;

  public Shrinker(Predicate<Case> fails, Duration most) {
    this.fails = fails;
    end = System.nanoTime() + most.toNanos();
  }

  public Case shrink(Case failing) {
    Case smallest = failing;
    for (int part = Math.max(1, failing.steps().size() / 2); part >= 1 && inTime(); part /= 2) {
      smallest = withoutParts(smallest, part);
    }
    return smallest;
  }

  private boolean inTime() {
    return System.nanoTime() < end;
  }

  /** Starts at the end, where most unneeded steps are. */
  private Case withoutParts(Case failing, int part) {
    Case smallest = failing;
    for (int to = smallest.steps().size(); to > 0 && inTime(); to -= part) {
      List<Step> steps = new ArrayList<>(smallest.steps());
      steps.subList(Math.max(0, to - part), to).clear();
      Case without = new Case(steps);
      smallest = fails.test(without) ? without : smallest;
    }
    return smallest;
  }
}
