/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.cli.rows;

import org.rocksdbffm.ByteSize;
import org.rocksdbffm.RocksDb;
import org.rocksdbffm.cli.arguments.Operands;
import org.rocksdbffm.cli.arguments.Range;
import org.rocksdbffm.cli.frame.ByteNotation;
import org.rocksdbffm.cli.frame.ExitCode;
import org.rocksdbffm.cli.frame.Output;
import org.rocksdbffm.cli.frame.ProgressLine;
import org.rocksdbffm.cli.frame.RowPrinter;
import picocli.CommandLine;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Counts rows and their bytes, by reading them. */
@CommandLine.Command(name = "count", description = "Counts rows and their bytes, by reading them.")
public final class Count extends ReadingCommand {
  @Mixin private Range range;

  @Option(names = {"-k", "--key"}, description = "notation of keys: ${COMPLETION-CANDIDATES} (default: text)")
  private ByteNotation notation = ByteNotation.TEXT;

  @Override
  ExitCode read(Output out) {
    long rows = 0;
    long keys = 0;
    long values = 0;
    try (RocksDb db = family.openReadOnly(new Operands(false));
        var scan = family.rows(db).scan(range.in(notation));
        ProgressLine progress = out.progress(() -> family.estimatedKeys(db))) {
      while (scan.next()) {
        progress.at(++rows);
        keys += scan.keySize();
        values += scan.valueSize();
      }
    }
    try (RowPrinter table = out.table("rows", "keys", "values")) {
      table.row(rows, ByteSize.bytes(keys), ByteSize.bytes(values));
    }
    return ExitCode.DONE;
  }
}
