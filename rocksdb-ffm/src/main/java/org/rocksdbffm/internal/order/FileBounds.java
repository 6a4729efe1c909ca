/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.order;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.rocksdbffm.internal.callback.CallbackFrame;

/**
 * The smallest and largest keys of a column family's files, in the order of its Java comparator. RocksDB picks files
 * for a compaction by a binary search for one of these keys, so their order must be consistent, and stays fixed
 * whatever the comparator answers later. Thread-safe.
 */
public final class FileBounds {
  private final CheckedComparator order;
  private final ConsistentKeys row;
  private volatile KeyPositions positions = KeyPositions.NONE;

  /** The smallest and the largest key of a file, and its level. */
  public record Range(String file, int level, byte[] first, byte[] last) {}

  FileBounds(CheckedComparator order) {
    this.order = order;
    this.row = new ConsistentKeys(order);
  }

  /**
   * Replaces the bounds by the bounds of {@code files}, which are in the engine's order. Throws if they contradict the
   * comparator; the engine's order is used then, in which the engine finds each file again.
   */
  synchronized void renew(CallbackFrame frame, List<Range> files) {
    try {
      lineUp(frame, files);
      positions = new KeyPositions(row);
      if (row.size() > 0) {
        check(frame, row.get(0));
        check(frame, row.get(row.size() - 1));
      }
    } catch (CheckedComparator.Contradiction e) {
      positions = new KeyPositions(asTheEngineHas(files));
      throw e;
    }
  }

  private void check(CallbackFrame frame, byte[] key) {
    order.check(frame, MemorySegment.ofArray(key), key.length);
  }

  /** Returns the bounds in the engine's order: level by level, but level 0 last, because its files overlap. */
  private ConsistentKeys asTheEngineHas(List<Range> files) {
    ConsistentKeys had = new ConsistentKeys(order);
    Set<byte[]> seen = new TreeSet<>(Arrays::compareUnsigned);
    files.stream()
        .sorted(Comparator.comparing(file -> file.level() == 0))
        .flatMap(file -> Stream.of(file.first(), file.last()))
        .filter(seen::add)
        .forEach(had::append);
    return had;
  }

  private void lineUp(CallbackFrame frame, List<Range> files) {
    Map<byte[], Integer> places = new TreeMap<>(Arrays::compareUnsigned);
    for (Range file : files) {
      places.put(file.first(), -1);
      places.put(file.last(), -1);
    }
    row.removeIf(key -> !places.containsKey(key));
    for (int i = 0; i < row.size(); i++) {
      places.put(row.get(i), i);
    }
    places.forEach((key, place) -> {
      if (place < 0) {
        row.add(frame, key);
      }
    });
    for (int i = 0; i < row.size(); i++) {
      places.put(row.get(i), i);
    }
    for (Range file : files) {
      if (places.get(file.first()) > places.get(file.last())) {
        throw order.disorder(file);
      }
    }
  }

  /** Returns the current positions of the keys. */
  KeyPositions ranks() {
    return positions;
  }

  /** Compares two keys; {@link KeyPositions#UNKNOWN} unless both are file bounds. */
  int order(long a, long aSize, long b, long bSize) {
    return positions.order(a, aSize, b, bSize);
  }
}
