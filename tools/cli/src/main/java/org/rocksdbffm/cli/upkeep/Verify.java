/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.cli.upkeep;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.rocksdbffm.cli.arguments.Database;
import org.rocksdbffm.cli.frame.Command;
import org.rocksdbffm.cli.frame.ExitCode;
import org.rocksdbffm.cli.frame.Output;
import org.rocksdbffm.cli.frame.RowPrinter;
import org.rocksdbffm.cli.inspect.DamagedFile;
import org.rocksdbffm.cli.inspect.Inspection;
import org.rocksdbffm.cli.inspect.TableCheck;
import picocli.CommandLine;
import picocli.CommandLine.Mixin;

/** Reads all files of a database, and verifies their checksums. */
@CommandLine.Command(
    name = "verify",
    description = {
      "Reads all blocks of all tables, all values in blob files and all logs, and compares their checksums.",
      "Prints a row for each damage; exit code 1 if there is one."
    })
public final class Verify extends Command {
  @Mixin private Database database;

  @Override
  protected ExitCode run(Output out) throws IOException {
    Inspection inspection = Inspection.of(database);
    List<DamagedFile> damages = new ArrayList<>(inspection.damages());
    List<String> unknown = List.of();
    Integer files = null;
    if (inspection.mayOpen()) {
      TableCheck verification = TableCheck.of(database, inspection, out);
      damages.addAll(verification.damages());
      files = verification.count();
      unknown = verification.unknown();
    }
    try (RowPrinter table = DamagedFile.table(out)) {
      damages.forEach(damage -> damage.row(table));
    }
    try (RowPrinter table = out.table("files", "logs", "damages")) {
      table.row(files, inspection.logs().size(), damages.size());
    }
    if (!unknown.isEmpty()) {
      throw new IllegalStateException("tables of these families were not read: " + String.join(", ", unknown));
    }
    return damages.isEmpty() ? ExitCode.DONE : ExitCode.NO;
  }
}
