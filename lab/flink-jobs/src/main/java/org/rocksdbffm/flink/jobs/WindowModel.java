/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.flink.jobs;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.LongPredicate;
import java.util.stream.Collectors;
import java.util.stream.LongStream;

/** The expected results of {@link Windows}, computed from lists in memory, without Flink. */
final class WindowModel {
  private final Map<Long, long[]> totals = new TreeMap<>();

  /** Returns the final output of each key after a number of events, which is a multiple of a block. */
  static Map<Long, String> results(long events) {
    WindowModel model = new WindowModel();
    LongStream.range(0, events)
        .map(event -> event ^ Windows.BLOCK - 1)
        .boxed()
        .collect(Collectors.groupingBy(Windows::key))
        .forEach(model::addKey);
    Map<Long, String> results = new TreeMap<>();
    model.totals.forEach((key, total) -> results.put(key, total[0] + " " + total[1]));
    return results;
  }

  private void addKey(long key, List<Long> events) {
    addTimes(key, events);
    addSessions(key, events.stream().sorted().toList());
    for (int at = 0; at + Windows.COUNT <= events.size(); at += Windows.COUNT) {
      add(6, key, Windows.window(0, inOrder(events.subList(at, at + Windows.COUNT))));
    }
    for (long left : events) {
      if (left % 2 == 0) {
        addPairs(7, key, left, events, right -> right >= left - Windows.BEFORE && right <= left + Windows.AFTER);
        addPairs(8, key, left, events, right -> right / Windows.TUMBLING == left / Windows.TUMBLING);
        addPairs(9, key, left, events, right -> true);
      }
    }
  }

  private void addTimes(long key, List<Long> events) {
    windows(events, Windows.TUMBLING, Windows.TUMBLING).forEach((start, found) -> {
      long end = end(start, start + Windows.TUMBLING);
      add(0, key, Windows.window(end, sum(found)));
      add(5, key,
          Windows.window(end, inOrder(found.subList(Math.max(0, found.size() - Windows.EVICTED_TO), found.size()))));
    });
    windows(events, Windows.SLIDING, Windows.SLIDE)
        .forEach((start, found) -> add(1, key, Windows.window(end(start, start + Windows.SLIDING), inOrder(found))));
    windows(events, Windows.LARGE, Windows.LARGE)
        .forEach((start, found) -> add(4, key, Windows.window(end(start, start + Windows.LARGE), inOrder(found))));
  }

  private static Map<Long, List<Long>> windows(List<Long> events, long size, long slide) {
    Map<Long, List<Long>> windows = new HashMap<>();
    for (long event : events) {
      for (long start = event / slide * slide; start > event - size; start -= slide) {
        windows.computeIfAbsent(start, first -> new ArrayList<>()).add(event);
      }
    }
    return windows;
  }

  private void addSessions(long key, List<Long> sorted) {
    int first = 0;
    for (int next = 1; next <= sorted.size(); next++) {
      if (next == sorted.size() || sorted.get(next) - sorted.get(next - 1) > Windows.GAP) {
        long end = end(sorted.get(first), sorted.get(next - 1) + Windows.GAP);
        add(2, key, Windows.window(end, sum(sorted.subList(first, next))));
        add(3, key, Windows.window(end, sum(sorted.subList(first, next))));
        first = next;
      }
    }
  }

  private void addPairs(int kind, long key, long left, List<Long> events, LongPredicate matches) {
    for (long right : events) {
      if (right % 2 != 0 && matches.test(right)) {
        add(kind, key, Windows.pair(left, right));
      }
    }
  }

  private static long end(long start, long end) {
    return SpreadNumber.of(start) + end;
  }

  private static long sum(List<Long> events) {
    return events.stream().mapToLong(SpreadNumber::of).sum();
  }

  private static long inOrder(List<Long> events) {
    long content = 0;
    for (long event : events) {
      content = Windows.inOrder(content, event);
    }
    return content;
  }

  private void add(int kind, long key, long number) {
    long[] total = totals.computeIfAbsent(kind * 1000L + key, first -> new long[2]);
    total[0]++;
    total[1] += number;
  }
}
