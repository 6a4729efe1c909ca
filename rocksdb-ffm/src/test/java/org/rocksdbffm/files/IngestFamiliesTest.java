/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.files;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrowsExactly;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.rocksdbffm.tools.Bytes.bytes;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.rocksdbffm.ColumnFamily;
import org.rocksdbffm.DatabaseOptions;
import org.rocksdbffm.EncryptionKeys;
import org.rocksdbffm.FamilyFiles.IngestOptions;
import org.rocksdbffm.FamilyOptions;
import org.rocksdbffm.RocksDb;
import org.rocksdbffm.RocksDbException;
import org.rocksdbffm.Transaction;
import org.rocksdbffm.TransactionDb;
import org.rocksdbffm.reports.DatabaseEvent;

/** Tests that table files are ingested into several column families together. */
final class IngestFamiliesTest extends IngestCase {
  private static final IngestOptions COPY = IngestOptions.defaults();

  private static Map<ColumnFamily, List<Path>> files(ColumnFamily a, List<Path> ofA, ColumnFamily b, List<Path> ofB) {
    Map<ColumnFamily, List<Path>> files = new LinkedHashMap<>();
    files.put(a, ofA);
    files.put(b, ofB);
    return files;
  }

  @Test
  void eachFamilyHasTheRowsOfItsFiles() {
    try (RocksDb db = open()) {
      ColumnFamily other = db.createFamily("other", OPTIONS);
      ColumnFamily first = db.family(RocksDb.DEFAULT_COLUMN_FAMILY);
      db.put(bytes("a"), bytes("before"));
      other.put(bytes("a"), bytes("before"));
      db.files().ingest(files(first, List.of(file("a", "1"), file("b", "2")), other, List.of(file("a", "3"))), COPY);

      assertArrayEquals(bytes("1"), db.get(bytes("a")));
      assertArrayEquals(bytes("2"), db.get(bytes("b")));
      assertArrayEquals(bytes("3"), other.get(bytes("a")));
      assertNull(other.get(bytes("b")));
    }
    try (RocksDb db = open()) {
      assertArrayEquals(bytes("2"), db.get(bytes("b")));
      assertArrayEquals(bytes("3"), db.family("other").get(bytes("a")));
    }
  }

  @Test
  void aRefusedFileOfOneFamilyChangesNone() throws IOException {
    try (RocksDb db = open()) {
      ColumnFamily first = db.family(RocksDb.DEFAULT_COLUMN_FAMILY);
      ColumnFamily other = db.createFamily("other", OPTIONS);
      Path good = file("a", "1");
      Path bad = Files.writeString(folder.resolve("bad.sst"), "no table");
      String message =
          assertThrowsExactly(
                  RocksDbException.class,
                  () -> db.files().ingest(files(first, List.of(good), other, List.of(bad)), COPY.move(true)))
              .getMessage();
      assertTrue(message.contains("ingesting into 2 column families of database"), message);
      assertTrue(message.contains("of which nothing was done"), message);
      assertNull(db.get(bytes("a")));
      assertTrue(Files.exists(good));
      assertEquals(List.of(), db.files().live());
    }
  }

  @Test
  void filesAreMovedAndReported() throws Exception {
    CountDownLatch ingested = new CountDownLatch(2);
    DatabaseOptions listening =
        DatabaseOptions.defaults()
            .listener(event -> {
              if (event instanceof DatabaseEvent.FileIngested) {
                ingested.countDown();
              }
            });
    try (RocksDb db = RocksDb.at(folder.resolve("listening")).options(listening).open()) {
      ColumnFamily other = db.createFamily("other", FamilyOptions.defaults());
      Path a = file("a", "1");
      Path b = file("b", "2");
      db.files()
          .ingest(
              files(db.family(RocksDb.DEFAULT_COLUMN_FAMILY), List.of(a), other, List.of(b)), COPY.move(true));
      assertTrue(Files.notExists(a) && Files.notExists(b));
      ingested.await();
      assertEquals(2, db.files().live().size());
      db.files().checkpoint(folder.resolve("copy"));
    }
    try (RocksDb copy = RocksDb.open(folder.resolve("copy"))) {
      assertArrayEquals(bytes("2"), copy.family("other").get(bytes("b")));
    }
  }

  @Test
  void anEncryptedDatabaseTakesPlainFilesOver() {
    DatabaseOptions encrypted =
        DatabaseOptions.defaults().encryption(() -> List.of(new EncryptionKeys.Key("k1", new byte[32])));
    for (boolean move : new boolean[] {false, true}) {
      try (RocksDb db = RocksDb.at(folder.resolve("encrypted " + move)).options(encrypted).open()) {
        ColumnFamily other = db.createFamily("other", FamilyOptions.defaults());
        Path a = file("a", "1");
        Path b = file("b", "2");
        ColumnFamily first = db.family(RocksDb.DEFAULT_COLUMN_FAMILY);
        db.files().ingest(files(first, List.of(a), other, List.of(b)), COPY.move(move));
        assertArrayEquals(bytes("1"), db.get(bytes("a")));
        assertArrayEquals(bytes("2"), other.get(bytes("b")));
        assertEquals(!move, Files.exists(a) && Files.exists(b));
      }
    }
  }

  @Test
  void databasesWithTransactionsIngestIntoSeveralFamilies() {
    try (TransactionDb db = TransactionDb.open(folder.resolve("locks"))) {
      ColumnFamily other = db.createFamily("other", FamilyOptions.defaults());
      ColumnFamily first = db.family(RocksDb.DEFAULT_COLUMN_FAMILY);
      db.files().ingest(files(first, List.of(file("a", "1")), other, List.of(file("a", "2"))), COPY);
      assertArrayEquals(bytes("2"), other.get(bytes("a")));
      try (Transaction open = db.begin()) {
        open.put(bytes("a"), bytes("3"));
        assertThrowsExactly(
            IllegalStateException.class,
            () -> db.files().ingest(files(first, List.of(file("a", "1")), other, List.of(file("a", "2"))), COPY));
      }
    }
  }

  @Test
  void wrongArgumentsAreRefused() {
    try (RocksDb db = open();
        RocksDb second = RocksDb.open(folder.resolve("second"))) {
      ColumnFamily first = db.family(RocksDb.DEFAULT_COLUMN_FAMILY);
      ColumnFamily other = db.createFamily("other", OPTIONS);
      Path file = file("a", "1");
      List<Map<ColumnFamily, List<Path>>> wrong =
          List.of(
              Map.of(),
              files(first, List.of(file), other, List.of()),
              files(first, List.of(file), other, List.of(file)),
              files(first, List.of(file), second.family(RocksDb.DEFAULT_COLUMN_FAMILY), List.of(file("b", "1"))));
      for (var each : wrong) {
        assertThrowsExactly(IllegalArgumentException.class, () -> db.files().ingest(each, COPY));
      }
      other.close();
      assertThrowsExactly(
          IllegalStateException.class,
          () -> db.files().ingest(files(first, List.of(file), other, List.of(file("b", "1"))), COPY));
    }
  }
}
