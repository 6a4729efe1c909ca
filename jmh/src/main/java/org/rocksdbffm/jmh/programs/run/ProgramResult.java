/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.jmh.programs.run;

import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.rocksdbffm.jmh.run.report.MedianSpread;

/**
 * The cost of a program on an engine: the median, minimum and maximum of its processes.
 *
 * @param vsJni the ratio of steps per second to rocksdbjni, by process
 * @param cpuVsJni the ratio of CPU time per step to rocksdbjni
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
  private static final String HEAD =
      String.format(
          Locale.ROOT,
          "%-22s %-6s %-6s %10s %-22s %9s %-22s %9s %9s %9s %7s %7s%n",
          "program", "mode", "engine", "steps/s", "against jni", "cpu s", "cpu against jni", "p99 us", "p99.9 us",
          "bytes", "jit s", "MiB");
  private static final String LINE =
      "%-22s %12$-6s %-6s %10.0f %-22s %9.2f %-22s %9.1f %9.1f %9.0f %7.2f %7.0f%n";
  private static final double MICROS = 1e6;
  private static final double NANOS_IN_MICRO = 1e3;
  private static final double MILLIS = 1e3;
  private static final double KIB = 1024;

  /** Returns the result of an engine's processes, relative to the alternating processes of rocksdbjni. */
  static ProgramResult of(String row, RunMode mode, String engine, List<ProgramRun> runs, List<ProgramRun> jni) {
    MedianSpread rate = MedianSpread.of(runs, ProgramRun::perSecond);
    MedianSpread ratio = MedianSpread.ofRatios(runs, jni, ProgramRun::perSecond);
    MedianSpread cpu = MedianSpread.ofRatios(runs, jni, ProgramResult::cpuOfStep);
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
        MedianSpread.of(runs, run -> cpuOfStep(run) * MICROS).median(),
        cpu.median(),
        cpu.low(),
        cpu.high(),
        MedianSpread.of(runs, ProgramRun::cpuSeconds).median(),
        MedianSpread.of(runs, run -> run.figures().p99() / NANOS_IN_MICRO).median(),
        MedianSpread.of(runs, run -> run.figures().p999() / NANOS_IN_MICRO).median(),
        MedianSpread.of(runs, run -> (double) run.figures().allocatedBytes() / run.figures().steps()).median(),
        MedianSpread.of(runs, run -> run.figures().compileMillis() / MILLIS).median(),
        MedianSpread.of(runs, run -> run.figures().peakKib() / KIB).median());
  }

  private static double cpuOfStep(ProgramRun run) {
    return run.cpuSeconds() / run.figures().steps();
  }

  /** Returns the results as text: a line for each program, mode and engine. */
  static String table(List<ProgramResult> results) {
    return results.stream().map(each -> each.line(LINE, "%.2fx (%.2f to %.2f)"))
        .collect(Collectors.joining("", HEAD, ""));
  }

  /** Formats a line: the row, the engine, ten numbers, and the mode; the text of a ratio includes its spread. */
  String line(String format, String ratio) {
    return String.format(
        Locale.ROOT,
        format,
        row,
        engine,
        perSecond,
        String.format(Locale.ROOT, ratio, vsJni, vsJniLow, vsJniHigh),
        cpuSeconds,
        String.format(Locale.ROOT, ratio, cpuVsJni, cpuVsJniLow, cpuVsJniHigh),
        p99Micros,
        p999Micros,
        bytesPerStep,
        compileSeconds,
        peakMib,
        mode);
  }

  /** Whether both results have the same row, mode and engine. */
  boolean isOfSameAs(ProgramResult other) {
    return row.equals(other.row) && mode.equals(other.mode) && engine.equals(other.engine);
  }
}
