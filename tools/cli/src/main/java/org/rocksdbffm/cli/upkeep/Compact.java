/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.cli.upkeep;

import org.rocksdbffm.ByteSize;
import org.rocksdbffm.CompactOptions;
import org.rocksdbffm.KeySpace;
import org.rocksdbffm.RocksDb;
import org.rocksdbffm.cli.arguments.Family;
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

/** Compacts a column family, or a range of its keys. */
@CommandLine.Command(name = "compact", description = "Compacts a column family, or a range of its keys.")
public final class Compact extends Command {
  @Mixin private Family family;
  @Mixin private Range range;

  @Option(names = "--bottommost", description = "rewrite the tables of the last level too")
  private boolean bottommost;

  @Option(names = {"-k", "--key"}, description = "notation of keys: ${COMPLETION-CANDIDATES} (default: text)")
  private Bytes notation = Bytes.TEXT;

  @Override
  protected ExitCode run(Output out) {
    CompactOptions options = CompactOptions.defaults();
    var keys = range.in(notation);
    try (RocksDb db = family.open();
        Table table = out.table("before", "after")) {
      KeySpace space = family.in(db);
      space.flush();
      ByteSize before = space.metrics().report().tables();
      NewFiles written = new NewFiles(family.database().folder());
      try (Progress _ = out.progress(before.bytes()).watch(written::bytes)) {
        space.compact(keys, bottommost ? options.bottommost(CompactOptions.Bottommost.FORCE) : options);
      }
      table.row(before, space.metrics().report().tables());
    }
    return ExitCode.DONE;
  }
}
