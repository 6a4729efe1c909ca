/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.cli.rows;

import org.rocksdbffm.KeyRange;
import org.rocksdbffm.KeySpace;
import org.rocksdbffm.RocksDb;
import org.rocksdbffm.cli.arguments.Family;
import org.rocksdbffm.cli.arguments.Notations;
import org.rocksdbffm.cli.arguments.Range;
import org.rocksdbffm.cli.frame.Command;
import org.rocksdbffm.cli.frame.ExitCode;
import org.rocksdbffm.cli.frame.Output;
import org.rocksdbffm.cli.frame.Progress;
import org.rocksdbffm.cli.frame.Table;
import picocli.CommandLine;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Prints rows in the order of their keys. */
@CommandLine.Command(name = "scan", description = "Prints rows in the order of their keys.")
public final class Scan extends Command {
  @Mixin private Family family;
  @Mixin private Notations notations;
  @Mixin private Range range;

  @Option(names = {"-n", "--limit"}, paramLabel = "ROWS", description = "at most so many")
  private long limit = Long.MAX_VALUE;

  @Option(names = {"-b", "--backward"}, description = "from the last key to the first")
  private boolean backward;

  @Override
  protected ExitCode run(Output out) {
    KeyRange keys = range.in(notations.keys());
    try (RocksDb db = family.openReadOnly(notations.operands());
        Table rows = out.rows(notations.columns())) {
      KeySpace space = family.in(db);
      long done = 0;
      try (var scan = backward ? space.scanBackward(keys) : space.scan(keys);
          Progress progress = out.progressOfRows(Math.min(limit, family.estimatedKeys(db)))) {
        for (long left = limit; left > 0 && scan.next(); left--) {
          progress.at(++done);
          rows.row(notations.cells(scan.keyBytes(), scan.valueBytes()));
        }
      }
    }
    return ExitCode.DONE;
  }
}
