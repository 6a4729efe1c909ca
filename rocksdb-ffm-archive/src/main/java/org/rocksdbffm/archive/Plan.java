/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.archive;

import java.io.IOException;
import java.time.Instant;
import java.util.List;
import java.util.function.Predicate;

/**
 * The base and the entries that a state consists of.
 *
 * @param last index of the last entry
 * @param cut writes after this sequence number are left out
 */
record Plan(long base, BaseFiles files, long last, long cut) {
  /**
   * Finds a state.
   *
   * @throws IllegalArgumentException if the archive has no such state
   */
  static Plan of(Chain chain, long end, Target target) throws IOException {
    Bases bases = new Bases(chain, end);
    List<Long> newestFirst = bases.indexes().reversed();
    for (long base : newestFirst) {
      Plan plan = of(chain, end, bases.firstKept(), base, target);
      if (plan != null) {
        return plan;
      }
    }
    if (newestFirst.isEmpty()) {
      throw new IllegalArgumentException(
          "the archive has no complete base yet, so nothing can be restored: let an archiver run until its first "
              + "base is stored");
    }
    throw new IllegalArgumentException(
        "the archive has no state at " + text(target) + ": the oldest base is of "
            + Instant.ofEpochMilli(chain.head(newestFirst.getLast()).millis()) + " with writes up to number "
            + BaseFiles.read(chain.require(newestFirst.getLast())).sequence() + ", and the newest state has writes up to number "
            + of(chain, end, Target.newest()).cut);
  }

  private static String text(Target target) {
    return switch (target) {
      case Target.Newest _ -> "the end";
      case Target.Sequence sequence -> "the sequence number " + sequence.number();
      case Target.Time time -> time.instant().toString();
    };
  }

  /** Returns the state if it is of the line of a base; null otherwise. */
  private static Plan of(Chain chain, long end, long firstKept, long base, Target target) throws IOException {
    Entry.Head head = chain.head(base);
    Entry.Head line = head == null ? null : chain.head(head.line());
    if (line != null && isBefore(line, target)) {
      return null;
    }
    Entry entry = chain.require(base);
    BaseFiles files = BaseFiles.read(entry);
    long lineOfBase = entry.head().line();
    long newest = base < firstKept ? base : last(chain, base, end, each -> each.line() <= lineOfBase);
    long from = Math.min(files.firstEntry(), base);
    return switch (target) {
      case Target.Newest _ -> new Plan(base, files, newest, chain.head(newest).sequence());
      case Target.Sequence sequence -> {
        long number = sequence.number();
        if (number < files.sequence() || number > chain.head(newest).sequence()) {
          yield null;
        }
        boolean isFirst = chain.head(from).sequence() >= number;
        long before = isFirst ? from - 1 : last(chain, from, newest, each -> each.sequence() < number);
        yield new Plan(base, files, before + 1, number);
      }
      case Target.Time time -> {
        long millis = time.instant().toEpochMilli();
        if (chain.head(from).millis() > millis) {
          yield null;
        }
        long last = last(chain, from, newest, each -> each.millis() <= millis);
        long number = chain.head(last).sequence();
        yield number < files.sequence() ? null : new Plan(base, files, last, number);
      }
    };
  }

  private static boolean isBefore(Entry.Head line, Target target) {
    return switch (target) {
      case Target.Newest _ -> false;
      case Target.Sequence sequence -> sequence.number() < line.sequence();
      case Target.Time time -> time.instant().toEpochMilli() < line.millis();
    };
  }

  /**
   * Returns the index of the last entry of a range that fulfills a condition, which a first part of the range fulfills
   * and the rest does not.
   */
  private static long last(Chain chain, long from, long until, Predicate<Entry.Head> condition) throws IOException {
    long low = from;
    long high = until;
    while (low < high) {
      long middle = (low + high + 1) >>> 1;
      Entry.Head head = chain.head(middle);
      if (head == null) {
        throw new Damage(Chain.name(middle), "it is missing");
      }
      if (condition.test(head)) {
        low = middle;
      } else {
        high = middle - 1;
      }
    }
    return low;
  }
}
