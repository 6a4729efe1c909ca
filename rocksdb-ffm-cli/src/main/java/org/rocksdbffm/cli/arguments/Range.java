/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.cli.arguments;

import org.rocksdbffm.KeyRange;
import org.rocksdbffm.cli.frame.Bytes;
import picocli.CommandLine.Option;

/** Arguments that say which keys are meant. */
public final class Range {
  @Option(names = {"-p", "--prefix"}, paramLabel = "KEY", description = "keys that begin like this")
  private String prefix;

  @Option(names = "--from", paramLabel = "KEY", description = "first key, inclusive")
  private String from;

  @Option(names = "--until", paramLabel = "KEY", description = "last key, exclusive")
  private String until;

  /** Reads the range. */
  public KeyRange in(Bytes notation) {
    if (prefix != null) {
      if (from != null || until != null) {
        throw new IllegalArgumentException("--prefix names a range by itself: leave out --from and --until");
      }
      return KeyRange.prefix(notation.read(prefix));
    }
    if (from == null) {
      return until == null ? KeyRange.all() : KeyRange.until(notation.read(until));
    }
    return until == null
        ? KeyRange.from(notation.read(from))
        : KeyRange.between(notation.read(from), notation.read(until));
  }
}
