/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.jmh.programs.soak;

import java.util.Locale;

/**
 * The measurements of a minute, or of several.
 *
 * @param perSecond steps
 * @param p99Micros of a step, from its scheduled time
 * @param p999Micros of a step, from its scheduled time
 * @param residentMib memory at the end
 */
record SoakMinute(double perSecond, double p99Micros, double p999Micros, double residentMib) {
  String text() {
    return String.format(
        Locale.ROOT, "%9.0f %10.0f %10.0f %8.0f", perSecond, p99Micros, p999Micros, residentMib);
  }
}
