/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.jmh.files.run;


/**
 * The figures that a process tells of the work that it did.
 *
 * @param units that were measured
 * @param nanos how long they took
 * @param runs how often the work was done
 * @param checksum of what it made or read
 */
record FilesFigures(double units, long nanos, int runs, long checksum) {
  private static final double SECOND = 1e9;

  double perSecond() {
    return units / (nanos / SECOND);
  }
}
