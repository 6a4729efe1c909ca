/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.jmh.files.run;

import java.util.List;

/**
 * The figures that a process tells of the work that it did.
 *
 * @param units that were measured
 * @param nanos how long they took
 * @param runs how often the work was done
 * @param checksum of what it made or read
 */
record FilesFigures(double units, long nanos, int runs, long checksum) {
  private static final String BEGIN = "FILES ";
  private static final double SECOND = 1e9;

  double perSecond() {
    return units / (nanos / SECOND);
  }

  String line() {
    return BEGIN + units + " " + nanos + " " + runs + " " + checksum;
  }

  /** The figures among the lines of a process; null if there are none. */
  static FilesFigures in(List<String> lines) {
    return lines.stream().filter(line -> line.startsWith(BEGIN)).map(FilesFigures::parse).findFirst().orElse(null);
  }

  private static FilesFigures parse(String line) {
    String[] words = line.split(" ");
    return new FilesFigures(
        Double.parseDouble(words[1]), Long.parseLong(words[2]), Integer.parseInt(words[3]), Long.parseLong(words[4]));
  }
}
