/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.cli.rows;

import java.io.IOException;
import org.rocksdbffm.RocksDb;
import org.rocksdbffm.Row;
import org.rocksdbffm.cli.arguments.Operands;
import org.rocksdbffm.cli.arguments.Range;
import org.rocksdbffm.cli.frame.ByteNotation;
import org.rocksdbffm.cli.frame.ExitCode;
import org.rocksdbffm.cli.frame.Output;
import org.rocksdbffm.cli.frame.ProgressLine;
import org.rocksdbffm.cli.frame.RowPrinter;
import org.rocksdbffm.cli.inspect.DamagedRead;
import picocli.CommandLine;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Prints all rows in the form that {@code load} reads, and {@code ldb load --hex} too. */
@CommandLine.Command(
    name = "dump",
    description = "Prints all rows in the form that 'load' reads, and 'ldb load --hex' too: 0xKEY ==> 0xVALUE.")
public final class Dump extends ReadingCommand {
  static final String ARROW = " ==> ";

  @Mixin private Range range;

  @Option(names = {"-k", "--key"},
      description = "notation of the range's keys: ${COMPLETION-CANDIDATES} (default: text)")
  private ByteNotation notation = ByteNotation.TEXT;

  @Option(names = "--skip-damaged",
      description = "continue behind what is damaged, and say which keys were left out; exit code 1 if some were")
  private boolean skips;

  private final Operands operands = new Operands(true);
  private Operands.Row unmerged;
  private Object first; // the first key that is omitted because of an unknown merge operator
  private long left;
  private long done;

  @Override
  ExitCode read(Output out) throws IOException {
    boolean isWhole = true;
    try (RowPrinter rows = out.rows("row")) {
      if (skips) {
        isWhole = DamagedRead.read(
            family.database(), family.name(), operands, range.bounds(notation), out, row -> print(rows, row));
      } else {
        printAll(out, rows);
      }
    }
    if (left > 0) {
      throw new IllegalStateException(
          """
          rows that are left out: %d, the first with the key %s; their merge operator %s is not known here, \
          and scan prints what it would merge"""
              .formatted(left, first, unmerged.operator()));
    }
    return isWhole ? ExitCode.DONE : ExitCode.NO;
  }

  private void printAll(Output out, RowPrinter rows) {
    try (RocksDb db = family.openReadOnly(operands);
        var scan = family.rows(db).scan(range.in(notation));
        ProgressLine progress = out.progressOfRows(() -> family.estimatedKeys(db))) {
      while (scan.next()) {
        progress.at(++done);
        print(rows, scan);
      }
    }
  }

  private void print(RowPrinter rows, Row row) {
    byte[] key = row.keyBytes();
    Operands.Row taken = operands.take(key);
    if (taken == null) {
      rows.row(new RowPrinter.Joined("0x", ByteNotation.HEX.cell(key), ARROW + "0x",
          ByteNotation.HEX.cell(row.valueBytes())));
    } else if (left++ == 0) {
      unmerged = taken;
      first = ByteNotation.TEXT.cell(key);
    }
  }
}
