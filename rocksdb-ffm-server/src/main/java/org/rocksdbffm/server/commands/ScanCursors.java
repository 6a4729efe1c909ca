/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.server.commands;

import java.util.Arrays;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The cursors of SCAN: each is a number that stands for a place among the keys where the scan goes on, because a client
 * knows numbers alone. The oldest are forgotten when there are many, or when they have many bytes, and the client is
 * told then. Thread-safe.
 */
public final class ScanCursors {
  private static final int MOST = 10_000;
  private static final int COST = 100; // of a place, beside its bytes

  private final long mostBytes;
  private final Map<Long, byte[]> places = new LinkedHashMap<>();
  private long bytes;
  private long last;

  public ScanCursors(long mostBytes) {
    this.mostBytes = mostBytes;
  }

  /**
   * Remembers a place behind a key and not behind the next one: as much of that one as makes it different, which is
   * little, however long the keys are.
   *
   * @return its number; 0 if that is more than may be remembered
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

  /** The place to go on from; null if the cursor is unknown. It stays, as a client may ask again. */
  public synchronized byte[] place(long cursor) {
    return cursor == 0 ? new byte[0] : places.get(cursor);
  }

  public synchronized long bytes() {
    return bytes;
  }
}
