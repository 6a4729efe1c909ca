/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.cli.reports;

import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.rocksdbffm.ByteSize;
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
import org.rocksdbffm.reports.FamilyReport;
import picocli.CommandLine;
import picocli.CommandLine.Mixin;

/** Reports problems of a database, the worst first. */
@CommandLine.Command(
    name = "doctor",
    description = "Says what is wrong with a database, in a few sentences; exit code 1 if anything is. It reads "
        + "files' sizes and logs, and no rows of tables.")
public final class Doctor extends Command {
  private static final int MOST = 5;
  private static final int MOST_DAMAGES = 4;
  private static final double MANY_DELETIONS = 0.3;
  private static final double MUCH_WASTE = 2;
  private static final ByteSize SMALL = ByteSize.mib(64);
  private static final ByteSize LONG_LOG = ByteSize.gib(1);

  @Mixin private Database database;

  private final List<String> findings = new ArrayList<>();
  private String health = "";

  @Override
  protected ExitCode run(Output out) throws IOException {
    Inspection inspection = Inspection.of(database);
    List<DamagedFile> damages = inspection.damages();
    damages.stream().limit(MOST_DAMAGES).forEach(damage -> findings.add(damage.sentence() + "."));
    if (damages.size() > MOST_DAMAGES) {
      findings.add("Files that are damaged, too: " + (damages.size() - MOST_DAMAGES) + "; 'info' lists them.");
    }
    int ofFiles = findings.size();
    for (String name : inspection.prepared()) {
      findings.add("The transaction '" + Inspection.cell(name)
          + "' is prepared and holds locks: its program must commit it or roll it back.");
    }
    checkMessages();
    if (inspection.mayOpen()) {
      checkFigures(ofFiles);
    }
    try (RowPrinter table = out.table("finding")) {
      (findings.isEmpty() ? List.of(health) : findings).stream().limit(MOST + ofFiles).forEach(table::row);
    }
    return findings.isEmpty() ? ExitCode.DONE : ExitCode.NO;
  }

  private void checkFigures(int damages) throws IOException {
    Map<String, Map<String, String>> options = database.families();
    try (RocksDb db = database.tables(null).openReadOnly()) {
      Map<String, List<FamilyFiles.LiveFile>> files =
          db.files().live().stream().collect(Collectors.groupingBy(FamilyFiles.LiveFile::columnFamily));
      for (FamilyReport family : db.metrics().families()) {
        checkFamily(family, files.getOrDefault(family.name(), List.of()),
            options.getOrDefault(family.name(), Map.of()));
      }
      checkDisk(db);
      health = "Nothing is wrong with its figures, files and logs (" + summary(db)
          + "); 'verify' compares the checksums of its tables.";
    } catch (RocksDbException e) {
      if (damages == 0) {
        findings.addFirst("It does not open: " + e.getMessage() + ".");
      }
    }
  }

  private static String summary(RocksDb db) {
    long tables = db.metrics().families().stream().mapToLong(family -> family.tables().bytes()).sum();
    return "families: " + db.families().size() + ", table files: " + db.files().live()
        .size() + ", bytes: " + RowPrinter.text(ByteSize.bytes(tables));
  }

  /** Checks the info log since the last opening that wrote one. */
  private void checkMessages() throws IOException {
    if (Files.notExists(database.folder().resolve("LOG"))) {
      return;
    }
    List<EngineLog.Entry> entries = EngineLog.in(database.folder()).entries();
    int opening = 0;
    for (int i = 0; i < entries.size(); i++) {
      opening = entries.get(i).kind() == EngineLog.Kind.OPENING ? i : opening;
    }
    List<EngineLog.Entry> latest = entries.subList(opening, entries.size());
    report(latest, EngineLog.Kind.ERROR, "Errors since it was opened last: %d, the newest at %s: %s");
    report(latest, EngineLog.Kind.STOP, "Stops of writes since it was opened last: %d, the newest at %s: %s");
    report(latest, EngineLog.Kind.SLOWDOWN, "Slowdowns of writes since it was opened last: %d, the newest at %s: %s");
  }

  private void report(List<EngineLog.Entry> entries, EngineLog.Kind kind, String text) {
    List<EngineLog.Entry> found = entries.stream().filter(entry -> entry.kind() == kind).toList();
    if (!found.isEmpty()) {
      findings.add(text.formatted(found.size(), found.getLast().time(), found.getLast().what()));
    }
  }

  private void checkFamily(FamilyReport report, List<FamilyFiles.LiveFile> files, Map<String, String> settings) {
    String name = "The family '" + report.name() + "'";
    long unordered = files.stream().filter(file -> file.level() == 0).count();
    int slow = Integer.parseInt(settings.getOrDefault("level0_slowdown_writes_trigger", "20"));
    if (unordered >= slow && settings.getOrDefault("compaction_style", "kCompactionStyleLevel").endsWith("Level")) {
      findings.add(
          name + " has " + unordered + " files on level 0, and writes are slowed down from " + slow
              + " on: compactions do not keep up, or are disabled.");
    }
    long entries = files.stream().mapToLong(FamilyFiles.LiveFile::entries).sum();
    long deletions = files.stream().mapToLong(FamilyFiles.LiveFile::deletions).sum();
    if (report.tables().compareTo(SMALL) > 0) {
      if (deletions > MANY_DELETIONS * entries) {
        findings.add(
            "%s consists of deletions by %.0f %%, which scans pass over: compact it.".formatted(name,
                100.0 * deletions / entries));
      }
      if (report.tables().bytes() > MUCH_WASTE * report.estimatedLiveData().bytes()) {
        findings.add(
            name + " takes " + RowPrinter.text(report.tables()) + " for about "
                + RowPrinter.text(report.estimatedLiveData())
                + " of rows: compact it.");
      }
    }
  }

  private void checkDisk(RocksDb db) throws IOException {
    ByteSize log = database.logSize();
    if (log.compareTo(LONG_LOG) > 0) {
      findings.add(
          "The log has " + RowPrinter.text(log)
              + ", which the next opening reads: a family that is seldom written may keep it, so "
              + "set max_total_wal_size.");
    }
    long needed = db.metrics().families().stream().mapToLong(family -> family.compactionDebt().bytes()).sum();
    long left = Files.getFileStore(database.folder()).getUsableSpace();
    long largest = db.files().live().stream().mapToLong(file -> file.size().bytes()).max().orElse(0);
    long room = Math.max(needed, 2 * largest);
    if (left < room) {
      findings.add(
          "The disk has " + RowPrinter.text(ByteSize.bytes(left)) + " left, and compactions may need "
              + RowPrinter.text(ByteSize.bytes(room)) + ".");
    }
  }
}
