/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.cli.rows;

import org.rocksdbffm.RocksDb;
import org.rocksdbffm.cli.arguments.Family;
import org.rocksdbffm.cli.arguments.Range;
import org.rocksdbffm.cli.frame.Bytes;
import org.rocksdbffm.cli.frame.Command;
import org.rocksdbffm.cli.frame.ExitCode;
import org.rocksdbffm.cli.frame.Output;
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
    try (RocksDb db = family.openReadOnly();
        Table rows = out.rows("row");
        var scan = family.in(db).scan(range.in(notation))) {
      while (scan.next()) {
        rows.row("0x" + Bytes.HEX.cell(scan.keyBytes()) + ARROW + "0x" + Bytes.HEX.cell(scan.valueBytes()));
      }
    }
    return ExitCode.DONE;
  }
}
