/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.cli.reports;

import java.io.EOFException;
import java.io.IOException;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.rocksdbffm.ByteSize;
import org.rocksdbffm.ColumnFamily;
import org.rocksdbffm.DatabaseOptions;
import org.rocksdbffm.FamilyOptions;
import org.rocksdbffm.KeyOrder;
import org.rocksdbffm.Opening;
import org.rocksdbffm.Repair;
import org.rocksdbffm.RocksDb;
import org.rocksdbffm.RocksDbException;
import org.rocksdbffm.TableReader;
import org.rocksdbffm.cli.arguments.CommandFolder;
import org.rocksdbffm.cli.arguments.Notations;
import org.rocksdbffm.cli.arguments.Range;
import org.rocksdbffm.cli.frame.ByteNotation;
import org.rocksdbffm.cli.frame.Command;
import org.rocksdbffm.cli.frame.ExitCode;
import org.rocksdbffm.cli.frame.Output;
import org.rocksdbffm.cli.frame.ProgressLine;
import org.rocksdbffm.cli.frame.RowPrinter;
import org.rocksdbffm.internal.format.Fields;
import org.rocksdbffm.internal.format.TableProperties;
import org.rocksdbffm.internal.options.MergeOperatorName;
import org.rocksdbffm.reports.InfoLog;
import picocli.CommandLine;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Prints the properties of table files, or their rows. */
@CommandLine.Command(
    name = "sst",
    description = {
      "Prints the properties of a table file, its rows as a database shows them, or all its entries.",
      "Of several files, or those of a folder, it prints a row each."
    })
public final class Sst extends Command {
  private static final String COMPARATOR = "rocksdb.comparator";
  private static final String MERGE_OPERATOR = "rocksdb.merge.operator";
  private static final String NONE = "nullptr"; // in OPTIONS files
  private static final Pattern TEXTS =
      Pattern.compile(".*(name|identity|policy|operator|comparator|compression|filters|filtering)");
  private static final Set<String> FIXED =
      Set.of("rocksdb.block.based.table.index.type", "rocksdb.external_sst_file.version",
          "rocksdb.external_sst_file.global_seqno");

  private static final byte[] NO_NUMBER = {0};

  @Mixin private Notations notations;
  @Mixin private Range range;

  @Parameters(paramLabel = "FILE", arity = "1..*",
      description = "table files, or folders of them; they need not be part of a database")
  private List<Path> paths;

  @Option(names = "--rows", description = "print rows: the newest of each key that is not deleted")
  private boolean rows;

  @Option(names = "--entries", description = {
      "print all entries with their sequence numbers: also deletions and older versions of keys;",
      "range deletions come first, and have the exclusive end of the range as their value"})
  private boolean entries;

  @Option(names = {"-n", "--limit"}, paramLabel = "ROWS", description = "at most so many rows or entries")
  private long limit = Long.MAX_VALUE;

  /** Ends the visit of a table at the limit. */
  private static final class LimitReached extends RuntimeException {
    private static final long serialVersionUID = 1;

    LimitReached() {
      super("the limit is reached", null, false, false);
    }
  }

  private ExitCode code = ExitCode.DONE;
  private long done;

  @Override
  protected ExitCode run(Output out) throws IOException {
    List<Path> files = files();
    if (entries) {
      if (rows || !range.isAll()) {
        throw new IllegalArgumentException("--entries prints whole tables: leave out --rows and ranges of keys");
      }
      try (RowPrinter table = out.rows("sequence", "kind", "key", "value")) {
        printEntries(table, files);
      }
    } else if (rows) {
      try (RowPrinter table = out.rows(notations.columns());
          ProgressLine progress = out.progressOfRows(() -> 0)) {
        for (Path file : files) {
          printRows(table, progress, file, properties(file));
        }
      }
    } else if (files.size() == 1) {
      try (RowPrinter table = out.table("property", "value")) {
        properties(files.getFirst()).forEach((name, value) -> table.row(name, value(name, value)));
      }
    } else {
      printEach(out, files);
    }
    return code;
  }

  private List<Path> files() throws IOException {
    List<Path> files = new ArrayList<>();
    for (Path path : paths) {
      if (Files.isDirectory(path)) {
        try (Stream<Path> all = Files.list(path)) {
          all.filter(file -> file.toString().endsWith(".sst")).sorted().forEach(files::add);
        }
      } else {
        files.add(path);
      }
    }
    if (files.isEmpty()) {
      throw new IllegalArgumentException(paths.getFirst() + " has no table files");
    }
    return files;
  }

  private void printEntries(RowPrinter table, List<Path> files) {
    try {
      for (Path file : files) {
        TableReader.of(file).forEach((kind, sequence, key, value) -> {
          if (limit-- <= 0) {
            throw new LimitReached();
          }
          table.row(
              sequence,
              kind.name().toLowerCase(Locale.ROOT).replace('_', ' '),
              notations.keys().cell(key.toArray(ValueLayout.JAVA_BYTE)),
              notations.values().cell(value.toArray(ValueLayout.JAVA_BYTE)));
        });
      }
    } catch (LimitReached end) {
      return;
    }
  }

