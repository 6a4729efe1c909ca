/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.jmh.run;

import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.rocksdbffm.jmh.run.plan.Cell;
import org.rocksdbffm.jmh.run.report.Outcome;

/** Measures the cells of a row once, each in a separate process. */
interface Trial {
  /** Measures the cells, and returns the outcomes of the successful ones. */
  Map<Cell, Outcome> run(List<Cell> cells, Consumer<TrialException> failures);

  /** A cell that could not be measured. */
  final class TrialException extends Exception {
    private static final long serialVersionUID = 1;

    private final transient Cell cell;

    TrialException(Cell cell, String reason, Throwable cause) {
      super(cell + " could not be measured: " + reason, cause);
      this.cell = cell;
    }

    Cell cell() {
      return cell;
    }
  }
}
