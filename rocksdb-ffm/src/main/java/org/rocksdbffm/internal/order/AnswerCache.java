/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.order;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import org.rocksdbffm.internal.callback.CallbackFrame;
import org.rocksdbffm.internal.callback.RawComparator;
import org.rocksdbffm.internal.foreign.Memory;

/**
 * The comparator's latest answers to an engine thread, and the answers that follow from them. RocksDB's sort runs past
 * its array if two answers contradict each other. So the comparator is not asked for an answer that follows from
 * others, and all answers stay consistent, even if the comparator has changed its mind. The file bounds have a fixed
 * order; each answer narrows the position of another key among them. When the cache is full, the oldest key is
 * replaced. Used by one thread.
 */
final class AnswerCache {
  static final int KEYS = 128;

  /** Longer keys are not cached. */
  static final int LONGEST_KEY = 8 << 10;

  private static final int WORDS = KEYS / Long.SIZE;
  private static final int BUCKETS = 2 * KEYS;
  private static final int LEAST_ROOM = 64;
  private static final int NONE = -1;

  private RawComparator order;
  private KeyPositions row = KeyPositions.NONE;

  // Each key has a slot. When all are used, a new key takes the oldest slot. Buckets and links contain a slot + 1, or
  // zero for none.
  private final MemorySegment[] copies = new MemorySegment[KEYS];
  private final long[] sizes = new long[KEYS];
  private final long[] hashes = new long[KEYS];
  private final int[] buckets = new int[BUCKETS];
  private final int[] links = new int[KEYS];
  private int taken;
  private int next;

  // For each key: a bit for each key before it; whether there may be keys after it; the last file bound before it, and
  // the first file bound after it.
  private final long[][] before = new long[WORDS][KEYS];
  private final boolean[] hasBehind = new boolean[KEYS];
  private final int[] lastBefore = new int[KEYS];
  private final int[] firstBehind = new int[KEYS];

  /** Returns the comparator's answer, or the answer that follows from earlier ones. */
  int compare(CallbackFrame frame, RawComparator asked, KeyPositions ends, long a, long aSize, long b, long bSize) {
    if (order != asked || row != ends) {
      forget();
      order = asked;
      row = ends;
    }
    long aHash = KeyPositions.hash(a, aSize);
    long bHash = KeyPositions.hash(b, bSize);
    int aEnd = row.placeOf(aHash, a, aSize);
    int bEnd = row.placeOf(bHash, b, bSize);
    if (aEnd >= 0 && bEnd >= 0) {
      return Integer.compare(aEnd, bEnd);
    }
    if (aSize > LONGEST_KEY || bSize > LONGEST_KEY) {
      return order.compare(frame, a, aSize, b, bSize);
    }
    int aKey = aEnd >= 0 ? NONE : placeOf(aHash, a, aSize, NONE);
    int bKey = bEnd >= 0 ? NONE : placeOf(bHash, b, bSize, aKey);
    int known = aEnd >= 0 ? -beside(bKey, aEnd) : bEnd >= 0 ? beside(aKey, bEnd) : among(aKey, bKey);
    if (known != 0 || aKey == bKey) {
      return known;
    }
    int answer = Integer.signum(order.compare(frame, a, aSize, b, bSize));
    if (aEnd >= 0) {
      learnEnd(bKey, aEnd, -answer);
    } else if (bEnd >= 0) {
      learnEnd(aKey, bEnd, answer);
    } else {
      learn(answer < 0 ? aKey : bKey, answer < 0 ? bKey : aKey);
    }
    return answer;
  }

  private void forget() {
    Arrays.fill(buckets, 0);
    taken = 0;
    next = 0;
  }

  /** Compares a key with a file bound by cached answers; 0 if unknown. */
  private int beside(int key, int end) {
    return end <= lastBefore[key] ? 1 : end >= firstBehind[key] ? -1 : 0;
  }

  /** Compares two cached keys by cached answers; 0 if unknown. */
  private int among(int a, int b) {
    if (isBefore(a, b) || firstBehind[a] <= lastBefore[b]) {
      return -1;
    }
    return isBefore(b, a) || firstBehind[b] <= lastBefore[a] ? 1 : 0;
  }

  private boolean isBefore(int a, int b) {
    return (before[a / Long.SIZE][b] & bit(a)) != 0;
  }

  private static long bit(int key) {
    return 1L << key; // a shift uses only the lowest six bits of the distance
  }

  private void learnEnd(int key, int end, int answer) {
    if (answer > 0) {
      lastBefore[key] = end;
      for (int other = 0; hasBehind[key] && other < taken; other++) {
        if (isBefore(key, other)) {
          lastBefore[other] = Math.max(lastBefore[other], end);
        }
      }
    } else {
      endBehind(key, end);
    }
  }

  private void endBehind(int key, int end) {
    for (int other = 0; other < taken; other++) {
      if (other == key || isBefore(other, key)) {
        firstBehind[other] = Math.min(firstBehind[other], end);
      }
    }
  }

  private void learn(int lower, int upper) {
    if (firstBehind[upper] < firstBehind[lower]) {
      endBehind(lower, firstBehind[upper]);
    }
    follow(lower, upper);
    for (int other = 0; hasBehind[upper] && other < taken; other++) {
      if (isBefore(upper, other)) {
        follow(lower, other);
      }
    }
    hasBehind[lower] = true;
  }

  /** Notes that the lower key, and all keys before it, come before the upper one. */
  private void follow(int lower, int upper) {
    for (long[] word : before) {
      word[upper] |= word[lower];
    }
    before[lower / Long.SIZE][upper] |= bit(lower);
    lastBefore[upper] = Math.max(lastBefore[upper], lastBefore[lower]);
  }

  /** Returns the slot of a key; stores the key if it is new, but not in the slot {@code other}. */
  private int placeOf(long hash, long key, long size, int other) {
    for (int link = buckets[bucketOf(hash)]; link != 0; link = links[link - 1]) {
      int place = link - 1;
      if (hashes[place] == hash && Memory.isSame(copies[place].address(), sizes[place], key, size)) {
        return place;
      }
    }
    int place = freePlace(other);
    keep(place, key, size);
    hashes[place] = hash;
    links[place] = buckets[bucketOf(hash)];
    buckets[bucketOf(hash)] = place + 1;
    lastBefore[place] = NONE;
    firstBehind[place] = Integer.MAX_VALUE;
    hasBehind[place] = false;
    for (long[] word : before) {
      word[place] = 0;
    }
    return place;
  }

  private static int bucketOf(long hash) {
    return (int) (hash >>> 32) & (BUCKETS - 1);
  }

  private int freePlace(int other) {
    if (taken < KEYS) {
      return taken++;
    }
    if (next == other) {
      next = (next + 1) % KEYS;
    }
    int place = next;
    next = (next + 1) % KEYS;
    leave(place);
    return place;
  }

  private void leave(int place) {
    int bucket = bucketOf(hashes[place]);
    if (buckets[bucket] == place + 1) {
      buckets[bucket] = links[place];
    } else {
      int link = buckets[bucket];
      while (links[link - 1] != place + 1) {
        link = links[link - 1];
      }
      links[link - 1] = links[place];
    }
    long[] word = before[place / Long.SIZE];
    for (int key = 0; key < KEYS; key++) {
      word[key] &= ~bit(place);
    }
  }

  private void keep(int place, long key, long size) {
    if (copies[place] == null || copies[place].byteSize() < size) {
      copies[place] = Arena.ofAuto().allocate(Math.max(LEAST_ROOM, 2 * size));
    }
    sizes[place] = size;
    Memory.copy(key, size, copies[place].address());
  }
}
