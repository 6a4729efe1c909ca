/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.callback;

/** A sink of the info log, called with one message at a time by a thread of this library. */
public interface RawLog {
  /** Receives a message; {@code level} is the engine's number. */
  void log(int level, String text);

  /** Reports how many messages were dropped after the last one. */
  void dropped(long count);
}