  private static Map<String, byte[]> properties(Path file) throws IOException {
    try {
      return new TreeMap<>(TableProperties.allOf(file));
    } catch (Fields.Unreadable | EOFException e) {
      throw new IOException(file + " cannot be read as a table file: " + e.getMessage(), e);
    }
  }

  private void printEach(Output out, List<Path> files) throws IOException {
    try (RowPrinter table = out.table("file", "family", "size", "entries", "deletions", "order", "damage");
        ProgressLine progress = out.progress(files.size())) {
      for (int i = 0; i < files.size(); i++) {
        Path file = files.get(i);
        progress.at(i);
        ByteSize size = ByteSize.bytes(Files.size(file));
        try {
          Map<String, byte[]> properties = properties(file);
          table.row(
              file,
              text(properties, "rocksdb.column.family.name"),
              size,
              value("", properties.getOrDefault("rocksdb.num.entries", NO_NUMBER)),
              value("", properties.getOrDefault("rocksdb.deleted.keys", NO_NUMBER)),
              text(properties, COMPARATOR),
              null);
        } catch (IOException e) {
          code = ExitCode.NO;
          table.row(file, null, size, null, null, null, e.getMessage());
        }
      }
    }
  }

  private static Object value(String name, byte[] value) {
    if (TEXTS.matcher(name).matches()) {
      return ByteNotation.TEXT.cell(value);
    }
    if (FIXED.contains(name)) {
      return ByteBuffer.wrap(Arrays.copyOf(value, Long.BYTES)).order(ByteOrder.LITTLE_ENDIAN).getLong();
    }
    Fields fields = new Fields(value, 0, value.length);
    try {
      long number = fields.varint();
      return fields.isAtEnd() ? number : ByteNotation.TEXT.cell(value);
    } catch (Fields.Unreadable e) {
      return ByteNotation.TEXT.cell(value);
    }
  }

  /** Prints rows. The engine only reads tables of databases, so a database with a link to the file is created. */
  private void printRows(RowPrinter table, ProgressLine progress, Path file, Map<String, byte[]> properties)
      throws IOException {
    FamilyOptions options = options(file, properties);
    try (CommandFolder temporary = CommandFolder.create()) {
      Files.createSymbolicLink(temporary.path().resolve("000001.sst"), file.toRealPath());
      DatabaseOptions quiet = DatabaseOptions.defaults().infoLog(InfoLog.none());
      boolean isExternal = !Repair.of(temporary.path(), quiet, options).setAside().isEmpty();
      Opening opening = RocksDb.at(temporary.path()).options(quiet).defaults(options);
      try (RocksDb db = isExternal ? ingested(opening, file) : opening.openReadOnly()) {
        for (ColumnFamily family : db.families()) {
          print(family, table, progress);
        }
      } catch (RocksDbException e) {
        if (e.getMessage().contains("blob file")) {
          throw new IllegalStateException(file
              + " has values in blob files, which are read as part of their database alone", e);
        }
        throw e;
      }
    }
  }

  /** Ingests a copy of a table that a repair sets aside: no database has written it, so it names no family. */
  private static RocksDb ingested(Opening opening, Path file) {
    RocksDb db = opening.open();
    try {
      db.family(RocksDb.DEFAULT_COLUMN_FAMILY).files().ingest(file);
      return db;
    } catch (RocksDbException e) {
      db.close();
      throw new IllegalStateException(
          file + " cannot be read as part of a database: --entries prints its entries, or its damage", e);
    }
  }

  private void print(ColumnFamily family, RowPrinter table, ProgressLine progress) {
    try (var scan = family.scan(range.in(notations.keys()))) {
      while (limit > 0 && scan.next()) {
        limit--;
        progress.at(++done);
        table.row(notations.cells(scan.keyBytes(), scan.valueBytes()));
      }
    }
  }

  private FamilyOptions options(Path file, Map<String, byte[]> properties) {
    String order = text(properties, COMPARATOR);
    KeyOrder known = Arrays.stream(KeyOrder.values())
        .filter(each -> each.id().equals(order))
        .findAny()
        .orElseThrow(() ->
            new IllegalArgumentException(file + " has rows in the order " + order + ", which is not known here"));
    FamilyOptions options = FamilyOptions.defaults().keyOrder(known);
    String operator = text(properties, MERGE_OPERATOR);
    if (operator.isEmpty() || operator.equals(NONE)) {
      return options;
    }
    MergeOperatorName name = new MergeOperatorName(operator, null);
    return name.isMadeByTheEngine()
        ? options.option("merge_operator", operator)
        : notations.operands().in(options, name);
  }

  private static String text(Map<String, byte[]> properties, String name) {
    return new String(properties.getOrDefault(name, new byte[0]), StandardCharsets.UTF_8);
  }
}
