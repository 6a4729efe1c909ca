/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.examples.server;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Where the scans of clients go on: a number stands for a key, because a client knows numbers alone. The oldest are
 * forgotten when there are many, and the client is told then. Thread-safe.
 */
final class ScanCursors {
  private static final int MOST = 10_000;

  private final Map<Long, byte[]> keys =
      new LinkedHashMap<>() {
        private static final long serialVersionUID = 1;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Long, byte[]> eldest) {
          return size() > MOST;
        }
      };
  private long last;

  synchronized long add(byte[] key) {
    keys.put(++last, key);
    return last;
  }

  /** The key to go on with; null if the cursor is unknown. It stays, as a client may ask again. */
  synchronized byte[] key(long cursor) {
    return cursor == 0 ? new byte[0] : keys.get(cursor);
  }
}
