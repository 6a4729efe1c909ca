/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.cli.arguments;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.time.Instant;
import java.util.Arrays;
import java.util.Locale;
import org.rocksdbffm.cli.frame.ByteNotation;
import picocli.CommandLine.Option;

/** Arguments with the notations of keys and values. */
public final class Notations {
  @Option(names = {"-k", "--key"}, description = "notation of keys: ${COMPLETION-CANDIDATES} (default: text)")
  private ByteNotation keys = ByteNotation.TEXT;

  @Option(names = {"-v", "--value"}, description = "notation of values: ${COMPLETION-CANDIDATES} (default: text)")
  private ByteNotation values = ByteNotation.TEXT;

  @Option(names = "--time",
      description = "a time that values have: ${COMPLETION-CANDIDATES} (of Kafka's timestamped stores, of TtlDB)")
  private Stamp stamp;

  private final Operands operands = new Operands(true);

  /** Timestamps in values. */
  private enum Stamp {
    /** Milliseconds at the start, big endian. */
    KAFKA {
      @Override
      Object[] cells(byte[] value, ByteNotation notation) {
        return value.length < Long.BYTES
            ? super.cells(value, notation)
            : new Object[] {
              Instant.ofEpochMilli(ByteBuffer.wrap(value).getLong()),
              notation.cell(Arrays.copyOfRange(value, Long.BYTES, value.length))
            };
      }
    },
    /** Seconds at the end, little endian. */
    TTL {
      @Override
      Object[] cells(byte[] value, ByteNotation notation) {
        int end = value.length - Integer.BYTES;
        return end < 0
            ? super.cells(value, notation)
            : new Object[] {
              Instant.ofEpochSecond(ByteBuffer.wrap(value).order(ByteOrder.LITTLE_ENDIAN).getInt(end)),
              notation.cell(Arrays.copyOf(value, end))
            };
      }
    };

    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT);
    }

    /** Returns the cells of a value that is too short for a timestamp. */
    Object[] cells(byte[] value, ByteNotation notation) {
      return new Object[] {null, notation.cell(value)};
    }
  }

  /** Returns the notation of keys. */
  public ByteNotation keys() {
    return keys;
  }

  /** Returns the notation of values. */
  public ByteNotation values() {
    return values;
  }

  /** Returns the reader of merge operands, for families with an unknown merge operator. */
  public Operands operands() {
    return operands;
  }

  /** Returns the columns of a row. */
  public String[] columns() {
    return stamp == null ? new String[] {"key", "value"} : new String[] {"key", "time", "value"};
  }

  /** Returns the cells of a row. */
  public Object[] cells(byte[] key, byte[] value) {
    Operands.Row unmerged = operands.take(key);
    if (stamp == null) {
      return new Object[] {keys.cell(key), Operands.cell(unmerged, value, values)};
    }
    Object[] cells =
        unmerged == null ? stamp.cells(value, values) : new Object[] {null, Operands.cell(unmerged, value, values)};
    return new Object[] {keys.cell(key), cells[0], cells[1]};
  }
}
