/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.clients.raft;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * The operations of several clients. The history is linearizable if, for each key, there is an order of its operations,
 * each between its start and its end, in which a register gives the same replies. The check is exact: it searches the
 * sets of operations that can start such an order (Wing and Gong), and visits each set and value once (Lowe).
 */
record History(List<Operation> operations) {
  /** The first operations of an order, by index, and the register's value after them. */
  private record Prefix(BitSet places, long value) {
    Prefix with(int place, long newValue) {
      BitSet more = (BitSet) places.clone();
      more.set(place);
      return new Prefix(more, newValue);
    }
  }

  static History parse(String lines) {
    return new History(lines.lines().filter(line -> !line.isBlank()).map(Operation::parse).toList());
  }

  /** Returns the operations on keys without such an order. */
  Map<String, List<Operation>> violations() {
    Map<String, List<Operation>> keys =
        operations.stream()
            .sorted(Comparator.comparingLong(Operation::start))
            .collect(Collectors.groupingBy(Operation::key, TreeMap::new, Collectors.toList()));
    keys.values().removeIf(History::isLinearizable);
    return keys;
  }

  /** Checks the operations on one key, sorted by start. */
  private static boolean isLinearizable(List<Operation> register) {
    Prefix none = new Prefix(new BitSet(), Operation.ABSENT);
    Set<Prefix> visited = new HashSet<>(Set.of(none));
    Deque<Prefix> open = new ArrayDeque<>(visited);
    while (!open.isEmpty()) {
      List<Prefix> longer = new ArrayList<>();
      if (!lengthen(open.pop(), register, longer)) {
        return true;
      }
      longer.stream().filter(visited::add).forEach(open::push);
    }
    return false;
  }

  /**
   * Adds the prefixes with one more operation: any operation that started before the first end of the remaining
   * operations. Returns false if no remaining operation had a reply, so that they may never have taken effect.
   */
  private static boolean lengthen(Prefix prefix, List<Operation> register, List<Prefix> longer) {
    long firstEnd = Operation.NEVER;
    int place = prefix.places.nextClearBit(0);
    while (place < register.size() && register.get(place).start() <= firstEnd) {
      Operation operation = register.get(place);
      firstEnd = Math.min(firstEnd, operation.end());
      OptionalLong after = operation.after(prefix.value);
      if (after.isPresent()) {
        longer.add(prefix.with(place, after.getAsLong()));
      }
      place = prefix.places.nextClearBit(place + 1);
    }
    return firstEnd != Operation.NEVER;
  }

  @Override
  public String toString() {
    return operations.stream().map(Operation::toString).collect(Collectors.joining("\n", "", "\n"));
  }
}
