/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.sun.management.ThreadMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.rocksdb.RocksDBException;
import org.rocksdbffm.DatabaseOptions;
import org.rocksdbffm.FamilyFiles;
import org.rocksdbffm.FamilyOptions;
import org.rocksdbffm.RocksDb;
import org.rocksdbffm.TableWriter;

/** Files, sizes and options of a database are printed. */
class ReportsTest {
  @TempDir private Path folder;

  @ParameterizedTest
  @EnumSource
  void infoNamesOrdersAndMergeOperators(SampleWriter writer) throws RocksDBException {
    writer.write(folder);
    List<String> lines = CommandRun.lines(0, "info", folder);
    assertEquals(9, lines.size(), lines.toString());
    assertTrue(lines.get(1).matches(".* 3 +.* KiB +0 B +.* KiB"), lines.toString());
    assertTrue(lines.get(3).matches("default +300 .* leveldb.BytewiseComparator +-"), lines.toString());
    assertTrue(lines.stream().anyMatch(line -> line.matches("back +0 .* rocksdb.ReverseBytewiseComparator +-")),
        lines.toString());
    assertTrue(lines.stream().anyMatch(line -> line.matches("sums .* UInt64AddOperator")), lines.toString());
  }

  @Test
  void infoOfManyTablesOpensFewAndAsksOnce(@TempDir Path made) throws IOException {
    List<Path> tables = new ArrayList<>();
    for (int i = 0; i < 60; i++) {
      try (TableWriter table = TableWriter.create(made.resolve(i + ".sst"), FamilyOptions.defaults())) {
        table.put(new byte[] {(byte) i}, new byte[] {1});
        tables.add(table.finish().path());
      }
    }
    Map<String, FamilyOptions> families = new HashMap<>();
    for (int i = 1; i < 25; i++) {
      families.put("family" + i, FamilyOptions.defaults());
    }
    try (RocksDb db = RocksDb.at(folder).families(families).open()) {
      db.families().forEach(family -> family.files().ingest(tables, FamilyFiles.IngestOptions.defaults()));
    }
    CommandRun.lines(0, "info", folder); // loads classes
    ThreadMXBean thread = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    long allocated = thread.getCurrentThreadAllocatedBytes();
    long reads = counter("syscr");
    List<String> lines = CommandRun.lines(0, "info", folder, "--json");
    assertTrue(counter("syscr") - reads < 2 * 1500, "each table that is opened takes four");
    assertTrue(thread.getCurrentThreadAllocatedBytes() - allocated < 45_000_000,
        "once for each family, it is 1500 tables for each");
    assertEquals(26, lines.size());
    assertTrue(lines.getLast().matches(".*\"keys~\":60,.*\"files\":60,.*"), lines.getLast());
  }

  @Test
  void figuresOfTablesAreReadWithoutTheLog() throws IOException {
    int log = 32 << 20;
    DatabaseOptions options = DatabaseOptions.defaults().option("track_and_verify_wals_in_manifest", true);
    for (boolean tracks : new boolean[] {false, true}) {
      Path database = folder.resolve(tracks ? "tracked" : "plain");
      try (RocksDb db = RocksDb.at(database).options(tracks ? options : DatabaseOptions.defaults()).open()) {
        for (int i = 0; i < 512; i++) {
          db.put(new byte[] {(byte) i}, new byte[log / 512]);
        }
      }
      for (String command : List.of("levels", "stats")) {
        long read = counter("rchar");
        CommandRun.lines(0, command, database);
        assertEquals(tracks, counter("rchar") - read > log, command + " reads it where the engine checks all logs");
      }
      assertEquals(6, CommandRun.lines(0, "stats", database, "-e", "0.001", "-n", "5").size());
    }
  }

  private static long counter(String name) throws IOException {
    Path counters = Path.of("/proc/self/io");
    assumeTrue(Files.isReadable(counters), "Linux counts them");
    return Files.readAllLines(counters)
        .stream()
        .filter(line -> line.startsWith(name + ":"))
        .mapToLong(line -> Long.parseLong(line.substring(name.length() + 2)))
        .sum();
  }

