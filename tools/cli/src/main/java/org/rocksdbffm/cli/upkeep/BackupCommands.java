/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.cli.upkeep;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicLong;
import org.rocksdbffm.Backup;
import org.rocksdbffm.Backups;
import org.rocksdbffm.RocksDb;
import org.rocksdbffm.RocksDbException;
import org.rocksdbffm.cli.arguments.Database;
import org.rocksdbffm.cli.frame.Command;
import org.rocksdbffm.cli.frame.ExitCode;
import org.rocksdbffm.cli.frame.Output;
import org.rocksdbffm.cli.frame.ProgressLine;
import org.rocksdbffm.cli.frame.RowPrinter;
import picocli.CommandLine;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Creates, lists, verifies, restores and deletes backups. */
@CommandLine.Command(
    name = "backup",
    description = "Makes, lists, verifies, restores and deletes backups.",
    subcommands = {
      BackupCommands.Create.class,
      BackupCommands.ListAll.class,
      BackupCommands.Check.class,
      BackupCommands.Restore.class,
      BackupCommands.Purge.class
    })
public final class BackupCommands {
  @Option(names = {"-h", "--help"}, usageHelp = true, description = "show this help")
  private boolean help;

  /** Works on existing backups. */
  private abstract static class OfBackups extends Command {
    @Parameters(index = "0", paramLabel = "BACKUPS", description = "folder of the backups")
    private Path folder;

    final Backups open() {
      if (!Files.isDirectory(folder.resolve("meta"))) {
        throw new IllegalArgumentException(folder + " has no backups: it has no folder 'meta'");
      }
      return Backups.open(folder);
    }
  }

  private static RowPrinter table(Output out) {
    return out.table("backup", "time", "size", "files", "note");
  }

  private static void row(RowPrinter table, Backup backup) {
    table.row(backup.id(), backup.time(), backup.size(), backup.files(), backup.note());
  }

  /** Creates a backup. */
  @CommandLine.Command(name = "create", description = "Makes a backup; the folder of backups is made if it is missing.")
  static final class Create extends Command {
    @Mixin private Database database;

    @Parameters(index = "1", paramLabel = "BACKUPS", description = "folder of the backups")
    private Path target;

    @Option(names = "--note", paramLabel = "TEXT", description = "a text that is kept with it")
    private String note = "";

    @Override
    protected ExitCode run(Output out) {
      try (RocksDb db = database.open();
          Backups backups = Backups.open(target);
          ProgressLine progress = out.progress(0);
          RowPrinter table = table(out)) {
        row(table, backups.create(db, note, each -> progress.at(each.copied().bytes(), each.total().bytes())));
      }
      return ExitCode.DONE;
    }
  }

  /** Lists backups. */
  @CommandLine.Command(name = "list", description = "Lists backups.")
  static final class ListAll extends OfBackups {
    @Override
    protected ExitCode run(Output out) {
      try (Backups backups = open();
          RowPrinter table = table(out)) {
        backups.list().forEach(backup -> row(table, backup));
      }
      return ExitCode.DONE;
    }
  }

  /** Verifies backups. */
  @CommandLine.Command(name = "verify",
      description = "Compares the checksums of backups; exit code 1 if one is damaged.")
  static final class Check extends OfBackups {
    @Override
    protected ExitCode run(Output out) {
      ExitCode code = ExitCode.DONE;
      AtomicLong done = new AtomicLong();
      try (Backups backups = open();
          RowPrinter table = out.table("backup", "files", "damage");
          ProgressLine _ = out.progress(backups.list().size()).watch(done::get)) {
        for (Backup backup : backups.list()) {
          String damage = damage(backups, backup.id());
          code = damage == null ? code : ExitCode.NO;
          table.row(backup.id(), backup.files(), damage);
          done.incrementAndGet();
        }
      }
      return code;
    }

    private static String damage(Backups backups, int id) {
      try {
        backups.verify(id);
        return null;
      } catch (RocksDbException e) {
        return e.getMessage();
      }
    }
  }

  /** Restores a backup. */
  @CommandLine.Command(name = "restore",
      description = "Restores the newest backup, or the one that is named, to a folder.")
  static final class Restore extends OfBackups {
    private static final String RESTORING = ".restoring"; // the suffix of an incomplete database

    @Parameters(index = "1", paramLabel = "DIR",
        description = "folder of the database, which must not exist or be empty")
    private Path target;

    @Option(names = "--id", paramLabel = "BACKUP", description = "number of the backup")
    private Integer id;

    @Override
    protected ExitCode run(Output out) throws Exception {
      try (Backups backups = open()) {
        long size = backups.list().stream()
            .filter(backup -> id == null || backup.id() == id)
            .mapToLong(backup -> backup.size().bytes())
            .reduce(0, (older, newer) -> newer);
        Database.at(target).make(made -> {
          Path incomplete = made.resolveSibling(made.getFileName() + RESTORING);
          try (ProgressLine _ = out.progress(size).watch(new NewFiles(incomplete, made)::bytes)) {
            if (id == null) {
              backups.restoreLatest(made);
            } else {
              backups.restore(id, made);
            }
          }
        });
      }
      return ExitCode.DONE;
    }
  }

  /** Deletes old backups. */
  @CommandLine.Command(name = "purge", description = "Deletes all backups but the newest.")
  static final class Purge extends OfBackups {
    @Option(names = "--keep", required = true, paramLabel = "COUNT", description = "how many stay")
    private int keep;

    @Override
    protected ExitCode run(Output out) {
      try (Backups backups = open();
          RowPrinter table = table(out)) {
        purge(backups, out);
        backups.list().forEach(backup -> row(table, backup));
      }
      return ExitCode.DONE;
    }

    /** Deletes one backup with each call, the oldest first, because a call reports nothing before its end. */
    private void purge(Backups backups, Output out) {
      if (keep < 0) {
        throw new IllegalArgumentException("--keep: " + keep + " backups cannot stay");
      }
      int size = backups.list().size();
      AtomicLong done = new AtomicLong();
      try (ProgressLine progress = out.progress(size - keep).watch(done::get)) {
        for (int left = size - 1; left > keep; left--) {
          backups.keepLatest(left);
          progress.at(done.incrementAndGet());
        }
        backups.keepLatest(keep); // also deletes the remains of interrupted backups
      }
    }
  }
}
