/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.cli.arguments;

import org.rocksdbffm.cli.frame.Bytes;

import picocli.CommandLine.Option;

/** Arguments that say how keys and values are read and written. */
public final class Notations {
  @Option(names = {"-k", "--key"}, description = "notation of keys: ${COMPLETION-CANDIDATES} (default: text)")
  private Bytes keys = Bytes.TEXT;

  @Option(names = {"-v", "--value"}, description = "notation of values: ${COMPLETION-CANDIDATES} (default: text)")
  private Bytes values = Bytes.TEXT;

  /**
   * The notation of keys.
   *
   * @return the notation
   */
  public Bytes keys() {
    return keys;
  }

  /**
   * The notation of values.
   *
   * @return the notation
   */
  public Bytes values() {
    return values;
  }
}
