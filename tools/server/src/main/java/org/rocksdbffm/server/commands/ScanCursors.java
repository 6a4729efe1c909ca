/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.server.commands;

import java.util.Arrays;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The cursors of SCAN: numbers that clients use to continue a scan, mapped to the key from which it continues. If there
 * are too many, or their keys are too large, the oldest are discarded, and their clients get an error. Thread-safe.
 */
public final class ScanCursors {
  private static final int MOST = 10_000;
  private static final int COST = 100; // the memory of a cursor without its key

  private final long mostBytes;
  private final Map<Long, byte[]> places = new LinkedHashMap<>();
  private long bytes;
  private long last;

  public ScanCursors(long mostBytes) {
    this.mostBytes = mostBytes;
  }

  /**
   * Adds a cursor between two keys. Stores the shortest prefix of the next key that is greater than the first key: this
   * prefix is usually short even if the keys are long.
   *
   * @return the number; 0 if the prefix is larger than the limit
   */
  public synchronized long between(byte[] key, byte[] next) {
    byte[] place = Arrays.copyOf(next, Arrays.mismatch(key, next) + 1);
    if (place.length + COST > mostBytes) {
      return 0;
    }
    places.put(++last, place);
    bytes += place.length + COST;
    for (Iterator<byte[]> oldest = places.values().iterator(); bytes > mostBytes || places.size() > MOST; ) {
      bytes -= oldest.next().length + COST;
      oldest.remove();
    }
    return last;
  }

  /** Returns the key from which to continue; null if the cursor is unknown. Keeps the cursor, for repeated requests. */
  public synchronized byte[] place(long cursor) {
    return cursor == 0 ? new byte[0] : places.get(cursor);
  }

  public synchronized long bytes() {
    return bytes;
  }
}
