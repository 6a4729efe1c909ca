/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.cli.upkeep;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.rocksdbffm.DatabaseOptions;
import org.rocksdbffm.FamilyOptions;
import org.rocksdbffm.Repair;
import org.rocksdbffm.RocksDb;
import org.rocksdbffm.RocksDbException;
import org.rocksdbffm.StoredOptions;
import org.rocksdbffm.cli.arguments.Database;
import org.rocksdbffm.cli.arguments.Operands;
import org.rocksdbffm.cli.frame.Command;
import org.rocksdbffm.cli.frame.ExitCode;
import org.rocksdbffm.cli.frame.Output;
import org.rocksdbffm.cli.frame.ProgressLine;
import org.rocksdbffm.cli.frame.RowPrinter;
import org.rocksdbffm.cli.inspect.DamagedFile;
import org.rocksdbffm.cli.inspect.Inspection;
import org.rocksdbffm.cli.inspect.TableCheck;
import picocli.CommandLine;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Repairs a database that cannot be opened. */
@CommandLine.Command(
    name = "repair",
    description = {
      "Makes a database that does not open usable again, with the rows that can be read.",
      "Without --force it says what is damaged, with exit code 1 if something is, and changes nothing.",
      "Exit code 1 if rows of the log were left out. It may lose rows, bring back deleted ones, and forget families "
          + "without a table: copy the folder first."
    })
public final class RepairCommand extends Command {
  private static final String OPERATOR = "merge_operator";
  private static final String NONE = "nullptr"; // in OPTIONS files

  @Mixin private Database database;

  @Option(names = "--force", description = "says that there is a copy of the folder")
  private boolean force;

  @Override
  protected ExitCode run(Output out) throws IOException {
    List<DamagedFile> damages = damages(out);
    if (damages.isEmpty()) {
      throw new IllegalArgumentException(database.folder() + " opens, and nothing is damaged: nothing was done");
    }
    if (!force) {
      try (RowPrinter table = DamagedFile.table(out)) {
        damages.forEach(damage -> damage.row(table));
      }
      out.note("nothing was done: a repair may lose rows and bring back deleted ones; copy " + database.folder()
          + ", then add --force");
      return ExitCode.NO;
    }
    if (damages.stream().noneMatch(DamagedFile::isForRepair)) {
      throw new IllegalArgumentException("nothing was done: " + damages.getFirst().sentence());
    }
    StoredOptions stored = stored();
    FamilyOptions families = stored.families()
        .values()
        .stream()
        .filter(each -> !NONE.equals(each.settings().getOrDefault(OPERATOR, NONE)))
        .findAny()
        .orElse(stored.families().getOrDefault("default", FamilyOptions.defaults()));
    Repair done;
    try (ProgressLine _ = out.progress(0).watch(new NewFiles(database.folder())::bytes)) {
      done = Repair.of(database.folder(), stored.database(), families);
    }
    try (RowPrinter table = out.table("file", "became")) {
      done.setAside().forEach(file -> table.row(file, "set aside"));
    }
    try (RowPrinter table = out.table("batches of the log that were skipped")) {
      table.row(done.skippedBatches());
    }
    return done.skippedBatches() == 0 ? ExitCode.DONE : ExitCode.NO;
  }

  /** Returns the stored options; empty if they contain unknown code. */
  private StoredOptions stored() {
    try {
      return StoredOptions.load(database.folder());
    } catch (IllegalArgumentException e) {
      return new StoredOptions(DatabaseOptions.defaults(), Map.of());
    }
  }

  /** Returns all damage, or, if none is found, the reason why the database does not open. */
  private List<DamagedFile> damages(Output out) throws IOException {
    Inspection inspection = Inspection.of(database);
    List<DamagedFile> damages = new ArrayList<>(inspection.damages());
    if (inspection.mayOpen()) {
      damages.addAll(TableCheck.of(database, inspection, out).damages());
    }
    if (damages.isEmpty()) {
      try (RocksDb _ = database.rows(null, new Operands(false)).openReadOnly()) {
        return damages;
      } catch (RocksDbException | IllegalArgumentException e) {
        damages.add(DamagedFile.of(database.folder(), "does not open: " + e.getMessage(), "restore a backup"));
      }
    }
    return damages;
  }
}
