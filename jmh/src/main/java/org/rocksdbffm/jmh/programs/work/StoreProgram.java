/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.jmh.programs.work;

import org.rocksdbffm.jmh.programs.store.ProgramStore;

/** A program that uses a store. It reads and writes the same rows on all engines. */
public interface StoreProgram {
  /** Returns the kind of its store. */
  default ProgramStore.Kind kind() {
    return ProgramStore.Kind.PLAIN;
  }

  /** Returns the number of families. */
  default int families() {
    return 1;
  }

  /** Returns the number of threads that run steps. */
  default int threads() {
    return 1;
  }

  /** Writes the initial data to an empty store. */
  void prepare(ProgramStore store) throws Exception;

  /** Returns the work of a thread. */
  Work work(ProgramStore store, int thread);

  /** The work of a thread, step by step. */
  interface Work {
    /** Runs the next step, and returns the checksum of the values that it has read. */
    long step() throws Exception;
  }
}
