/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.files;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrowsExactly;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.rocksdbffm.tools.Bytes.bytes;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.rocksdbffm.FamilyFiles;
import org.rocksdbffm.FamilyOptions;
import org.rocksdbffm.KeyComparator;
import org.rocksdbffm.KeyRange;
import org.rocksdbffm.KeyReader;
import org.rocksdbffm.KeySpace;
import org.rocksdbffm.OptimisticTransactionDb;
import org.rocksdbffm.RocksDb;
import org.rocksdbffm.RocksDbException.Code;
import org.rocksdbffm.Scan;
import org.rocksdbffm.Snapshot;
import org.rocksdbffm.Transaction;

/** Tests the rows of a database after an ingestion. */
final class IngestTest extends IngestCase {
  /** The expected rows by key. */
  private static final class Model {
    final NavigableMap<byte[], byte[]> rows = new TreeMap<>(Arrays::compareUnsigned);

    void merge(byte[] key, byte[] operand) {
      byte[] before = rows.get(key);
      rows.put(key, before == null ? operand : bytes(new String(before) + "," + new String(operand)));
    }

    void assertSame(KeyReader reader) {
      try (Scan scan = reader.scan(KeyRange.all())) {
        for (Map.Entry<byte[], byte[]> row : rows.entrySet()) {
          assertTrue(scan.next());
          assertArrayEquals(row.getKey(), scan.keyBytes());
          assertArrayEquals(row.getValue(), scan.valueBytes());
        }
        assertFalse(scan.next());
      }
    }
  }

