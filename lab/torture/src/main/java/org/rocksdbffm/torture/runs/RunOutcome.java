/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.torture.runs;

/** The outcome of a run: whether all cases succeeded, and a report, which describes the failures. */
public record RunOutcome(boolean survived, String report) {
  /** Prints the report, and ends the process with 0 or 1. */
  public void exit() {
    System.out.println(report);
    System.exit(survived ? 0 : 1);
  }
}
