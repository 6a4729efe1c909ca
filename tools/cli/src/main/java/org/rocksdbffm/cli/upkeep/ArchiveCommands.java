/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.cli.upkeep;

import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicLong;
import org.rocksdbffm.ByteSize;
import org.rocksdbffm.archive.Archive;
import org.rocksdbffm.archive.Damage;
import org.rocksdbffm.archive.ObjectStore;
import org.rocksdbffm.archive.Target;
import org.rocksdbffm.cli.arguments.Age;
import org.rocksdbffm.cli.arguments.Database;
import org.rocksdbffm.cli.arguments.Time;
import org.rocksdbffm.cli.frame.Command;
import org.rocksdbffm.cli.frame.ExitCode;
import org.rocksdbffm.cli.frame.Output;
import org.rocksdbffm.cli.frame.ProgressLine;
import org.rocksdbffm.cli.frame.RowPrinter;
import picocli.CommandLine;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/**
 * Lists, verifies, restores and prunes archives. No command archives a database: only the process that has it open can
 * retain its files until they are copied.
 */
@CommandLine.Command(
    name = "archive",
    description = "Lists, verifies, restores and prunes archives, which programs write with rocksdb-ffm-archive.",
    subcommands = {
      ArchiveCommands.ListAll.class,
      ArchiveCommands.Check.class,
      ArchiveCommands.Restore.class,
      ArchiveCommands.Prune.class
    })
public final class ArchiveCommands {
  @Option(names = {"-h", "--help"}, usageHelp = true, description = "show this help")
  private boolean help;

  /** Works on an existing archive. */
  private abstract static class OfArchive extends Command {
    @Parameters(index = "0", paramLabel = "ARCHIVE", description = "folder of the archive, or a URI such as s3://...")
    private String where;

    private final AtomicLong requests = new AtomicLong();

    @Override
    protected final ExitCode run(Output out) throws Exception {
      System.setProperty("slf4j.internal.verbosity", "ERROR"); // Amazon's SDK logs to SLF4J, which would miss a logger
      try (ObjectStore store = new CountedStore(ObjectStore.at(where), requests)) {
        Archive archive = Archive.in(store);
        Archive.Contents contents = watched(out, archive::list);
        if (contents.entries() == 0) {
          throw new IllegalArgumentException(where + " has no archive: it has no objects 'log/...'");
        }
        return run(archive, contents, out);
      }
    }

    abstract ExitCode run(Archive archive, Archive.Contents contents, Output out) throws Exception;

    /** Shows the number of requests to the store as the progress of a call. */
    final <T> T watched(Output out, Callable<T> call) throws Exception {
      try (ProgressLine _ = out.progress(0).watch(requests::get)) {
        return call.call();
      }
    }
  }

  /** Lists bases. */
  @CommandLine.Command(name = "list", description = "Lists the bases of an archive, and its newest state.")
  static final class ListAll extends OfArchive {
    @Override
    ExitCode run(Archive archive, Archive.Contents contents, Output out) {
      try (RowPrinter table = out.table("state", "time", "number", "files", "size")) {
        for (Archive.Base base : contents.bases()) {
          table.row("base", base.time(), base.sequence(), base.files(), ByteSize.bytes(base.bytes()));
        }
        table.row("newest", contents.newest(), contents.sequence(), null, null);
      }
      return ExitCode.DONE;
    }
  }

  /** Verifies an archive. */
  @CommandLine.Command(name = "verify",
      description = "Reads all objects that restores need; exit code 1 if one is missing or damaged.")
  static final class Check extends OfArchive {
    @Override
    ExitCode run(Archive archive, Archive.Contents contents, Output out) throws Exception {
      Archive.Verified verified = watched(out, archive::verify);
      try (RowPrinter table = out.table("object", "damage")) {
        for (Damage damage : verified.damages()) {
          table.row(damage.object(), damage.getMessage());
        }
      }
      try (RowPrinter table = out.table("bases", "entries", "files", "size", "damages")) {
        table.row(
            verified.bases(), verified.entries(), verified.files(), ByteSize.bytes(verified.bytes()),
            verified.damages().size());
      }
      return verified.damages().isEmpty() ? ExitCode.DONE : ExitCode.NO;
    }
  }

  /** Restores a state. */
  @CommandLine.Command(name = "restore",
      description = "Restores the newest state, or the named one, to a new folder. Prints the state.")
  static final class Restore extends OfArchive {
    @Parameters(index = "1", paramLabel = "DIR",
        description = "folder of the database, which must not exist or be empty")
    private Path target;

    @ArgGroup private State state;

    /** The options that name a state. */
    static final class State {
      @Option(names = "--number", paramLabel = "NUMBER", description = "the sequence number of the last write")
      private Long number;

      @Option(names = "--time", paramLabel = "TIME", converter = Time.class,
          description = "the newest state until then, such as 2026-05-31T09:00:00Z")
      private Instant time;

      private Target target() {
        return number != null ? Target.sequence(number) : Target.time(time);
      }
    }

    @Override
    ExitCode run(Archive archive, Archive.Contents contents, Output out) throws Exception {
      Database.at(target).requireNew();
      Archive.Restored restored;
      try (ProgressLine progress = out.progress(0)) {
        restored = archive.restore(target, state == null ? Target.newest() : state.target(), progress::at);
      }
      try (RowPrinter table = out.table("time", "number", "base size")) {
        table.row(restored.time(), restored.sequence(), ByteSize.bytes(restored.bytes()));
      }
      return ExitCode.DONE;
    }
  }

  /** Deletes old states. */
  @CommandLine.Command(name = "prune",
      description = "Deletes objects that are only needed for old states. The newest base always stays.")
  static final class Prune extends OfArchive {
    @Option(names = "--all-states", required = true, paramLabel = "AGE", converter = Age.class,
        description = "keep each state that is younger, such as 12h, 7d")
    private Duration allStates;

    @Option(names = "--between", required = true, paramLabel = "AGE", converter = Age.class,
        description = "of older bases, keep one for each such time")
    private Duration between;

    @Option(names = "--bases-for", required = true, paramLabel = "AGE", converter = Age.class,
        description = "delete bases that are older")
    private Duration basesFor;

    @Override
    ExitCode run(Archive archive, Archive.Contents contents, Output out) throws Exception {
      Archive.Policy policy = new Archive.Policy(allStates, between, basesFor);
      Archive.Pruned pruned = watched(out, () -> archive.prune(policy));
      try (RowPrinter table = out.table("bases", "deleted", "size")) {
        table.row(pruned.bases(), pruned.objects(), ByteSize.bytes(pruned.bytes()));
      }
      return ExitCode.DONE;
    }
  }
}
