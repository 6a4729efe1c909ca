/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.cli.reports;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.rocksdbffm.ByteSize;
import org.rocksdbffm.ColumnFamily;
import org.rocksdbffm.FamilyFiles;
import org.rocksdbffm.FamilyOptions;
import org.rocksdbffm.RocksDb;
import org.rocksdbffm.RocksDbException;
import org.rocksdbffm.cli.arguments.Database;
import org.rocksdbffm.cli.frame.Command;
import org.rocksdbffm.cli.frame.ExitCode;
import org.rocksdbffm.cli.frame.Output;
import org.rocksdbffm.cli.frame.Table;
import org.rocksdbffm.metrics.FamilyReport;
import picocli.CommandLine;
import picocli.CommandLine.Parameters;

/** Prints the column families of a database: sizes, files, and what each was written with. */
@CommandLine.Command(name = "info", description = "Prints the column families: sizes, files, and what each was written with.")
public final class Info extends Command {
  private static final String NONE = "nullptr"; // as the engine stores it

  @Parameters(paramLabel = "DIR", description = "folder of the database")
  private Path folder;

  @Override
  protected ExitCode run(Output out) {
    try (RocksDb db = Database.at(folder).openReadOnly()) {
      printWhole(out, db);
      Map<String, FamilyOptions> stored = Database.at(folder).known().families();
      try (Table table = families(out)) {
        for (ColumnFamily family : db.families()) {
          row(table, family, stored.getOrDefault(family.name(), FamilyOptions.defaults()).settings());
        }
      }
    } catch (RocksDbException e) {
      if (e.code() != RocksDbException.Code.INVALID_ARGUMENT) {
        throw e;
      }
      printEach(out);
    }
    return ExitCode.DONE;
  }

  private void printWhole(Output out, RocksDb db) {
    try (Table table = out.table("database", "sequence", "families", "tables", "blobs")) {
      List<FamilyReport> families = db.metrics().families();
      table.row(
          folder,
          db.files().latestSequenceNumber(),
          families.size(),
          ByteSize.bytes(families.stream().mapToLong(family -> family.tables().bytes()).sum()),
          ByteSize.bytes(families.stream().mapToLong(family -> family.blobs().size().bytes()).sum()));
    }
  }

  /** One family has code that is not known here: the others are shown, and for that one the reason. */
  private void printEach(Output out) {
    Map<String, String> refused = new TreeMap<>();
    try (Table table = families(out)) {
      for (String name : RocksDb.families(folder)) {
        try (RocksDb db = Database.at(folder).openReadOnly(name)) {
          row(table, db.family(name), Map.of());
        } catch (RocksDbException e) {
          refused.put(name, e.getMessage());
        }
      }
    }
    try (Table table = out.table("family", "refused")) {
      refused.forEach(table::row);
    }
  }

  private static Table families(Output out) {
    return out.table("family", "keys~", "tables", "files", "L0", "debt", "unflushed", "compression", "order", "merge");
  }

  private static void row(Table table, ColumnFamily family, Map<String, String> settings) {
    FamilyReport report = family.metrics().report();
    List<FamilyFiles.Level> levels = family.files().levels();
    table.row(
        family.name(),
        report.estimatedKeys(),
        report.tables(),
        levels.stream().mapToInt(level -> level.files().size()).sum(),
        levels.isEmpty() ? 0 : levels.getFirst().files().size(),
        report.compactionDebt(),
        report.memtableEntries(),
        settings.get("compression"),
        settings.get("comparator"),
        NONE.equals(settings.get("merge_operator")) ? null : settings.get("merge_operator"));
  }
}
