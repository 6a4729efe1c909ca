/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.torture.options;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.rocksdbffm.torture.options.OptionCase.Setting;

/** Removes options, and steps at the end, from a failing case, as long as it still fails. */
final class OptionShrinker {
  private final Predicate<OptionCase> fails;
  private final long end;

  OptionShrinker(Predicate<OptionCase> fails, Duration most) {
    this.fails = fails;
    this.end = System.nanoTime() + most.toNanos();
  }

  OptionCase shrink(OptionCase failing) {
    OptionCase smallest = failing;
    for (int i = smallest.settings().size() - 1; i >= 0 && inTime(); i--) {
      List<Setting> fewer = new ArrayList<>(smallest.settings());
      fewer.remove(i);
      smallest = smallerOf(smallest, smallest.with(fewer));
    }
    for (int steps = smallest.steps() / 2; steps > 0 && inTime(); steps /= 2) {
      OptionCase shorter = smallest.withSteps(steps);
      if (!fails.test(shorter)) {
        break;
      }
      smallest = shorter;
    }
    return smallest;
  }

  private boolean inTime() {
    return System.nanoTime() < end;
  }

  private OptionCase smallerOf(OptionCase failing, OptionCase smaller) {
    return fails.test(smaller) ? smaller : failing;
  }
}
