/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.cli.upkeep;

import java.nio.file.Path;
import org.rocksdbffm.RocksDb;
import org.rocksdbffm.cli.arguments.Database;
import org.rocksdbffm.cli.frame.Command;
import org.rocksdbffm.cli.frame.ExitCode;
import org.rocksdbffm.cli.frame.Output;
import org.rocksdbffm.cli.frame.ProgressLine;
import picocli.CommandLine;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** Copies a database to a new folder, with hard links if possible. */
@CommandLine.Command(name = "checkpoint",
    description = "Copies a database to a new folder, by hard links where it can.")
public final class CheckpointCommand extends Command {
  private static final String STAGING = ".tmp"; // the suffix of an incomplete copy

  @Mixin private Database database;

  @Parameters(index = "1", paramLabel = "TARGET", description = "folder of the copy, which must not exist")
  private Path target;

  @Override
  protected ExitCode run(Output out) {
    Path beside = target.resolveSibling(target.getFileName() + STAGING);
    try (RocksDb db = database.open();
        ProgressLine _ = out.progress(bytes(db)).watch(new NewFiles(beside, target)::bytes)) {
      db.files().checkpoint(target);
    }
    return ExitCode.DONE;
  }

  private static long bytes(RocksDb db) {
    return db.files().live().stream().mapToLong(file -> file.size().bytes()).sum();
  }
}
