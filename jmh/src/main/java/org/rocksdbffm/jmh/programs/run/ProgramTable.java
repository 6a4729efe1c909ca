/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.jmh.programs.run;

import java.util.List;
import java.util.Locale;

/** The results as text: a line for each program, mode and engine. */
record ProgramTable(List<ProgramResult> results) {
  private static final String HEAD =
      String.format(
          Locale.ROOT,
          "%-22s %-6s %-6s %10s %-22s %9s %-22s %9s %9s %9s %7s %7s%n",
          "program", "mode", "engine", "steps/s", "against jni", "cpu s", "cpu against jni", "p99 us", "p99.9 us",
          "bytes", "jit s", "MiB");

  private static final String LINE =
      "%-22s %12$-6s %-6s %10.0f %-22s %9.2f %-22s %9.1f %9.1f %9.0f %7.2f %7.0f%n";

  String text() {
    StringBuilder text = new StringBuilder(HEAD);
    results.forEach(its -> text.append(its.line(LINE, "%.2fx (%.2f to %.2f)")));
    return text.toString();
  }
}
