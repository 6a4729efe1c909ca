/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Databases are backed up, restored, copied, compacted and verified. */
class CopiesTest {
  @TempDir private Path folder;
  private Path database;
  private Path backups;
  private Path copy;

  @BeforeEach
  void name() {
    database = folder.resolve("database");
    backups = folder.resolve("backups");
    copy = folder.resolve("copy");
  }

  @ParameterizedTest
  @EnumSource
  void whatIsBackedUpIsRestored(SampleWriter writer) throws Exception {
    writer.write(Files.createDirectory(database));
    List<String> options = CommandRun.lines(0, "options", "show", database);
    String created = CommandRun.lines(0, "backup", "create", database, backups, "--note", "first").get(1);
    assertTrue(created.matches(" +1  \\d{4}-.*Z +.* KiB +\\d+  first"), created);
    assertEquals(List.of(created), CommandRun.lines(0, "backup", "list", backups).subList(1, 2));
    CommandRun.lines(0, "put", database, "k", "later");
    CommandRun.lines(0, "backup", "create", database, backups);
    assertEquals(List.of("{\"backup\":1,", "{\"backup\":2,"),
        heads(CommandRun.lines(0, "backup", "verify", backups, "--json")));
    CommandRun.lines(0, "backup", "restore", backups, copy, "--id", "1");
    assertEquals(List.of("default\tk\tlater\t-"), CommandRun.lines(1, "diff", database, copy));
    assertEquals(options, CommandRun.lines(0, "options", "show", copy));
    CommandRun.lines(0, "backup", "restore", backups, folder.resolve("newest"));
    assertEquals(List.of(), CommandRun.lines(0, "diff", database, folder.resolve("newest")));
    assertEquals(List.of("{\"backup\":2,"),
        heads(CommandRun.lines(0, "backup", "purge", backups, "--keep", "1", "--json")));
  }

  private static List<String> heads(List<String> lines) {
    return lines.stream().map(line -> line.substring(0, line.indexOf(',') + 1)).toList();
  }

  @Test
  void aBackupIsNotRestoredOverFiles() throws Exception {
    SampleWriter.CORE.write(database);
    CommandRun.lines(0, "backup", "create", database, backups);
    assertEquals(
        "rocksdb-ffm: " + database + " is not empty: name a new folder",
        CommandRun.failure("backup", "restore", backups, database));
  }

  @Test
  void aFolderWithoutBackupsIsLeftAlone() {
    for (String command : List.of("list", "verify")) {
      assertEquals(
          "rocksdb-ffm: " + backups + " has no backups: it has no folder 'meta'",
          CommandRun.failure("backup", command, backups));
    }
    assertTrue(Files.notExists(backups));
  }

  @Test
  void aDamagedBackupIsNamed() throws Exception {
    SampleWriter.CORE.write(database);
    CommandRun.lines(0, "backup", "create", database, backups);
    damage(backups.resolve("shared_checksum"));
    List<String> lines = CommandRun.lines(1, "backup", "verify", backups, "--json");
    assertTrue(lines.getFirst().contains("\"damage\":\"Corruption: "), lines.toString());
  }

  @ParameterizedTest
  @EnumSource
  void aCheckpointHasTheSameRows(SampleWriter writer) throws Exception {
    writer.write(Files.createDirectory(database));
    CommandRun.lines(0, "checkpoint", database, copy);
    assertEquals(List.of(), CommandRun.lines(0, "diff", database, copy));
    assertTrue(CommandRun.failure("checkpoint", database, copy).contains(copy + " is there already"));
  }

  @ParameterizedTest
  @EnumSource
  void compactEmptiesTheFirstLevel(SampleWriter writer) throws Exception {
    writer.write(Files.createDirectory(database));
    assertEquals(2, CommandRun.lines(0, "compact", database, "--bottommost").size());
    List<String> levels = CommandRun.lines(0, "levels", database, "--json");
    assertTrue(levels.getFirst().startsWith("{\"level\":0,\"files\":0,"), levels.toString());
    assertTrue(levels.getLast().startsWith("{\"level\":6,\"files\":1,"), levels.toString());
    assertEquals(List.of("v7"), CommandRun.lines(0, "get", database, "order:007"));
  }

  @ParameterizedTest
  @EnumSource
  void verifyFindsADamagedBlock(SampleWriter writer) throws Exception {
    writer.write(Files.createDirectory(database));
    assertEquals("{\"files\":1,\"logs\":2,\"damages\":0}", CommandRun.lines(0, "verify", database, "--json").getLast());
    damage(database);
    List<String> lines = CommandRun.lines(1, "verify", database, "--json");
    assertTrue(lines.getFirst().contains("\"damage\":\"has a damaged block at 0, with "), lines.toString());
    assertTrue(CommandRun.failure("scan", database).startsWith("rocksdb-ffm: Corruption: "));
  }

  private static void damage(Path folder) throws IOException {
    try (var files = Files.list(folder)) {
      Path table = files.filter(file -> file.toString().endsWith(".sst")).findFirst().orElseThrow();
      byte[] bytes = Files.readAllBytes(table);
      bytes[100] ^= 0x55;
      Files.write(table, bytes);
    }
  }
}
