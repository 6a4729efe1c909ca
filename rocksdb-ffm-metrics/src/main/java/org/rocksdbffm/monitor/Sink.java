/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.monitor;

/** Takes series to where they are exported. One thread at a time calls it. */
interface Sink {
  void add(Series series);

  void remove(Series series);

  /** Whether there is nothing to add to any more. */
  default boolean isClosed() {
    return false;
  }
}
