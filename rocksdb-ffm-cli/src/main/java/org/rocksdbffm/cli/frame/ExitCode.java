/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.cli.frame;

/** The number that a command ends with: its place in this list. */
public enum ExitCode {
  /** It did what it was asked. */
  DONE,
  /** It did, and the answer is no: no such key, rows that differ, a damaged file. */
  NO,
  /** It was refused or failed, and says why on the error stream. */
  FAILED
}
