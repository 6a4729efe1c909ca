/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.cli.upkeep;

import org.rocksdbffm.ByteSize;
import org.rocksdbffm.CompactOptions;
import org.rocksdbffm.KeySpace;
import org.rocksdbffm.RocksDb;
import org.rocksdbffm.cli.arguments.FamilyArguments;
import org.rocksdbffm.cli.arguments.Range;
import org.rocksdbffm.cli.frame.ByteNotation;
import org.rocksdbffm.cli.frame.Command;
import org.rocksdbffm.cli.frame.ExitCode;
import org.rocksdbffm.cli.frame.Output;
import org.rocksdbffm.cli.frame.ProgressLine;
import org.rocksdbffm.cli.frame.RowPrinter;
import picocli.CommandLine;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Compacts a column family, or a range of its keys. */
@CommandLine.Command(name = "compact", description = "Compacts a column family, or a range of its keys.")
public final class Compact extends Command {
  @Mixin private FamilyArguments family;
  @Mixin private Range range;

  @Option(names = "--bottommost", description = "rewrite the tables of the last level too")
  private boolean bottommost;

  @Option(names = {"-k", "--key"}, description = "notation of keys: ${COMPLETION-CANDIDATES} (default: text)")
  private ByteNotation notation = ByteNotation.TEXT;

  @Override
  protected ExitCode run(Output out) {
    CompactOptions options = CompactOptions.defaults();
    var keys = range.in(notation);
    try (RocksDb db = family.open();
        RowPrinter table = out.table("before", "after")) {
      KeySpace space = family.in(db);
      space.flush();
      ByteSize before = space.metrics().report().tables();
      NewFiles written = new NewFiles(family.database().folder());
      try (ProgressLine _ = out.progress(before.bytes()).watch(written::bytes)) {
        space.compact(keys, bottommost ? options.bottommost(CompactOptions.Bottommost.FORCE) : options);
      }
      table.row(before, space.metrics().report().tables());
    }
    return ExitCode.DONE;
  }
}
