/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.cli;

import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.TreeSet;

import org.rocksdbffm.StoredOptions;
import org.rocksdbffm.cli.arguments.Database;
import org.rocksdbffm.cli.frame.Command;
import org.rocksdbffm.cli.frame.ExitCode;
import org.rocksdbffm.cli.frame.Output;
import org.rocksdbffm.cli.frame.Table;

import picocli.CommandLine;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Prints and compares the options that databases were opened with last. */
@CommandLine.Command(
    name = "options",
    description = "Prints and compares the options that databases were opened with last.",
    subcommands = {OptionCommands.Show.class, OptionCommands.Differences.class})
final class OptionCommands {
  @Option(names = {"-h", "--help"}, usageHelp = true, description = "show this help")
  private boolean help;

  /** The options of the whole under "database", those of a family under its name in quotation marks. */
  private static Map<String, Map<String, String>> stored(Path folder) {
    StoredOptions stored = Database.at(folder).stored();
    Map<String, Map<String, String>> options = new TreeMap<>();
    options.put("database", new TreeMap<>(stored.database().settings()));
    stored.families().forEach((name, family) -> {
      options.put("'" + name + "'", new TreeMap<>(family.settings()));
      options.put("'" + name + "' tables", new TreeMap<>(family.table().settings()));
    });
    return options;
  }

  /** Prints options. */
  @CommandLine.Command(name = "show", description = "Prints options.")
  static final class Show extends Command {
    @Parameters(paramLabel = "DIR", description = "folder of the database")
    private Path folder;

    @Override
    protected ExitCode run(Output out) {
      try (Table table = out.table("of", "option", "value")) {
        stored(folder).forEach((of, options) -> options.forEach((name, value) -> table.row(of, name, value)));
      }
      return ExitCode.DONE;
    }
  }

  /** Compares options. */
  @CommandLine.Command(name = "diff", description = "Compares the options of two databases; exit code 1 if they differ.")
  static final class Differences extends Command {
    @Parameters(index = "0", paramLabel = "A", description = "folder of a database")
    private Path first;

    @Parameters(index = "1", paramLabel = "B", description = "folder of another one")
    private Path second;

    @Override
    protected ExitCode run(Output out) {
      Map<String, Map<String, String>> a = stored(first);
      Map<String, Map<String, String>> b = stored(second);
      boolean differ = false;
      try (Table table = out.table("of", "option", "a", "b")) {
        for (String of : both(a, b)) {
          Map<String, String> ofA = a.getOrDefault(of, Map.of());
          Map<String, String> ofB = b.getOrDefault(of, Map.of());
          for (String name : both(ofA, ofB)) {
            if (!Objects.equals(ofA.get(name), ofB.get(name))) {
              table.row(of, name, ofA.get(name), ofB.get(name));
              differ = true;
            }
          }
        }
      }
      return differ ? ExitCode.NO : ExitCode.DONE;
    }

    private static TreeSet<String> both(Map<String, ?> a, Map<String, ?> b) {
      TreeSet<String> names = new TreeSet<>(a.keySet());
      names.addAll(b.keySet());
      return names;
    }
  }
}