  @ParameterizedTest
  @EnumSource
  void levelsAddsUpTheFilesOfEach(SampleWriter writer) throws RocksDBException {
    writer.write(folder);
    List<String> levels = CommandRun.lines(0, "levels", folder);
    assertTrue(levels.get(1).matches(" +0 +1 +.* KiB +300 +0  #{20}"), levels.toString());
    assertEquals(8, levels.size());
    List<String> files = CommandRun.lines(0, "levels", folder, "--files", "-k", "json");
    assertTrue(files.get(1).matches(" +0  \\d{6}.sst .* 300 +0  \"order:000\" +\"order:299\""), files.toString());
    assertEquals(2, files.size());
  }

  @ParameterizedTest
  @EnumSource
  void optionsDiffPrintsWhatDiffers(SampleWriter writer, @TempDir Path other) throws RocksDBException {
    writer.write(folder);
    try (RocksDb db = RocksDb.open(other)) {
      db.setOptions(Map.of("level0_file_num_compaction_trigger", "7"));
    }
    List<String> lines = CommandRun.lines(1, "options", "diff", folder, other, "--json");
    assertTrue(
        lines.contains(
            "{\"of\":\"'default'\",\"option\":\"level0_file_num_compaction_trigger\",\"a\":\"4\",\"b\":\"7\"}"),
        lines.toString());
    assertTrue(
        lines.contains("{\"of\":\"'back'\",\"option\":\"(only in " + folder + ")\",\"a\":null,\"b\":null}"),
        lines.toString());
    assertEquals(1, lines.stream().filter(line -> line.contains("'back'")).count(),
        "a family that the other has not is one row");
    List<String> ofs = CommandRun.lines(0, "options", "show", folder).stream().skip(1)
        .map(line -> line.split("  ")[0].strip()).distinct().toList();
    assertEquals(List.of("database", "'default'", "'default' tables", "'back'", "'back' tables", "'sums'",
        "'sums' tables"), ofs);
    assertEquals(List.of(), CommandRun.lines(0, "options", "diff", folder, folder));
  }

  @Test
  void aTableOfOptionsFitsTheTerminal(@TempDir Path other) throws Exception {
    SampleWriter.CORE.write(folder);
    RocksDb.open(other).close();
    System.setProperty("rocksdbffm.cli.columns", "50");
    try {
      List<String> lines = CommandRun.lines(1, "options", "diff", folder, other);
      assertTrue(lines.stream().allMatch(line -> line.length() <= 50), lines.toString());
      assertTrue(lines.stream().anyMatch(line -> line.contains("(only in") && line.contains("…")), lines.toString());
    } finally {
      System.clearProperty("rocksdbffm.cli.columns");
    }
    assertTrue(CommandRun.lines(1, "options", "diff", folder, other).stream().noneMatch(line -> line.contains("…")));
  }

  @ParameterizedTest
  @EnumSource
  void optionsShowNamesWhatIsNoDefault(SampleWriter writer) throws RocksDBException {
    writer.write(folder);
    List<String> lines = CommandRun.lines(0, "options", "show", folder, "--changed");
    assertTrue(lines.stream().anyMatch(line -> line.matches("'back' +write_buffer_size +1234567")), lines.toString());
    assertTrue(lines.size() < 20, lines.toString());
  }

  @ParameterizedTest
  @EnumSource
  void optionsCheckNamesWhatIsRefused(SampleWriter writer) throws Exception {
    writer.write(folder);
    assertEquals(List.of(), CommandRun.lines(0, "options", "check", folder));
    Path file = Files.writeString(
        folder.resolve("mine"),
        """
        [DBOptions]
          max_open_file=7
        [CFOptions "default"]
          num_levels=0
        """);
    List<String> lines = CommandRun.lines(1, "options", "check", file, "--json");
    assertTrue(lines.getFirst().contains("did you mean 'max_open_files'?"), lines.toString());
    assertTrue(lines.getLast()
        .startsWith("{\"of\":\"default\",\"option\":\"num_levels\",\"value\":\"0\",\"refused\":"), lines.toString());
    Files.writeString(file, "nonsense");
    assertTrue(CommandRun.failure("options", "check", file).startsWith("rocksdb-ffm: " + file + " has a line that "));
    assertTrue(CommandRun.failure("options", "check", folder.resolve("missing")).contains("missing"));
  }
}
