/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.jmh.programs.run;

import org.rocksdbffm.jmh.programs.process.Figures;

/**
 * One process that has run: what it told, and what was seen from outside.
 *
 * @param figures its own
 * @param seconds that were measured: from its start to its end if all of it was
 * @param cpuSeconds likewise, user's and system's
 */
record ProgramRun(Figures figures, double seconds, double cpuSeconds) {
  double perSecond() {
    return figures.steps() / seconds;
  }
}
