/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.cli.rows;

import org.rocksdbffm.RocksDb;
import org.rocksdbffm.cli.arguments.Family;
import org.rocksdbffm.cli.arguments.Operands;
import org.rocksdbffm.cli.arguments.Range;
import org.rocksdbffm.cli.frame.Bytes;
import org.rocksdbffm.cli.frame.Command;
import org.rocksdbffm.cli.frame.ExitCode;
import org.rocksdbffm.cli.frame.Output;
import org.rocksdbffm.cli.frame.Progress;
import org.rocksdbffm.cli.frame.Table;
import picocli.CommandLine;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Prints all rows in the form that {@code load} reads, and {@code ldb load --hex} too. */
@CommandLine.Command(
    name = "dump",
    description = "Prints all rows in the form that 'load' reads, and 'ldb load --hex' too: 0xKEY ==> 0xVALUE.")
public final class Dump extends Command {
  static final String ARROW = " ==> ";

  @Mixin private Family family;
  @Mixin private Range range;

  @Option(names = {"-k", "--key"}, description = "notation of the range's keys: ${COMPLETION-CANDIDATES} (default: text)")
  private Bytes notation = Bytes.TEXT;

  @Override
  protected ExitCode run(Output out) {
    Operands operands = new Operands(true);
    Operands.Row unmerged = null;
    Object first = null;
    long left = 0;
    try (RocksDb db = family.openReadOnly(operands);
        Table rows = out.rows("row");
        var scan = family.in(db).scan(range.in(notation));
        Progress progress = out.progressOfRows(family.estimatedKeys(db))) {
      for (long done = 1; scan.next(); done++) {
        progress.at(done);
        byte[] key = scan.keyBytes();
        Operands.Row its = operands.take(key);
        if (its == null) {
          rows.row(new Table.Joined("0x", Bytes.HEX.cell(key), ARROW + "0x", Bytes.HEX.cell(scan.valueBytes())));
        } else if (left++ == 0) {
          unmerged = its;
          first = Bytes.TEXT.cell(key);
        }
      }
    }
    if (left > 0) {
      throw new IllegalStateException(
          "rows that are left out: %d, the first with the key %s; their merge operator %s is not known here, and scan prints what it would merge"
              .formatted(left, first, unmerged.operator()));
    }
    return ExitCode.DONE;
  }
}
