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
 * The first and the last keys of a column family's files, in the order of its comparator in Java. The engine chooses
 * files for a compaction by looking for one of these among the others, so they have to stand in a row, and the answer is
 * that of the row whatever the comparator says meanwhile. Thread-safe.
 */
public final class FileBounds {
  private final CheckedComparator order;
  private final ConsistentKeys row;
  private volatile KeyPositions positions = KeyPositions.NONE;

  /** The first and the last key of a file, which is on a level. */
  public record Range(String file, int level, byte[] first, byte[] last) {}

  FileBounds(CheckedComparator order) {
    this.order = order;
    this.row = new ConsistentKeys(order);
  }

  /**
   * Takes those of these files instead, which the engine has in this order; throws if they do not stand in a row, or a
   * file's last key before its first. Then the answer is as the engine has the files, in which it finds each again.
   */
  synchronized void renew(CallbackFrame frame, List<Range> files) {
    try {
      lineUp(frame, files);
      positions = new KeyPositions(row);
      if (row.size() > 0) {
        hear(frame, row.get(0));
        hear(frame, row.get(row.size() - 1));
      }
    } catch (CheckedComparator.Contradiction e) {
      positions = new KeyPositions(asTheEngineHas(files));
      throw e;
    }
  }

  private void hear(CallbackFrame frame, byte[] key) {
    order.hear(frame, MemorySegment.ofArray(key), key.length);
  }

  /** Level by level, but level 0 at last, where files overlap. */
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

  /** The places of these keys as they are now. */
  KeyPositions ranks() {
    return positions;
  }

  /** Which of two keys comes first; {@link KeyPositions#UNKNOWN} unless both are among these. */
  int order(long a, long aSize, long b, long bSize) {
    return positions.order(a, aSize, b, bSize);
  }
}
