/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.jmh.programs.run;

import java.util.List;
import java.util.Locale;

/** Reports which programs got slower or faster since older results, relative to rocksdbjni in the same run. */
record ProgramComparison(List<ProgramResult> older, List<ProgramResult> newer) {
  private static final double NOTABLE = 1.05;

  String text() {
    StringBuilder text = new StringBuilder();
    for (ProgramResult now : newer) {
      older.stream().filter(now::isOfSameAs).findFirst().ifPresent(before -> append(text, before, now));
    }
    return text.isEmpty() ? "Nothing changed beyond both spreads and 5 %.\n" : text.toString();
  }

  private static void append(StringBuilder text, ProgramResult before, ProgramResult now) {
    if (now.vsJniHigh() < before.vsJniLow() && now.vsJni() * NOTABLE < before.vsJni()) {
      text.append(line("slower", now, "", before.vsJni(), now.vsJni()));
    } else if (now.vsJniLow() > before.vsJniHigh() && now.vsJni() > before.vsJni() * NOTABLE) {
      text.append(line("faster", now, "", before.vsJni(), now.vsJni()));
    }
    if (now.cpuVsJniLow() > before.cpuVsJniHigh() && now.cpuVsJni() > before.cpuVsJni() * NOTABLE) {
      text.append(line("slower", now, "processors' time, ", before.cpuVsJni(), now.cpuVsJni()));
    } else if (now.cpuVsJniHigh() < before.cpuVsJniLow() && now.cpuVsJni() * NOTABLE < before.cpuVsJni()) {
      text.append(line("faster", now, "processors' time, ", before.cpuVsJni(), now.cpuVsJni()));
    }
  }

  private static String line(String verdict, ProgramResult result, String figure, double before, double now) {
    return String.format(
        Locale.ROOT,
        "%s: %s, %s, %s: %s%.2fx of jni, was %.2fx%n",
        verdict, result.row(), result.mode(), result.engine(), figure, now, before);
  }
}
