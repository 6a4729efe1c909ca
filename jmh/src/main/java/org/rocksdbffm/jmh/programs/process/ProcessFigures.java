/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.jmh.programs.process;

import org.HdrHistogram.Histogram;

/**
 * The measurements of a program that a process prints.
 *
 * @param steps that were measured
 * @param nanos the time for them
 * @param cpuNanos the CPU time during the measurement
 * @param p99 nanoseconds of a step
 * @param p999 nanoseconds of a step
 * @param allocatedBytes on the Java heap during the measurement
 * @param compileMillis of the JIT compilers during the measurement
 * @param peakKib the peak resident memory of the process; 0 if the platform does not report it
 * @param checksum of all values that were read
 */
public record ProcessFigures(
    long steps,
    long nanos,
    long cpuNanos,
    long p99,
    long p999,
    long allocatedBytes,
    long compileMillis,
    long peakKib,
    long checksum) {
  private static final double P99 = 99;
  private static final double P999 = 99.9;

  static ProcessFigures between(Mark begin, Mark end, Histogram times, long checksum) {
    return new ProcessFigures(
        times.getTotalCount(),
        end.nanos() - begin.nanos(),
        end.cpuNanos() - begin.cpuNanos(),
        times.getValueAtPercentile(P99),
        times.getValueAtPercentile(P999),
        end.allocatedBytes() - begin.allocatedBytes(),
        end.compileMillis() - begin.compileMillis(),
        ProcessMemory.mostResidentKib(),
        checksum);
  }
}
