/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.cli;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.StringJoiner;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.rocksdbffm.FamilyOptions;
import org.rocksdbffm.RocksDb;

/** Each kind of database file is damaged in each way, and read by each command: docs/damage.md lists the results. */
class DamageTableTest {
  private static final List<String> FILES = List.of("log", "table", "blob", "MANIFEST", "CURRENT", "OPTIONS");
  private static final List<String> WAYS = List.of("a bit", "cut", "zeros", "gone");
  private static final List<String> COMMANDS =
      List.of("info", "doctor", "verify", "repair", "wal", "scan", "dump", "count", "get");
  private static final int LENGTH = 64; // of zeros

  @TempDir private Path folder;

  private static void write(Path database) {
    Map<String, FamilyOptions> families = Map.of("blobs", FamilyOptions.defaults().enableBlobFiles(true));
    try (RocksDb db = RocksDb.at(database).families(families).open()) {
      for (int i = 0; i < 1000; i++) {
        db.put("k%03d".formatted(i).getBytes(UTF_8), "v".repeat(100).getBytes(UTF_8));
      }
      db.family("blobs").put("k".getBytes(UTF_8), "v".repeat(1000).getBytes(UTF_8));
      db.flushAll();
      for (int i = 0; i < 100; i++) {
        db.put("log%03d".formatted(i).getBytes(UTF_8), "v".repeat(100).getBytes(UTF_8));
      }
    }
  }

  private static Path file(Path database, String kind) throws IOException {
    String pattern = switch (kind) {
      case "log" -> "\\d+\\.log";
      case "table" -> "\\d+\\.sst";
      case "blob" -> "\\d+\\.blob";
      default -> kind + ".*";
    };
    try (Stream<Path> all = Files.list(database)) {
      List<Path> files = all.filter(file -> file.getFileName().toString().matches(pattern)).sorted().toList();
      return files.stream().max(Comparator.comparingLong(file -> kind.equals("table") ? file.toFile().length() : 0))
          .orElseThrow();
    }
  }

  private static void damage(Path file, String kind, String way) throws IOException {
    byte[] bytes = Files.readAllBytes(file);
    int at = switch (kind) {
      case "table" -> 100; // in the table's first block
      case "CURRENT" -> 3;
      case "OPTIONS" -> new String(bytes, ISO_8859_1).indexOf("num_levels=") + "num_levels".length();
      default -> bytes.length / 2;
    };
    switch (way) {
      case "a bit" -> bytes[at] ^= 1;
      case "cut" -> bytes = Arrays.copyOf(bytes, kind.equals("OPTIONS") ? bytes.length / 2 : bytes.length - 5);
      case "zeros" -> Arrays.fill(bytes, at, Math.min(bytes.length, at + LENGTH), (byte) 0);
      default -> bytes = null;
    }
    if (bytes == null) {
      Files.delete(file);
    } else {
      Files.write(file, bytes);
    }
  }

  private static CommandRun run(String command, Path database, String kind) {
    List<Object> line = new ArrayList<>(List.of(command, database));
    boolean ofBlobs = kind.equals("blob") && List.of("scan", "dump", "count", "get").contains(command);
    line.addAll(command.equals("get") ? List.of(ofBlobs ? "k" : "k000") : List.of());
    line.addAll(ofBlobs ? List.of("-f", "blobs") : List.of());
    return CommandRun.of(line.toArray());
  }

  @Test
  void eachKindOfDamageIsNamedAndNoneIsCalledSound() throws IOException {
    Path sound = folder.resolve("sound");
    write(sound);
    for (String command : COMMANDS) {
      for (String kind : List.of("log", "blob")) {
        CommandRun run = run(command, sound, kind);
        assertEquals(command.equals("repair") ? 2 : 0, run.code(), () -> command + " of a sound one: " + run);
      }
    }
    StringBuilder table = new StringBuilder("| file | damage | " + String.join(" | ", COMMANDS) + " |\n|--|--"
        + "|--:".repeat(COMMANDS.size()) + "|\n");
    for (String kind : FILES) {
      for (String way : WAYS) {
        Path database = folder.resolve(kind + " " + way);
        copy(sound, database);
        Path file = file(database, kind);
        damage(file, kind, way);
        StringJoiner row = new StringJoiner(" | ", "| ", " |\n").add(kind).add(way);
        for (String command : COMMANDS) {
          row.add(cell(command, database, kind, way, file));
        }
        table.append(row);
      }
    }
    String page = Files.readString(Repository.ROOT.resolve("docs/damage.md"));
    assertTrue(page.contains(table), "the page has another table than this:\n" + table);
  }

  /** Returns the exit code; empty if the command neither reads the damaged file nor reports that it is sound. */
  private static String cell(String command, Path database, String kind, String way, Path file) {
    CommandRun run = run(command, database, kind);
    String all = run.out() + run.err();
    String name = kind.equals("log") && way.equals("gone") ? ".log" : kind.equals("OPTIONS") ? "OPTIONS"
        : file.getFileName().toString();
    String what = command + " of " + database.getFileName() + ": " + run;
    if (run.code() == 0) {
      boolean isUnread = switch (command) {
        case "wal" -> !kind.equals("log");
        case "info", "doctor" -> List.of("table", "blob").contains(kind) && List.of("a bit", "zeros").contains(way);
        case "count" -> kind.equals("blob") && List.of("a bit", "zeros").contains(way);
        default -> false;
      };
      assertTrue(isUnread, what);
      assertFalse(all.contains("Nothing is wrong."), what);
      return "";
    }
    assertTrue(all.contains(name), what);
    assertTrue(run.code() == 1 || List.of("scan", "dump", "count", "get", "wal").contains(command), what);
    return Integer.toString(run.code());
  }

  private static void copy(Path from, Path to) throws IOException {
    Files.createDirectory(to);
    try (Stream<Path> files = Files.list(from)) {
      for (Path file : files.toList()) {
        Files.copy(file, to.resolve(file.getFileName()));
      }
    }
  }
}
