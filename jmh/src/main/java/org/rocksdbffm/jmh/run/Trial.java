/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.jmh.run;

/** Measures a cell once, in a process of its own. */
interface Trial {
  /** What was measured; throws {@link TrialException} if the process failed. */
  Outcome run(Cell cell) throws TrialException;

  /** A cell that could not be measured. */
  final class TrialException extends Exception {
    private static final long serialVersionUID = 1;

    TrialException(Cell cell, String reason, Throwable cause) {
      super(cell + " could not be measured: " + reason, cause);
    }
  }
}
