/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.cli.rows;

import java.io.IOException;
import org.rocksdbffm.KeyRange;
import org.rocksdbffm.KeySpace;
import org.rocksdbffm.RocksDb;
import org.rocksdbffm.cli.arguments.Notations;
import org.rocksdbffm.cli.arguments.Range;
import org.rocksdbffm.cli.frame.ExitCode;
import org.rocksdbffm.cli.frame.Output;
import org.rocksdbffm.cli.frame.ProgressLine;
import org.rocksdbffm.cli.frame.RowPrinter;
import org.rocksdbffm.cli.inspect.DamagedRead;
import picocli.CommandLine;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Prints rows in the order of their keys. */
@CommandLine.Command(name = "scan", description = "Prints rows in the order of their keys.")
public final class ScanCommand extends ReadingCommand {
  @Mixin private Notations notations;
  @Mixin private Range range;

  @Option(names = {"-n", "--limit"}, paramLabel = "ROWS", description = "at most so many")
  private long limit = Long.MAX_VALUE;

  @Option(names = {"-b", "--backward"}, description = "from the last key to the first")
  private boolean backward;

  @Option(names = "--skip-damaged",
      description = "continue behind what is damaged, and say which keys were left out; exit code 1 if some were")
  private boolean skips;

  private long done;

  @Override
  ExitCode read(Output out) throws IOException {
    try (RowPrinter rows = out.rows(notations.columns())) {
      if (skips) {
        return printOthers(out, rows);
      }
      printAll(out, rows);
    }
    return ExitCode.DONE;
  }

  private void printAll(Output out, RowPrinter rows) {
    KeyRange keys = range.in(notations.keys());
    try (RocksDb db = family.openReadOnly(notations.operands())) {
      KeySpace space = family.rows(db);
      try (var scan = backward ? space.scanBackward(keys) : space.scan(keys);
          ProgressLine progress = out.progressOfRows(() -> Math.min(limit, family.estimatedKeys(db)))) {
        for (long left = limit; left > 0 && scan.next(); left--) {
          progress.at(++done);
          rows.row(notations.cells(scan.keyBytes(), scan.valueBytes()));
        }
      }
    }
  }

  private ExitCode printOthers(Output out, RowPrinter rows) throws IOException {
    if (backward || limit != Long.MAX_VALUE) {
      throw new IllegalArgumentException(
          "--skip-damaged reads forward and to the end: leave out --backward and --limit");
    }
    boolean isWhole = DamagedRead.read(
        family.database(),
        family.name(),
        notations.operands(),
        range.bounds(notations.keys()),
        out,
        row -> rows.row(notations.cells(row.keyBytes(), row.valueBytes())));
    return isWhole ? ExitCode.DONE : ExitCode.NO;
  }
}
