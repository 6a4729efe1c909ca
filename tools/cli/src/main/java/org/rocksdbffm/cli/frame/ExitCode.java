/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.cli.frame;

/** The exit codes of commands; the ordinal is the number. */
public enum ExitCode {
  /** The command succeeded. */
  DONE,
  /** The command succeeded with a negative result: a missing key, different rows, a damaged file. */
  NO,
  /** The command was rejected or failed, with a message on the error stream. */
  FAILED
}
