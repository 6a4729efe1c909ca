/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.files;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrowsExactly;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.rocksdbffm.tools.Bytes.bytes;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.rocksdbffm.ColumnFamily;
import org.rocksdbffm.Compression;
import org.rocksdbffm.FamilyFiles;
import org.rocksdbffm.FamilyOptions;
import org.rocksdbffm.KeyComparator;
import org.rocksdbffm.KeyOrder;
import org.rocksdbffm.KeyRange;
import org.rocksdbffm.OptimisticTransactionDb;
import org.rocksdbffm.RocksDb;
import org.rocksdbffm.RocksDbException;
import org.rocksdbffm.RocksDbException.Code;
import org.rocksdbffm.Row;
import org.rocksdbffm.TableOptions;
import org.rocksdbffm.Transaction;
import org.rocksdbffm.TransactionDb;

/** Tests that ingestions that would lose rows, or of damaged files, are refused and change nothing. */
final class IngestRefusalTest extends IngestCase {
  @Test
  void filesThatAreNoTablesAreRefused() throws IOException {
    try (RocksDb db = open()) {
      Path empty = Files.createFile(folder.resolve("empty.sst"));
      refused(Code.CORRUPTION, "it is no table file, or was not finished", () -> db.files().ingest(empty));
      refused(Code.IO_ERROR, "No such file or directory", () -> db.files().ingest(folder.resolve("none.sst")));
      refused(Code.INVALID_ARGUMENT, "is no file", () -> db.files().ingest(folder));
      assertThrowsExactly(
          IllegalArgumentException.class, () -> db.files().ingest(List.of(), FamilyFiles.IngestOptions.defaults()));
    }
  }

  @Test
  void aDamagedBlockIsFoundBeforeTheFileIsTaken() throws IOException {
    Path file = file(OPTIONS.compression(Compression.NONE), table -> {
      for (int i = 0; i < 5000; i++) {
        table.put(key(i), key(i));
      }
    });
    byte[] content = Files.readAllBytes(file);
    content[20_000] ^= 1;
    Files.write(file, content);
    try (RocksDb db = open()) {
      refused(Code.CORRUPTION, "checksum", () -> db.files().ingest(file));
      db.files().ingest(List.of(file), FamilyFiles.IngestOptions.defaults().verifyChecksums(false));
      assertThrowsExactly(RocksDbException.class, () -> db.stream(KeyRange.all(), Row::keySize).count());
    }
  }

  @Test
  void theDatabasesOwnFilesAreRefused() {
    try (RocksDb db = open()) {
      db.files().ingest(file("a", "1"));
      Path live = db.files().live().getFirst().path();
      for (FamilyFiles.IngestOptions options : List.of(MOVE, FamilyFiles.IngestOptions.defaults())) {
        refused(
            Code.INVALID_ARGUMENT,
            "is in the folder of the database itself",
            () -> db.files().ingest(List.of(live), options));
      }
      assertEquals("1", read(db, "a"));
    }
    try (RocksDb db = open()) {
      assertEquals("1", read(db, "a"));
    }
  }

  @Test
  void aFileOfAnotherDatabaseIsCopiedAtMost() {
    try (RocksDb other = RocksDb.at(folder.resolve("other")).defaults(OPTIONS).open();
        RocksDb db = open()) {
      other.files().ingest(file("a", "1"));
      Path live = other.files().live().getFirst().path();
      refused(Code.INVALID_ARGUMENT, "copy it", () -> db.files().ingest(List.of(live), MOVE));
      db.files().ingest(live);
      assertEquals("1", read(db, "a"));
      assertEquals("1", read(other, "a"));
      other.put(bytes("b"), bytes("2"));
      other.flush();
      Path own =
          other.files().live().stream()
              .filter(file -> Arrays.equals(file.smallestKey(), bytes("b")))
              .findFirst()
              .orElseThrow()
              .path();
      refused(Code.CORRUPTION, "ingest what a TableWriter writes", () -> db.files().ingest(own));
    }
  }

