/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.cli.reports;

import java.io.IOException;
import java.util.List;
import java.util.Set;
import org.rocksdbffm.cli.arguments.Database;
import org.rocksdbffm.cli.frame.Command;
import org.rocksdbffm.cli.frame.ExitCode;
import org.rocksdbffm.cli.frame.Output;
import org.rocksdbffm.cli.frame.RowPrinter;
import picocli.CommandLine;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Prints the engine's background work, and failures. */
@CommandLine.Command(
    name = "events",
    description = "Prints flushes, compactions, stalls and errors, from the database's files LOG; times are local.")
public final class EventsCommand extends Command {
  @Mixin private Database database;

  @Option(names = "--kind", split = ",", paramLabel = "KIND", description = "only these: ${COMPLETION-CANDIDATES}")
  private Set<EngineLog.Kind> kinds = Set.of(EngineLog.Kind.values());

  @Option(names = {"-n", "--limit"}, paramLabel = "ROWS", description = "the last so many")
  private int limit = Integer.MAX_VALUE;

  @Override
  protected ExitCode run(Output out) throws IOException {
    database.requireExisting();
    List<EngineLog.Entry> entries =
        EngineLog.in(database.folder()).entries().stream().filter(entry -> kinds.contains(entry.kind())).toList();
    try (RowPrinter table = out.table("time", "event", "family", "in", "out", "seconds", "what")) {
      for (EngineLog.Entry entry : entries.subList(Math.max(0, entries.size() - Math.max(0, limit)), entries.size())) {
        table.row(
            entry.time(),
            entry.kind(),
            entry.family(),
            entry.in(),
            entry.out(),
            entry.seconds(),
            entry.what());
      }
    }
    return ExitCode.DONE;
  }
}
