/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.rocksdbffm.DatabaseOptions;
import org.rocksdbffm.EncryptionKeys;
import org.rocksdbffm.RocksDb;
import org.rocksdbffm.internal.format.DatabaseFile;

/** Tests commands on an encrypted database. */
class EncryptionTest {
  @TempDir Path root;

  private Path folder;
  private Path keys;

  @BeforeEach
  void create() throws IOException {
    folder = root.resolve("db");
    keys = root.resolve("keys");
    Files.writeString(keys, "k1 " + "0f".repeat(32) + "\n");
    try (RocksDb db = RocksDb.at(folder).options(DatabaseOptions.defaults().encryption(EncryptionKeys.ofFile(keys)))
        .open()) {
      db.put("a".getBytes(), "1".getBytes());
      db.flush();
      db.put("b".getBytes(), "2".getBytes());
    }
  }

  @Test
  void commandsReadAndWriteWithTheKeyFile() {
    assertEquals(List.of("1"), CommandRun.lines(0, "get", "--key-file", keys, folder, "a"));
    CommandRun.lines(0, "put", "--key-file", keys, folder, "c", "3");
    assertEquals(List.of("a\t1", "b\t2", "c\t3"), CommandRun.lines(0, "scan", "--key-file", keys, folder));
    CommandRun.lines(0, "verify", "--key-file", keys, folder);
    CommandRun.lines(0, "checkpoint", "--key-file", keys, folder, root.resolve("copy"));
    assertEquals(List.of("3"), CommandRun.lines(0, "get", "--key-file", keys, root.resolve("copy"), "c"));
    CommandRun.lines(0, "backup", "create", "--key-file", keys, folder, root.resolve("backups"));
    CommandRun.lines(0, "backup", "verify", "--key-file", keys, root.resolve("backups"));
    CommandRun.lines(0, "wal", "--key-file", keys, folder);
    CommandRun.lines(0, "sst", "--key-file", keys, folder);
    CommandRun.lines(0, "options", "show", "--key-file", keys, folder);
    CommandRun.lines(0, "compact", "--key-file", keys, folder);
  }

  @Test
  void damageIsNamedAndReadPast() throws IOException {
    CommandRun.lines(0, "compact", "--key-file", keys, folder);
    CommandRun.lines(0, "put", "--key-file", keys, folder, "c", "3");
    Path table;
    try (Stream<Path> files = Files.list(folder)) {
      table = files.filter(file -> file.toString().endsWith(".sst")).findFirst().orElseThrow();
    }
    byte[] bytes = Files.readAllBytes(table);
    bytes[DatabaseFile.PREFIX + 3] ^= 1; // in the first block of rows
    Files.write(table, bytes);
    assertTrue(CommandRun.lines(1, "verify", "--key-file", keys, folder).stream()
        .anyMatch(line -> line.contains(table.getFileName().toString())));
    requireRowOfTheLog();
    Files.delete(table);
    requireRowOfTheLog();
  }

  private void requireRowOfTheLog() {
    CommandRun scan = CommandRun.of("scan", "--skip-damaged", "--key-file", keys, folder);
    assertEquals(1, scan.code(), scan::toString);
    assertTrue(scan.out().lines().toList().contains("c\t3"), scan::toString);
  }

  @Test
  void infoNamesTheKeysOfTables() {
    List<String> lines = CommandRun.lines(0, "info", "--key-file", keys, folder);
    assertTrue(lines.stream().anyMatch(line -> line.startsWith("k1 ")), lines::toString);
  }

  @Test
  void withoutKeysACommandSaysThatTheDatabaseIsEncrypted() {
    for (List<Object> command : List.<List<Object>>of(
        List.of("get", folder, "a"), List.of("scan", folder), List.of("verify", folder), List.of("info", folder),
        List.of("wal", folder), List.of("doctor", folder))) {
      String message = CommandRun.of(command.toArray()).toString();
      assertTrue(message.contains(" is encrypted, with the key 'k1'"), message);
    }
  }
}
