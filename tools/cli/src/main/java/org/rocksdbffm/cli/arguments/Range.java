/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.cli.arguments;

import org.rocksdbffm.KeyRange;
import org.rocksdbffm.cli.frame.Bytes;
import picocli.CommandLine.Option;

/** Arguments with a range of keys. */
public final class Range {
  @Option(names = {"-p", "--prefix"}, paramLabel = "KEY", description = "keys that begin like this")
  private String prefix;

  @Option(names = "--from", paramLabel = "KEY", description = "first key, inclusive")
  private String from;

  @Option(names = "--until", paramLabel = "KEY", description = "last key, exclusive")
  private String until;

  /** Returns the first key; null if the range has no start. */
  public byte[] first(Bytes notation) {
    requireNoPrefix();
    return from == null ? null : notation.read(from);
  }

  /** Returns the exclusive end; null if the range has no end. */
  public byte[] end(Bytes notation) {
    requireNoPrefix();
    return until == null ? null : notation.read(until);
  }

  private void requireNoPrefix() {
    if (prefix != null) {
      throw new IllegalArgumentException("--skip-damaged continues from key to key: write --from and --until instead of --prefix");
    }
  }

  /** Returns the range. */
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