  /** Creates a file of random rows, and adds them to the model. */
  private Path random(Random random, Model model) {
    return file(
        OPTIONS,
        table -> {
          if (random.nextInt(3) == 0) { // the deletion precedes the rows of the same file
            int from = random.nextInt(200);
            int until = from + 1 + random.nextInt(40);
            table.deleteRange(key(from), key(until));
            model.rows.subMap(key(from), key(until)).clear();
          }
          int step = 1 + random.nextInt(20);
          for (int row = random.nextInt(100); row < 250; row += 1 + random.nextInt(step)) {
            byte[] value = bytes(Integer.toString(random.nextInt(1000)));
            switch (random.nextInt(4)) {
              case 0 -> {
                table.delete(key(row));
                model.rows.remove(key(row));
              }
              case 1 -> {
                table.merge(key(row), value);
                model.merge(key(row), value);
              }
              default -> {
                table.put(key(row), value);
                model.rows.put(key(row), value);
              }
            }
          }
        });
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void ingestionsAmongWritesAreThoseOfAMap(boolean ofFamily) {
    Random random = new Random(41);
    Model model = new Model();
    try (RocksDb db = open()) {
      KeySpace keys = ofFamily ? db.createFamily("family", OPTIONS) : db;
      for (int round = 0; round < 25; round++) {
        for (int writes = random.nextInt(30); writes > 0; writes--) {
          byte[] key = key(random.nextInt(250));
          byte[] value = bytes("w" + round);
          if (random.nextInt(4) == 0) {
            keys.merge(key, value);
            model.merge(key, value);
          } else {
            keys.put(key, value);
            model.rows.put(key, value);
          }
        }
        List<Path> named = new ArrayList<>();
        for (int count = 1 + random.nextInt(3); count > 0; count--) {
          named.add(random(random, model));
        }
        boolean move = random.nextBoolean();
        keys.files().ingest(named, FamilyFiles.IngestOptions.defaults().move(move).fillCache(random.nextBoolean()));
        named.forEach(file -> assertEquals(!move, Files.exists(file)));
        model.assertSame(keys);
        switch (random.nextInt(6)) {
          case 0 -> keys.compact(KeyRange.all());
          case 1 -> keys.flush();
          default -> {}
        }
      }
      model.assertSame(keys);
    }
    try (RocksDb db = open()) {
      model.assertSame(ofFamily ? db.family("family") : db);
    }
  }

  @Test
  void aSnapshotSeesNothingOfItUnlessItMay() {
    try (RocksDb db = open();
        Snapshot before = db.snapshot()) {
      db.files().ingest(file("a", "1"));
      assertNull(read(before, "a"));
      assertEquals("1", read(db, "a"));
      db.files().ingest(List.of(file("b", "2")), FamilyFiles.IngestOptions.defaults().snapshotConsistency(false));
      assertEquals("2", read(before, "b"));
    }
  }

  @Test
  void rowsThatAreIngestedBehindAreOlderThanAll() {
    FamilyOptions behind = OPTIONS.option("cf_allow_ingest_behind", true);
    try (RocksDb db = RocksDb.at(folder.resolve("db")).defaults(behind).open()) {
      db.put(bytes("a"), bytes("new"));
      db.put(bytes("c"), bytes("deleted"));
      db.delete(bytes("c"));
      db.flush();
      Path old =
          file(
              behind,
              table -> {
                table.put(bytes("a"), bytes("old"));
                table.put(bytes("b"), bytes("old"));
                table.put(bytes("c"), bytes("old"));
              });
      db.files().ingest(List.of(old), FamilyFiles.IngestOptions.defaults().behind(true));
      assertEquals("new", read(db, "a"));
      assertEquals("old", read(db, "b"));
      assertNull(read(db, "c"));
      db.compact(KeyRange.all());
      assertEquals("new", read(db, "a"));
      assertNull(read(db, "c"));
    }
    Path file = file("a", "1");
    try (RocksDb db = RocksDb.at(folder.resolve("other")).defaults(OPTIONS).open()) {
      refused(
          Code.INVALID_ARGUMENT,
          "open the column family with the option cf_allow_ingest_behind",
          () -> db.files().ingest(List.of(file), FamilyFiles.IngestOptions.defaults().behind(true)));
    }
  }

  @Test
  void allFilesAreIngestedOrNone() throws IOException {
    Path broken =
        Files.writeString(folder.resolve("broken.sst"), "this is no table file, however long it may be ....".repeat(9));
    try (RocksDb db = open()) {
      Path good = file("a", "1");
      refused(Code.CORRUPTION, "it is no table file", () -> db.files().ingest(List.of(good, broken), MOVE));
      assertNull(read(db, "a"));
      assertTrue(Files.exists(good));
      db.files().ingest(List.of(good), MOVE);
      assertEquals("1", read(db, "a"));
    }
  }

  @Test
  void aFileIsNamedOnceUnderWhateverNames() throws IOException {
    Path file = file("a", "1");
    Path link = Files.createSymbolicLink(folder.resolve("link.sst"), file);
    try (RocksDb db = open()) {
      IllegalArgumentException twice =
          assertThrowsExactly(IllegalArgumentException.class, () -> db.files().ingest(List.of(file, link), MOVE));
      assertEquals("files: " + file.toRealPath() + " is named twice", twice.getMessage());
    }
  }

  @Test
  void aSymbolicLinkIsMovedAsTheFileThatItLeadsTo() throws IOException {
    Path file = file("a", "1");
    Path link = Files.createSymbolicLink(folder.resolve("link.sst"), file);
    try (RocksDb db = open()) {
      db.files().ingest(List.of(link), MOVE);
      assertFalse(Files.exists(file));
      for (FamilyFiles.LiveFile live : db.files().live()) {
        assertFalse(Files.isSymbolicLink(live.path()), live.toString());
      }
    }
    try (RocksDb db = open()) {
      assertEquals("1", read(db, "a"));
    }
  }

  @Test
  void aFileMovesOnceAndIsGone() {
    Path file = file("a", "1");
    try (RocksDb db = open()) {
      db.files().ingest(List.of(file), MOVE);
      refused(Code.IO_ERROR, "No such file or directory", () -> db.files().ingest(List.of(file), MOVE));
      assertEquals("1", read(db, "a"));
    }
  }

  @Test
  void transactionsThatAreBegunMeanwhileWaitAndSeeTheRows() throws InterruptedException {
    CountDownLatch within = new CountDownLatch(1);
    CountDownLatch goOn = new CountDownLatch(1);
    AtomicReference<Thread> ingesting = new AtomicReference<>();
    KeyComparator waiting = (a, b) -> {
      if (Thread.currentThread() == ingesting.get() && within.getCount() > 0) {
        within.countDown();
        try {
          goOn.await();
        } catch (InterruptedException e) {
          throw new AssertionError(e);
        }
      }
      return a.compareTo(b);
    };
    FamilyOptions ordered = OPTIONS.keyOrder("waiting", waiting);
    Path file = file(ordered, table -> {
      table.put(bytes("a"), bytes("1"));
      table.put(bytes("b"), bytes("2"));
    });
    try (OptimisticTransactionDb db = RocksDb.at(folder.resolve("db")).defaults(ordered).openOptimistic()) {
      db.put(bytes("a"), bytes("0"));
      Thread ingestion = Thread.ofPlatform().unstarted(() -> db.files().ingest(file));
      ingesting.set(ingestion);
      ingestion.start();
      within.await();
      AtomicReference<String> seen = new AtomicReference<>();
      Thread beginner = Thread.ofPlatform().start(() -> {
        try (Transaction transaction = db.begin()) {
          seen.set(read(transaction, "a"));
        }
      });
      while (beginner.getState() != Thread.State.WAITING) {
        Thread.onSpinWait();
      }
      assertNull(seen.get());
      goOn.countDown();
      ingestion.join();
      beginner.join();
      assertEquals("1", seen.get());
    }
  }

  @Test
  void optionsAreValues() {
    assertEquals(FamilyFiles.IngestOptions.defaults().move(true), MOVE);
    assertEquals(MOVE.hashCode(), FamilyFiles.IngestOptions.defaults().move(true).hashCode());
    assertNotEquals(FamilyFiles.IngestOptions.defaults(), MOVE);
    assertTrue(MOVE.toString().contains("MOVE=1"), MOVE.toString());
  }
}
