/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.jmh.programs.process;

import org.HdrHistogram.Histogram;

/**
 * The figures that a process tells of a program that it ran.
 *
 * @param steps that were measured
 * @param nanos how long they took
 * @param cpuNanos the processors' time meanwhile
 * @param p99 nanoseconds of a step
 * @param p999 nanoseconds of a step
 * @param allocatedBytes by Java meanwhile
 * @param compileMillis of the JIT compilers meanwhile
 * @param peakKib the most resident memory of the process, 0 where the platform does not tell
 * @param checksum of all that was read
 */
public record Figures(
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

  static Figures between(Mark begin, Mark end, Histogram times, long checksum) {
    return new Figures(
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
