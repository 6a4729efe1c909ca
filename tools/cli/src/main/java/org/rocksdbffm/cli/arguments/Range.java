/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.cli.arguments;

import org.rocksdbffm.KeyRange;
import org.rocksdbffm.cli.frame.ByteNotation;
import picocli.CommandLine.Option;

/** Arguments with a range of keys. */
public final class Range {
  @Option(names = {"-p", "--prefix"}, paramLabel = "KEY", description = "keys that begin like this")
  private String prefix;

  @Option(names = "--from", paramLabel = "KEY", description = "first key, inclusive")
  private String from;

  @Option(names = "--until", paramLabel = "KEY", description = "last key, exclusive")
  private String until;

  /** Whether no range is named. */
  public boolean isAll() {
    return prefix == null && from == null && until == null;
  }

  /** Returns the bounds of the range. */
  public KeyBounds bounds(ByteNotation notation) {
    requireOneRange();
    return prefix == null
        ? new KeyBounds(key(from, notation), key(until, notation), null)
        : new KeyBounds(null, null, notation.read(prefix));
  }

  private static byte[] key(String text, ByteNotation notation) {
    return text == null ? null : notation.read(text);
  }

  private void requireOneRange() {
    if (prefix != null && (from != null || until != null)) {
      throw new IllegalArgumentException("--prefix names a range by itself: leave out --from and --until");
    }
  }

  /** Returns the range. */
  public KeyRange in(ByteNotation notation) {
    requireOneRange();
    if (prefix != null) {
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
