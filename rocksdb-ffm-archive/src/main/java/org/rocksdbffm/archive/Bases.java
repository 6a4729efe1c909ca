/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.archive;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;

/** The bases of an archive up to an entry. */
final class Bases {
  private final TreeSet<Long> indexes = new TreeSet<>();
  private final long firstKept;

  Bases(Chain chain, long end) throws IOException {
    Entry.Head newest = chain.head(end);
    Prune last = newest == null ? null : Prune.newest(chain, newest);
    firstKept = last == null ? 1 : last.firstKept();
    if (last != null) {
      indexes.addAll(last.bases());
    }
    long base = newest == null ? 0 : newest.kind() == Entry.Kind.BASE ? end : newest.base();
    while (base >= firstKept) {
      Entry.Head head = chain.head(base);
      if (head == null) {
        throw new Damage(Chain.name(base), "it is missing");
      }
      indexes.add(base);
      base = head.base();
    }
  }

  /** Returns the indexes of the bases, in ascending order. */
  List<Long> indexes() {
    return new ArrayList<>(indexes);
  }

  /** Returns the index of the first entry from which on no entry was deleted. */
  long firstKept() {
    return firstKept;
  }
}
