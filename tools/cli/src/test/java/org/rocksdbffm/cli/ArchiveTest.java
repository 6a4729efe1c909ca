/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.rocksdbffm.RocksDb;
import org.rocksdbffm.archive.Archive;
import org.rocksdbffm.archive.Archiver;
import org.rocksdbffm.archive.FolderStore;

/** Archives are listed, verified, restored and pruned. */
class ArchiveTest {
  @TempDir private Path folder;
  private Path store;
  private Path restored;

  @BeforeEach
  void archive() throws Exception {
    store = folder.resolve("store");
    restored = folder.resolve("restored");
    Archive archive = Archive.in(FolderStore.open(store));
    for (String value : List.of("first", "second")) {
      try (RocksDb db = RocksDb.open(folder.resolve("db"));
          Archiver archiver = archive.start(db)) {
        db.put("k".getBytes(UTF_8), value.getBytes(UTF_8));
        assertTrue(archiver.awaitArchived(Duration.ofMinutes(2)), archiver.status()::toString);
      }
    }
  }

  private String value(Path database) {
    return CommandRun.lines(0, "get", database, "k").getFirst();
  }

  private Instant baseTime(int index) {
    String line = CommandRun.lines(0, "archive", "list", store, "--json").get(index);
    return Instant.parse(line.replaceAll(".*\"time\":\"([^\"]*)\".*", "$1"));
  }

  @Test
  void eachStateIsRestoredByNumberAndTime() {
    List<String> states = CommandRun.lines(0, "archive", "list", store);
    assertTrue(states.getFirst().matches("state +time +number +files +size"), states.toString());
    assertTrue(states.getLast().matches("newest +\\d{4}-.*Z +2 +- +-"), states.toString());
    List<String> printed = CommandRun.lines(0, "archive", "restore", store, restored, "--json");
    assertTrue(printed.getFirst().contains("\"number\":2,"), printed.toString());
    assertEquals("second", value(restored));
    CommandRun.lines(0, "archive", "restore", store, folder.resolve("one"), "--number", "1");
    assertEquals("first", value(folder.resolve("one")));
    CommandRun.lines(0, "archive", "restore", store, folder.resolve("then"), "--time", Instant.now());
    assertEquals("second", value(folder.resolve("then")));
    String early =
        CommandRun.failure("archive", "restore", store, folder.resolve("early"), "--time", "2020-01-01T00:00:00Z");
    assertTrue(early.startsWith("rocksdb-ffm: the archive has no state at 2020-01-01T00:00:00Z: "), early);
    String noon = CommandRun.failure("archive", "restore", store, folder.resolve("early"), "--time", "noon");
    assertTrue(noon.contains(": 'noon' is no time: write 2026-05-31T09:00:00Z, or +02:00 instead of Z"), noon);
    CommandRun.failure("archive", "restore", store, folder.resolve("early"), "--number", "1", "--time", Instant.now());
    assertTrue(Files.notExists(folder.resolve("early")));
  }

  @Test
  void anArchiveMayBeABucket() {
    assertEquals(
        "rocksdb-ffm: where: 'zone' is not a parameter: only region, endpoint and path-style are",
        CommandRun.failure("archive", "list", "s3://bucket/orders?zone=1"));
  }

  @Test
  void aFolderWithFilesIsRefused() {
    assertEquals(
        "rocksdb-ffm: " + folder.resolve("db") + " is not empty: name a new folder",
        CommandRun.failure("archive", "restore", store, folder.resolve("db")));
    assertEquals("second", value(folder.resolve("db")));
  }

  @Test
  void aFolderWithoutAnArchiveIsLeftAlone() {
    Path none = folder.resolve("none");
    for (String command : List.of("list", "verify")) {
      assertEquals(
          "rocksdb-ffm: " + none + " has no archive: it has no objects 'log/...'",
          CommandRun.failure("archive", command, none));
    }
    assertTrue(Files.notExists(none));
    Path file = store.resolve("log/0000000000000001");
    assertEquals("rocksdb-ffm: " + file + ": no folder", CommandRun.failure("archive", "list", file));
    assertTrue(CommandRun.failure("archive", "list", "gone://bucket").contains("there is no store for gone:"));
  }

  @Test
  void aDamagedObjectIsNamedAndNotRestored() throws Exception {
    String last = CommandRun.lines(0, "archive", "verify", store, "--json").getLast();
    assertTrue(last.startsWith("{\"bases\":2,") && last.endsWith("\"damages\":0}"), last);
    Path object;
    try (Stream<Path> files = Files.list(store.resolve("files"))) {
      object = files.sorted().findFirst().orElseThrow();
    }
    flip(object);
    List<String> lines = CommandRun.lines(1, "archive", "verify", store, "--json");
    assertTrue(lines.getFirst().startsWith("{\"object\":\"files/" + object.getFileName() + "\","), lines.toString());
    assertTrue(lines.getLast().endsWith("\"damages\":1}"), lines.toString());
  }

  @Test
  @Timeout(value = 3, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
  void aLongVerificationShowsItsProgress() throws Exception {
    Path object;
    try (Stream<Path> files = Files.list(store.resolve("files"))) {
      object = files.findFirst().orElseThrow();
    }
    Files.delete(object);
    assertEquals(0, new ProcessBuilder("mkfifo", object.toString()).start().waitFor()); // blocks the verification
    Process verification = LiveTest.cli("archive", "verify", store);
    StringBuilder shown = new StringBuilder();
    try (Reader notes = verification.errorReader()) {
      for (int c = notes.read(); c >= 0 && shown.indexOf(" done in ") < 0; c = notes.read()) {
        shown.append((char) c);
      }
    } finally {
      verification.destroyForcibly().waitFor();
    }
    assertTrue(shown.toString().matches("(?s).*[1-9]\\d* done in .*"), shown::toString);
  }

  private static void flip(Path file) throws IOException {
    byte[] bytes = Files.readAllBytes(file);
    bytes[bytes.length / 2] ^= 1;
    Files.write(file, bytes);
  }

  @Test
  void aPruneKeepsTheNewestBase() {
    assertTrue(baseTime(0).isBefore(baseTime(1)));
    List<String> kept = CommandRun.lines(0, "archive", "prune", store, "--all-states", "7d", "--between", "1d",
        "--bases-for", "30d", "--json");
    assertEquals(List.of("{\"bases\":2,\"deleted\":0,\"size\":0}"), kept);
    String pruned = CommandRun.lines(0, "archive", "prune", store, "--all-states", "0s", "--between", "1h",
        "--bases-for", "0s", "--json").getFirst();
    assertTrue(pruned.startsWith("{\"bases\":1,\"deleted\":"), pruned);
    CommandRun.lines(0, "archive", "restore", store, restored);
    assertEquals("second", value(restored));
    String wrong = CommandRun.failure("archive", "prune", store, "--all-states", "week");
    assertTrue(wrong.contains("'week' is no age: write 90s, 30m, 12h or 7d"), wrong);
  }
}