  @Test
  void aFileInAnotherOrderIsRefused() {
    KeyComparator own = (a, b) -> a.compareTo(b);
    Path backward = file(OPTIONS.keyOrder(KeyOrder.REVERSE_BYTEWISE), table -> table.put(bytes("a"), bytes("1")));
    Path inJava = file(OPTIONS.keyOrder("own", own), table -> table.put(bytes("a"), bytes("1")));
    Path plain = file("a", "1");
    try (RocksDb db = open()) {
      refused(Code.INVALID_ARGUMENT, "write it with the key order of the column family",
          () -> db.files().ingest(backward));
      refused(Code.INVALID_ARGUMENT, "write it with the key order of the column family",
          () -> db.files().ingest(inJava));
    }
    try (RocksDb db = RocksDb.at(folder.resolve("own")).defaults(OPTIONS.keyOrder("own", own)).open()) {
      refused(Code.INVALID_ARGUMENT, "write it with the key order of the column family",
          () -> db.files().ingest(plain));
      db.files().ingest(inJava);
      assertEquals("1", read(db, "a"));
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {2, 5, 6, 7})
  void operandsAreRefusedWhereNothingMergesThem(int version) {
    FamilyOptions versioned = OPTIONS.table(TableOptions.defaults().option("format_version", version));
    Path merges =
        file(
            versioned,
            table -> {
              table.put(bytes("a"), bytes("1"));
              table.merge(bytes("b"), bytes("2"));
            });
    Path none = file(versioned, table -> table.put(bytes("a"), bytes("1")));
    try (RocksDb db = RocksDb.open(folder.resolve("plain"))) {
      refused(Code.INVALID_ARGUMENT, "has no merge operator", () -> db.files().ingest(merges));
      db.files().ingest(none);
      assertEquals("1", read(db, "a"));
    }
  }

  @Test
  void aDatabaseThatIsReadAloneRefuses() {
    open().close();
    Path file = file("a", "1");
    try (RocksDb db = RocksDb.at(folder.resolve("db")).defaults(OPTIONS).openReadOnly()) {
      refused(Code.NOT_SUPPORTED, "read only", () -> db.files().ingest(file));
    }
  }

  @Test
  void aDroppedFamilyIsNotIngestedInto() {
    Path file = file("a", "1");
    try (RocksDb db = open()) {
      ColumnFamily family = db.createFamily("family", OPTIONS);
      db.dropFamily(family);
      IllegalStateException dropped =
          assertThrowsExactly(IllegalStateException.class, () -> family.files().ingest(file));
      assertTrue(dropped.getMessage().contains("was dropped"), dropped.getMessage());
      family.close();
      assertThrowsExactly(IllegalStateException.class, () -> family.files().ingest(file));
    }
  }

  @Test
  void nothingIsIngestedUnderTransactionsThatAreNotEnded() {
    Path file = file("a", "1");
    try (TransactionDb db = RocksDb.at(folder.resolve("locks")).defaults(OPTIONS).openTransactional()) {
      Transaction open = db.begin();
      assertOpenTransactions(() -> db.files().ingest(file));
      open.close();
      try (Transaction prepared = db.begin()) {
        prepared.put(bytes("b"), bytes("2"));
        prepared.prepare("p");
      }
      assertOpenTransactions(() -> db.files().ingest(file));
      try (Transaction again = db.prepared().getFirst()) {
        assertOpenTransactions(() -> db.files().ingest(file));
        again.commit();
      }
      db.files().ingest(file);
      assertEquals("1", read(db, "a"));
    }
    try (OptimisticTransactionDb db = RocksDb.at(folder.resolve("optimistic")).defaults(OPTIONS).openOptimistic()) {
      try (Transaction open = db.begin()) {
        open.put(bytes("c"), bytes("3"));
        assertOpenTransactions(() -> db.files().ingest(file));
        open.commit();
      }
      db.files().ingest(file);
      assertEquals("1", read(db, "a"));
    }
  }

  private static void assertOpenTransactions(Executable tried) {
    IllegalStateException refused = assertThrowsExactly(IllegalStateException.class, tried);
    assertTrue(refused.getMessage().contains("has transactions that are not ended"), refused.getMessage());
  }

  @Test
  void anIngestionThatIsNotAllowedToDoWhatItMustFailsAndDoesNothing() {
    try (RocksDb db = open()) {
      db.put(bytes("a"), bytes("1"));
      Path file = file("a", "2");
      refused(
          Code.INVALID_ARGUMENT,
          "FamilyFiles.IngestOptions.blockingFlush",
          () -> db.files().ingest(List.of(file), FamilyFiles.IngestOptions.defaults().blockingFlush(false)));
      db.flush();
      refused(
          Code.INVALID_ARGUMENT,
          "Global seqno is required",
          () -> db.files().ingest(List.of(file), FamilyFiles.IngestOptions.defaults().globalSequenceNumbers(false)));
      refused(
          Code.TRY_AGAIN,
          "compact the range first",
          () -> db.files().ingest(List.of(file), FamilyFiles.IngestOptions.defaults().lastLevelOnly(true)));
      assertEquals("1", read(db, "a"));
      Path apart = file("b", "3");
      db.files()
          .ingest(List.of(apart),
              FamilyFiles.IngestOptions.defaults().globalSequenceNumbers(false).lastLevelOnly(true));
      assertEquals("3", read(db, "b"));
      assertTrue(Files.exists(file));
    }
  }
}
