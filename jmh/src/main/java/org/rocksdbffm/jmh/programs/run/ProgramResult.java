/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.jmh.programs.run;

import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import java.util.List;
import java.util.function.ToDoubleFunction;
import org.rocksdbffm.jmh.run.report.Spread;

/**
 * The cost of a program on an engine: medians of its processes, and the lowest and the highest.
 *
 * @param vsJni how many times as many steps a second as on rocksdbjni, process by process
 * @param cpuVsJni how many times as much of the processors' time for a step
 */
@JsonPropertyOrder({
  "row", "mode", "engine", "forks", "perSecond", "perSecondLow", "perSecondHigh", "vsJni", "vsJniLow", "vsJniHigh",
  "cpuMicros", "cpuVsJni", "cpuVsJniLow", "cpuVsJniHigh", "cpuSeconds", "p99Micros", "p999Micros", "bytesPerStep",
  "compileSeconds", "peakMib"
})
record ProgramResult(
    String row,
    String mode,
    String engine,
    int forks,
    double perSecond,
    double perSecondLow,
    double perSecondHigh,
    double vsJni,
    double vsJniLow,
    double vsJniHigh,
    double cpuMicros,
    double cpuVsJni,
    double cpuVsJniLow,
    double cpuVsJniHigh,
    double cpuSeconds,
    double p99Micros,
    double p999Micros,
    double bytesPerStep,
    double compileSeconds,
    double peakMib) {
  private static final double MICROS = 1e6;
  private static final double NANOS_IN_MICRO = 1e3;
  private static final double MILLIS = 1e3;
  private static final double KIB = 1024;

  /** The result of an engine's processes, next to those of rocksdbjni that took turns with them. */
  static ProgramResult of(String row, Mode mode, String engine, List<ProgramRun> runs, List<ProgramRun> jni) {
    Spread rate = spread(runs, ProgramRun::perSecond);
    Spread ratio = ratios(runs, jni, ProgramRun::perSecond);
    Spread cpu = ratios(runs, jni, ProgramResult::cpuOfStep);
    return new ProgramResult(
        row,
        mode.id(),
        engine,
        runs.size(),
        rate.median(),
        rate.low(),
        rate.high(),
        ratio.median(),
        ratio.low(),
        ratio.high(),
        median(runs, run -> cpuOfStep(run) * MICROS),
        cpu.median(),
        cpu.low(),
        cpu.high(),
        median(runs, ProgramRun::cpuSeconds),
        median(runs, run -> run.figures().p99() / NANOS_IN_MICRO),
        median(runs, run -> run.figures().p999() / NANOS_IN_MICRO),
        median(runs, run -> (double) run.figures().allocatedBytes() / run.figures().steps()),
        median(runs, run -> run.figures().compileMillis() / MILLIS),
        median(runs, run -> run.figures().peakKib() / KIB));
  }

  private static double cpuOfStep(ProgramRun run) {
    return run.cpuSeconds() / run.figures().steps();
  }

  private static double median(List<ProgramRun> runs, ToDoubleFunction<ProgramRun> figure) {
    return spread(runs, figure).median();
  }

  private static Spread spread(List<ProgramRun> runs, ToDoubleFunction<ProgramRun> figure) {
    return Spread.of(runs.stream().mapToDouble(figure).toArray());
  }

  private static Spread ratios(List<ProgramRun> runs, List<ProgramRun> jni, ToDoubleFunction<ProgramRun> figure) {
    double[] ratios = new double[Math.min(runs.size(), jni.size())];
    for (int i = 0; i < ratios.length; i++) {
      ratios[i] = figure.applyAsDouble(runs.get(i)) / figure.applyAsDouble(jni.get(i));
    }
    return Spread.of(ratios);
  }

  /** Whether both are of the same row, mode and engine. */
  boolean isOfSameAs(ProgramResult other) {
    return row.equals(other.row) && mode.equals(other.mode) && engine.equals(other.engine);
  }
}
