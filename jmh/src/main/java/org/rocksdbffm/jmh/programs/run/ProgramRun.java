/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.jmh.programs.run;

import org.rocksdbffm.jmh.programs.process.ProcessFigures;

/**
 * The measurements of a process, from inside and from outside.
 *
 * @param figures the process' measurements of itself
 * @param seconds that were measured: from its start to its end if the whole process is measured
 * @param cpuSeconds the user and system CPU time in these seconds
 */
record ProgramRun(ProcessFigures figures, double seconds, double cpuSeconds) {
  double perSecond() {
    return figures.steps() / seconds;
  }
}
