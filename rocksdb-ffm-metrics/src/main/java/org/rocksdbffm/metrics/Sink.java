/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.metrics;

/** Exports series. Called by one thread at a time. */
interface Sink {
  void add(Series series);

  void remove(Series series);

  /** Whether the target of the export is closed. */
  default boolean isClosed() {
    return false;
  }
}
