/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.jmh.programs.work;

import org.rocksdbffm.jmh.programs.store.Store;

/** A program over a store. It reads and writes the same on all engines. */
public interface Program {
  /** How its store is opened. */
  default Store.Kind kind() {
    return Store.Kind.PLAIN;
  }

  /** How many families its store has. */
  default int families() {
    return 1;
  }

  /** How many of its threads do steps. */
  default int threads() {
    return 1;
  }

  /** Writes the data that it begins with, to an empty store. */
  void prepare(Store store) throws Exception;

  /** The work of one of its threads. */
  Work work(Store store, int thread);

  /** The work of a thread, step by step. */
  interface Work {
    /** Does the next step, and returns the checksum of what it has read. */
    long step() throws Exception;
  }
}
