/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.cli.reports;

import java.util.List;
import org.rocksdbffm.FamilyFiles;
import org.rocksdbffm.RocksDb;
import org.rocksdbffm.cli.arguments.FamilyArguments;
import org.rocksdbffm.cli.frame.ByteNotation;
import org.rocksdbffm.cli.frame.Command;
import org.rocksdbffm.cli.frame.ExitCode;
import org.rocksdbffm.cli.frame.Output;
import org.rocksdbffm.cli.frame.RowPrinter;
import picocli.CommandLine;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Prints the levels of a column family, or its table files. */
@CommandLine.Command(name = "levels", description = "Prints the levels of a column family, or its table files.")
public final class Levels extends Command {
  @Mixin private FamilyArguments family;

  @Option(names = "--files", description = "a row for each file")
  private boolean files;

  @Option(names = {"-k", "--key"}, description = "notation of keys: ${COMPLETION-CANDIDATES} (default: text)")
  private ByteNotation notation = ByteNotation.TEXT;

  @Override
  protected ExitCode run(Output out) {
    try (RocksDb db = family.openTables()) {
      List<FamilyFiles.Level> levels = family.in(db).files().levels();
      if (files) {
        printFiles(out, levels);
      } else {
        printLevels(out, levels);
      }
    }
    return ExitCode.DONE;
  }

  private static void printLevels(Output out, List<FamilyFiles.Level> levels) {
    double all = levels.stream().mapToLong(level -> level.size().bytes()).sum();
    try (RowPrinter table = out.table("level", "files", "size", "entries", "deletions", "share")) {
      for (FamilyFiles.Level level : levels) {
        table.row(
            level.number(),
            level.files().size(),
            level.size(),
            level.files().stream().mapToLong(FamilyFiles.LiveFile::entries).sum(),
            level.files().stream().mapToLong(FamilyFiles.LiveFile::deletions).sum(),
            new RowPrinter.Bar(all == 0 ? 0 : level.size().bytes() / all));
      }
    }
  }

  private void printFiles(Output out, List<FamilyFiles.Level> levels) {
    try (RowPrinter table = out.table("level", "file", "size", "entries", "deletions", "smallest", "largest")) {
      for (FamilyFiles.Level level : levels) {
        for (FamilyFiles.LiveFile file : level.files()) {
          table.row(
              level.number(),
              file.path().getFileName(),
              file.size(),
              file.entries(),
              file.deletions(),
              notation.cell(file.smallestKey()),
              notation.cell(file.largestKey()));
        }
      }
    }
  }
}
