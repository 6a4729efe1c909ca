/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.callback;

/** Takes the engine's messages, one at a time; called by a thread of the library's. */
public interface RawLog {
  /** The level is the engine's number. */
  void told(int level, String text);

  /** So many messages were dropped behind the last one. */
  void dropped(long count);
}
