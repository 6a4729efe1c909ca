/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.cli.upkeep;

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
import org.rocksdbffm.cli.frame.Progress;
import org.rocksdbffm.cli.frame.Table;
import picocli.CommandLine;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Makes a database that does not open usable again. */
@CommandLine.Command(
    name = "repair",
    description = {
      "Makes a database that does not open usable again, with the rows that can be read.",
      "Exit code 1 if rows of the log were left out. It may lose rows, bring back deleted ones, and forget families without a table: copy the folder first."
    })
public final class RepairCommand extends Command {
  private static final String OPERATOR = "merge_operator";
  private static final String NONE = "nullptr"; // as the engine stores it

  @Mixin private Database database;

  @Option(names = "--force", description = "says that there is a copy of the folder")
  private boolean force;

  @Override
  protected ExitCode run(Output out) {
    if (!force) {
      throw new IllegalArgumentException("repair may lose rows and bring back deleted ones: copy " + database.folder() + ", then add --force");
    }
    if (isSound()) {
      throw new IllegalArgumentException(database.folder() + " opens, and all its checksums are right: nothing was done");
    }
    StoredOptions stored = stored();
    FamilyOptions families = stored.families()
        .values()
        .stream()
        .filter(its -> !NONE.equals(its.settings().getOrDefault(OPERATOR, NONE)))
        .findAny()
        .orElse(stored.families().getOrDefault("default", FamilyOptions.defaults()));
    Repair done;
    try (Progress progress = out.progress(0).watch(new NewFiles(database.folder())::bytes)) {
      done = Repair.of(database.folder(), stored.database(), families);
    }
    try (Table table = out.table("file", "became")) {
      done.setAside().forEach(file -> table.row(file, "set aside"));
    }
    try (Table table = out.table("batches of the log that were skipped")) {
      table.row(done.skippedBatches());
    }
    return done.skippedBatches() == 0 ? ExitCode.DONE : ExitCode.NO;
  }

  /** None where one names code that is not known here. */
  private StoredOptions stored() {
    try {
      return StoredOptions.load(database.folder());
    } catch (IllegalArgumentException e) {
      return new StoredOptions(DatabaseOptions.defaults(), Map.of());
    }
  }

  private boolean isSound() {
    try (RocksDb db = database.rows(null, new Operands(false)).openReadOnly()) {
      db.files().verifyChecksums();
      return true;
    } catch (RocksDbException | IllegalArgumentException e) {
      return false;
    }
  }
}
