/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.cli.reports;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.rocksdbffm.FamilyOptions;
import org.rocksdbffm.RocksDb;
import org.rocksdbffm.StoredOptions;
import org.rocksdbffm.cli.arguments.CommandFolder;
import org.rocksdbffm.cli.arguments.Database;
import org.rocksdbffm.cli.frame.Command;
import org.rocksdbffm.cli.frame.ExitCode;
import org.rocksdbffm.cli.frame.Output;
import org.rocksdbffm.cli.frame.RowPrinter;
import org.rocksdbffm.internal.folder.OptionsFile;
import org.rocksdbffm.internal.options.table.OptionTable;
import picocli.CommandLine;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Prints, compares and checks the options of the last opening of databases. */
@CommandLine.Command(
    name = "options",
    description = "Prints, compares and checks the options that databases were opened with last.",
    subcommands = {OptionCommands.Show.class, OptionCommands.Differences.class, OptionCommands.Check.class})
public final class OptionCommands {
  private static final String TABLES = " tables"; // suffix of a family's name, for its table options

  @Option(names = {"-h", "--help"}, usageHelp = true, description = "show this help")
  private boolean help;

  /** Returns the database's options under the key "database", and each family's options under its quoted name. */
  private static Map<String, Map<String, String>> stored(Database database) {
    StoredOptions stored = database.stored();
    Map<String, Map<String, String>> options = new LinkedHashMap<>();
    options.put("database", new TreeMap<>(stored.database().settings()));
    stored.families().keySet().stream().sorted(Database.BY_NAME).forEach(name -> {
      FamilyOptions family = stored.families().get(name);
      options.put("'" + name + "'", new TreeMap<>(family.settings()));
      options.put("'" + name + "'" + TABLES, new TreeMap<>(family.table().settings()));
    });
    return options;
  }

  /** Prints options. */
  @CommandLine.Command(name = "show", description = "Prints options.")
  static final class Show extends Command {
    @Mixin private Database database;

    @Option(names = "--changed", description = "only those that differ from the engine's defaults")
    private boolean changed;

    @Override
    protected ExitCode run(Output out) throws IOException {
      Map<String, Map<String, String>> defaults = changed ? defaults() : Map.of();
      try (RowPrinter table = out.fitted("of", "option", "value")) {
        stored(database).forEach((of, options) -> {
          Map<String, String> values = defaults.getOrDefault(of.replaceFirst("(?s)^'.*'", "'default'"), Map.of());
          options.forEach((name, value) -> {
            if (!value.equals(values.get(name))) {
              table.row(of, name, value);
            }
          });
        });
      }
      return ExitCode.DONE;
    }

    /** Returns the default options as the engine stores them. */
    private static Map<String, Map<String, String>> defaults() throws IOException {
      try (CommandFolder temporary = CommandFolder.create()) {
        Path made = temporary.path().resolve("database");
        RocksDb.open(made).close();
        return stored(Database.at(made));
      }
    }
  }

  /** Compares options. */
  @CommandLine.Command(name = "diff",
      description = "Compares the options of two databases; exit code 1 if they differ.")
  static final class Differences extends Command {
    @Parameters(index = "0", paramLabel = "A", description = "folder of a database")
    private Path first;

    @Parameters(index = "1", paramLabel = "B", description = "folder of another one")
    private Path second;

    private boolean differ;

    @Override
    protected ExitCode run(Output out) {
      Map<String, Map<String, String>> a = stored(Database.at(first));
      Map<String, Map<String, String>> b = stored(Database.at(second));
      try (RowPrinter table = out.fitted("of", "option", "a", "b")) {
        both(a, b).forEach(of -> {
          if (a.containsKey(of) && b.containsKey(of)) {
            compare(table, of, a.get(of), b.get(of));
          } else if (!of.endsWith("'" + TABLES)) {
            differ = true;
            table.row(of, "(only in " + (a.containsKey(of) ? first : second) + ")", null, null);
          }
        });
      }
      return differ ? ExitCode.NO : ExitCode.DONE;
    }

    private void compare(RowPrinter table, String of, Map<String, String> a, Map<String, String> b) {
      both(a, b).sorted().forEach(name -> {
        if (!Objects.equals(a.get(name), b.get(name))) {
          differ = true;
          table.row(of, name, a.get(name), b.get(name));
        }
      });
    }

    private static Stream<String> both(Map<String, ?> a, Map<String, ?> b) {
      return Stream.concat(a.keySet().stream(), b.keySet().stream()).distinct();
    }
  }

  /** Checks options. */
  @CommandLine.Command(
      name = "check",
      description = "Names the options that rocksdb-ffm does not open with unless it is made to, and why; exit code "
          + "1 if there are some.")
  static final class Check extends Command {
    @Parameters(paramLabel = "DIR", description = "folder of the database, or a file of options")
    private Path path;

    private boolean isSound = true;

    @Override
    protected ExitCode run(Output out) throws IOException {
      OptionsFile file = read();
      try (RowPrinter table = out.table("of", "option", "value", "refused")) {
        file.database().forEach((name, value) -> {
          if (!OptionTable.PRESENCE.contains(name)) {
            check(table, "database", OptionTable.DATABASE, name, value);
          }
        });
        file.families().forEach((family, options) -> {
          options.forEach((name, value) -> check(table, family, OptionTable.FAMILY, name, value));
          file.table(family).forEach((name, value) -> check(table, family, OptionTable.TABLE, name, value));
        });
      }
      return isSound ? ExitCode.DONE : ExitCode.NO;
    }

    private OptionsFile read() throws IOException {
      OptionsFile file = Files.isDirectory(path) ? OptionsFile.newest(path) : OptionsFile.read(path, name -> true);
      if (file == null) {
        throw new IllegalArgumentException(path + " is no database: it has no file of options");
      }
      return file;
    }

    private void check(RowPrinter table, String of, String scope, String name, String value) {
      try {
        OptionTable.check(scope, name, value);
      } catch (IllegalArgumentException e) {
        isSound = false;
        table.row(of, name, value, e.getMessage());
      }
    }
  }
}
