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
 * Operations of several clients. It is linearizable if the answers are those of a register for each key to which all
 * operations came one after another, each between its start and its end. That is decided exactly, by a search over the
 * sets of operations that can have come first (Wing and Gong), which visits each set with each value once (Lowe).
 */
record History(List<Operation> operations) {
  /** Operations that came first, by their places, and the value that they left. */
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

  /** The operations on those keys that have no such order. */
  Map<String, List<Operation>> violations() {
    Map<String, List<Operation>> keys =
        operations.stream()
            .sorted(Comparator.comparingLong(Operation::start))
            .collect(Collectors.groupingBy(Operation::key, TreeMap::new, Collectors.toList()));
    keys.values().removeIf(History::isLinearizable);
    return keys;
  }

  /** All operations are on one key, and in the order of their starts. */
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
   * Adds the prefixes that have one operation more: any that started before each of the others that are left had ended.
   * Returns false if none of those that are left was answered, so that they may never have taken effect.
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
