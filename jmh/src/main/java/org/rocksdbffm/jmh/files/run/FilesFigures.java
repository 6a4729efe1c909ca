/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.jmh.files.run;


/**
 * The measurements that a process prints.
 *
 * @param units of work that were measured
 * @param nanos the time for them
 * @param runs the number of runs of the work
 * @param checksum of the data that was written or read
 */
record FilesFigures(double units, long nanos, int runs, long checksum) {
  private static final double SECOND = 1e9;

  double perSecond() {
    return units / (nanos / SECOND);
  }
}
