/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.cli.reports;

import java.io.IOException;
import java.nio.file.Files;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.rocksdbffm.ByteSize;
import org.rocksdbffm.ColumnFamily;
import org.rocksdbffm.FamilyFiles;
import org.rocksdbffm.RocksDb;
import org.rocksdbffm.RocksDbException;
import org.rocksdbffm.cli.arguments.Database;
import org.rocksdbffm.cli.frame.Command;
import org.rocksdbffm.cli.frame.ExitCode;
import org.rocksdbffm.cli.frame.Output;
import org.rocksdbffm.cli.frame.RowPrinter;
import org.rocksdbffm.cli.inspect.DamagedFile;
import org.rocksdbffm.cli.inspect.Inspection;
import org.rocksdbffm.internal.folder.LiveLog;
import org.rocksdbffm.internal.format.DatabaseFile;
import org.rocksdbffm.internal.options.MergeOperatorName;
import org.rocksdbffm.reports.FamilyReport;
import picocli.CommandLine;
import picocli.CommandLine.Mixin;

/** Prints the column families of a database: sizes, files, and options. */
@CommandLine.Command(name = "info",
    description = "Prints the column families: sizes, files, and what each was written with.")
public final class Info extends Command {
  @Mixin private Database database;

  @Override
  protected ExitCode run(Output out) throws IOException {
    Inspection inspection = Inspection.of(database);
    List<DamagedFile> damages = inspection.damages();
    if (inspection.mayOpen()) {
      printDatabase(out, damages);
    }
    printLogs(out, inspection);
    try (RowPrinter table = DamagedFile.table(out)) {
      damages.forEach(damage -> damage.row(table));
    }
    return damages.isEmpty() ? ExitCode.DONE : ExitCode.NO;
  }

  private static void printLogs(Output out, Inspection inspection) {
    try (RowPrinter table = out.table("log", "size", "writes", "note")) {
      for (LiveLog log : inspection.logs()) {
        if (log.operations() > 0) {
          table.row(log.file().getFileName(), ByteSize.bytes(log.end().size()), log.operations(),
              "what is in no table is not counted above");
        }
      }
    }
    try (RowPrinter table = out.table("prepared transaction", "what to do")) {
      for (String name : inspection.prepared()) {
        table.row(Inspection.cell(name), "it holds locks: its program must commit it or roll it back");
      }
    }
  }

  private void printDatabase(Output out, List<DamagedFile> damages) throws IOException {
    try (RocksDb db = database.tables(null).openReadOnly()) {
      printWhole(out, db);
      if (DatabaseFile.KEYS.isBound()) { // otherwise no table is opened for it
        printKeys(out, db);
      }
      try (RowPrinter table = families(out)) {
        printFamilies(table, db,
            db.families().stream().sorted(Comparator.comparing(ColumnFamily::name, Database.BY_NAME)).toList());
      }
    } catch (RocksDbException e) {
      if (e.code() == RocksDbException.Code.INVALID_ARGUMENT) {
        printEach(out);
      } else if (damages.isEmpty()) {
        damages.add(Inspection.damage(database, e));
      }
    }
  }

  /** Prints how many bytes are encrypted with each key; nothing if the database is not encrypted. */
  private static void printKeys(Output out, RocksDb db) throws IOException {
    Map<String, Long> sizes = new TreeMap<>();
    for (FamilyFiles.LiveFile file : db.files().live()) {
      String key = DatabaseFile.keyOf(file.path());
      if (key != null) {
        sizes.merge(key, Files.size(file.path()), Long::sum);
      }
    }
    try (RowPrinter table = out.table("key of tables", "size")) {
      sizes.forEach((key, size) -> table.row(key, ByteSize.bytes(size)));
    }
  }

  private void printWhole(Output out, RocksDb db) throws IOException {
    try (RowPrinter table = out.table("database", "families", "tables", "blobs", "log")) {
      List<FamilyReport> families = db.metrics().families();
      table.row(
          database.folder(),
          families.size(),
          ByteSize.bytes(families.stream().mapToLong(family -> family.tables().bytes()).sum()),
          ByteSize.bytes(families.stream().mapToLong(family -> family.blobs().size().bytes()).sum()),
          database.logSize());
    }
  }

  /** Prints each family separately, if one cannot be opened because of unknown code; for that family, the reason. */
  private void printEach(Output out) {
    Map<String, String> refused = new LinkedHashMap<>();
    try (RowPrinter table = families(out)) {
      for (String name : database.familyNames()) {
        try (RocksDb db = database.tables(name).openReadOnly()) {
          printFamilies(table, db, List.of(db.family(name)));
        } catch (RocksDbException e) {
          refused.put(name, e.getMessage());
        }
      }
    }
    try (RowPrinter table = out.table("family", "refused")) {
      refused.forEach(table::row);
    }
  }

  private static RowPrinter families(Output out) {
    return out.table("family", "keys~", "tables", "files", "L0", "debt", "compression", "order", "merge");
  }

  private void printFamilies(RowPrinter table, RocksDb db, List<ColumnFamily> families) {
    Map<String, Map<String, String>> stored = database.families();
    Map<String, List<FamilyFiles.LiveFile>> files =
        db.files().live().stream().collect(Collectors.groupingBy(FamilyFiles.LiveFile::columnFamily));
    for (ColumnFamily family : families) {
      FamilyReport report = family.metrics().report();
      List<FamilyFiles.LiveFile> familyFiles = files.getOrDefault(report.name(), List.of());
      Map<String, String> settings = stored.getOrDefault(report.name(), Map.of());
      MergeOperatorName operator = MergeOperatorName.stored(settings.get("merge_operator"));
      table.row(
          report.name(),
          report.estimatedKeys(),
          report.tables(),
          familyFiles.size(),
          familyFiles.stream().filter(file -> file.level() == 0).count(),
          report.compactionDebt(),
          settings.get("compression"),
          settings.get("comparator"),
          operator == null ? null : operator.name());
    }
  }
}
