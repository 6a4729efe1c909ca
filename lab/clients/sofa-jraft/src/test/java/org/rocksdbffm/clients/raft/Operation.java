/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.clients.raft;

import java.util.Locale;
import java.util.OptionalLong;

/**
 * A client's operation on a key, whose value is one number: the times of the request and of the reply, and the
 * reply. An operation without a reply may take effect at any later time, or never. Its text is a line of these columns.
 */
record Operation(String key, int client, long start, long end, Kind kind, long expected, long value) {
  /** The value of a key that was never put. */
  static final long ABSENT = 0;

  /** The end of an operation without a reply. */
  static final long NEVER = Long.MAX_VALUE;

  /**
   * The kinds of replies. A compare-and-put without a reply counts as a swap, otherwise it was a swap or was rejected.
   */
  enum Kind {
    GET,
    PUT,
    SWAP,
    REFUSED
  }

  /** Returns the register's value afterwards; empty if a register of this value cannot give the reply. */
  OptionalLong after(long before) {
    return switch (kind) {
      case PUT -> OptionalLong.of(value);
      case GET -> before == value ? OptionalLong.of(before) : OptionalLong.empty();
      case REFUSED -> before != expected ? OptionalLong.of(before) : OptionalLong.empty();
      case SWAP ->
          before == expected ? OptionalLong.of(value) : end == NEVER ? OptionalLong.of(before) : OptionalLong.empty();
    };
  }

  static Operation parse(String line) {
    String[] columns = line.strip().split(" +");
    return new Operation(
        columns[0],
        Integer.parseInt(columns[1]),
        Long.parseLong(columns[2]),
        columns[3].equals("-") ? NEVER : Long.parseLong(columns[3]),
        Kind.valueOf(columns[4].toUpperCase(Locale.ROOT)),
        Long.parseLong(columns[5]),
        Long.parseLong(columns[6]));
  }

  @Override
  public String toString() {
    String ended = end == NEVER ? "-" : String.valueOf(end);
    String name = kind.name().toLowerCase(Locale.ROOT);
    return String.join(" ", key, "" + client, "" + start, ended, name, "" + expected, "" + value);
  }
}
