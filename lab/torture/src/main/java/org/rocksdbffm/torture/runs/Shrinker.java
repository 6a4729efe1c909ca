/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.torture.runs;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;

/** Minimizes a failing case, as long as it still fails and time is left. */
public final class Shrinker<C> {
  private final Predicate<C> fails;
  private final long end;

  public Shrinker(Predicate<C> fails, Duration most) {
    this.fails = fails;
    end = System.nanoTime() + most.toNanos();
  }

  /**
   * Omits parts of a case: first half of the parts, at last single parts, starting at the end, where most irrelevant
   * parts are.
   *
   * @param with returns a case with other parts
   */
  public <P> C shrink(C failing, Function<C, List<P>> parts, BiFunction<C, List<P>, C> with) {
    C smallest = failing;
    for (int size = Math.max(1, parts.apply(failing).size() / 2); size >= 1; size /= 2) {
      for (int to = parts.apply(smallest).size(); to > 0; to -= size) {
        List<P> fewer = new ArrayList<>(parts.apply(smallest));
        fewer.subList(Math.max(0, to - size), to).clear();
        smallest = smallerOf(smallest, with.apply(smallest, fewer));
      }
    }
    return smallest;
  }

  /** Applies a step repeatedly, until it returns the same case because no smaller one fails. */
  public C shrink(C failing, UnaryOperator<C> step) {
    C smallest = failing;
    C next = smallerOf(smallest, step.apply(smallest));
    while (!next.equals(smallest)) {
      smallest = next;
      next = smallerOf(smallest, step.apply(smallest));
    }
    return smallest;
  }

  private C smallerOf(C failing, C smaller) {
    return System.nanoTime() < end && !smaller.equals(failing) && fails.test(smaller) ? smaller : failing;
  }
}
