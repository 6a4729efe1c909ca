/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.scan;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.function.Predicate;

/** Merges sorted sources of rows; each source has a current row. Not thread-safe. */
public final class MergeQueue<S> {
  private final Predicate<S> moves;
  private final List<Entry<S>> unread = new ArrayList<>();
  private final PriorityQueue<Entry<S>> waiting;

  // The source of the last row, which moves before the next one is chosen; null if there is none.
  private Entry<S> last;

  /** A source; {@code number} orders equal rows. */
  private record Entry<S>(int number, S source) {}

  /**
   * Creates a queue of sources that are positioned before their first row.
   *
   * @param order compares the current rows of two sources
   * @param moves moves a source to its next row, and returns whether there is one
   */
  public MergeQueue(List<S> sources, Comparator<S> order, Predicate<S> moves) {
    this.moves = moves;
    waiting = new PriorityQueue<>(Comparator.comparing((Entry<S> entry) -> entry.source, order).thenComparing(Entry::number));
    for (S source : sources) {
      unread.add(new Entry<>(unread.size(), source));
    }
  }

  /** Returns the source whose current row is the next row; null after the last row. */
  public S next() {
    unread.forEach(this::move);
    unread.clear();
    if (last != null) {
      move(last);
    }
    last = waiting.poll();
    return last == null ? null : last.source;
  }

  private void move(Entry<S> entry) {
    if (moves.test(entry.source)) {
      waiting.add(entry);
    }
  }
}
