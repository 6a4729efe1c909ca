/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.jmh.programs.run;

import java.util.Locale;

/** The part of a program's life that is measured. */
enum RunMode {
  /** A short process from its start to its end, including the JVM's startup. */
  SHORT,
  /** Some seconds of a process after its warm-up. */
  STEADY;

  private static final int WARM_UP = 3;
  private static final int MEASURED = 2;

  String id() {
    return name().toLowerCase(Locale.ROOT);
  }

  RunMode other() {
    return this == SHORT ? STEADY : SHORT;
  }

  long warmUp(long steps) {
    return this == SHORT ? 0 : WARM_UP * steps;
  }

  long measured(long steps) {
    return this == SHORT ? steps : MEASURED * steps;
  }
}
