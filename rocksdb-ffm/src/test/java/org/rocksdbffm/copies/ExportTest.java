/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.copies;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrowsExactly;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.rocksdbffm.ColumnFamily;
import org.rocksdbffm.FamilyFiles;
import org.rocksdbffm.FamilyOptions;
import org.rocksdbffm.KeyComparator;
import org.rocksdbffm.KeyRange;
import org.rocksdbffm.KeyReader;
import org.rocksdbffm.KeySpace;
import org.rocksdbffm.MergeOperator;
import org.rocksdbffm.RocksDb;
import org.rocksdbffm.RocksDbException;
import org.rocksdbffm.RocksDbException.Code;
import org.rocksdbffm.Scan;
import org.rocksdbffm.tools.LiveObjectsCheck;

/** Tests that an exported column family is imported unchanged by another database, or not at all. */
@ExtendWith(LiveObjectsCheck.class)
final class ExportTest {
  private static final FamilyOptions OPTIONS =
      FamilyOptions.defaults().mergeOperator(MergeOperator.stringAppend(','));

  @TempDir Path folder;

  private static byte[] bytes(String text) {
    return text.getBytes();
  }

  private static byte[] key(int number) {
    return bytes("%05d".formatted(number));
  }

  private Path exported() {
    return folder.resolve("exported");
  }

  private static RocksDbException refused(Code code, String words, org.junit.jupiter.api.function.Executable tried) {
    RocksDbException refused = assertThrowsExactly(RocksDbException.class, tried);
    assertEquals(code, refused.code(), refused.getMessage());
    assertTrue(refused.getMessage().contains(words), refused.getMessage());
    return refused;
  }

  private static void fill(KeySpace keys) {
    Random random = new Random(5);
    for (int round = 0; round < 5; round++) {
      for (int i = 0; i < 2000; i++) {
        byte[] key = key(random.nextInt(3000));
        switch (random.nextInt(10)) {
          case 0 -> keys.delete(key);
          case 1 -> keys.merge(key, bytes("m" + i));
          case 2 -> {
            if (random.nextInt(20) == 0) {
              int from = random.nextInt(3000);
              keys.deleteRange(key(from), key(from + random.nextInt(300)));
            }
          }
          default -> keys.put(key, bytes("v" + i));
        }
      }
      keys.flush();
      if (round == 2) {
        keys.compact(KeyRange.all());
      }
    }
    keys.put(key(1), bytes("in the memtable"));
  }

  private static void assertSameRows(KeyReader a, KeyReader b) {
    try (Scan one = a.scan(KeyRange.all());
        Scan other = b.scan(KeyRange.all())) {
      while (one.next()) {
        assertTrue(other.next());
        assertArrayEquals(one.keyBytes(), other.keyBytes());
        assertArrayEquals(one.valueBytes(), other.valueBytes());
      }
      assertFalse(other.next());
    }
  }

  @Test
  void aFamilyComesToAnotherDatabaseAsItWas() throws IOException {
    try (RocksDb from = RocksDb.at(folder.resolve("from")).defaults(OPTIONS).open();
        RocksDb to = RocksDb.at(folder.resolve("to")).defaults(OPTIONS).open()) {
      ColumnFamily family = from.createFamily("family", OPTIONS);
      fill(family);
      try (FamilyFiles.ExportedFamily exported = family.files().export(exported())) {
        assertEquals(exported(), exported.folder());
        assertEquals("export " + exported(), exported.toString());
        family.put(key(1), bytes("later"));
        assertSameRows(to.importFamily("copied", OPTIONS, exported, FamilyFiles.ExportedFamily.Transfer.COPY),
            to.importFamily("again", OPTIONS, exported, FamilyFiles.ExportedFamily.Transfer.COPY));
        ColumnFamily moved = to.importFamily("moved", OPTIONS, exported, FamilyFiles.ExportedFamily.Transfer.MOVE);
        try (Stream<Path> left = Files.list(exported())) {
          assertEquals(0, left.count());
        }
        assertEquals("in the memtable", new String(moved.get(key(1))));
        moved.put(key(1), bytes("later"));
        assertSameRows(family, moved);
        refused(Code.IO_ERROR, "export again",
            () -> to.importFamily("none", OPTIONS, exported, FamilyFiles.ExportedFamily.Transfer.COPY));
      }
      to.family("moved").compact(KeyRange.all());
    }
    try (RocksDb to = RocksDb.at(folder.resolve("to")).defaults(OPTIONS).open();
        RocksDb from = RocksDb.at(folder.resolve("from")).defaults(OPTIONS).open()) {
      assertSameRows(from.family("family"), to.family("moved"));
    }
  }

  @Test
  void theDefaultFamilyIsExportedToo() {
    try (RocksDb db = RocksDb.at(folder.resolve("db")).defaults(OPTIONS).open()) {
      fill(db);
      try (FamilyFiles.ExportedFamily exported = db.files().export(exported())) {
        assertSameRows(db, db.importFamily("copy", OPTIONS, exported, FamilyFiles.ExportedFamily.Transfer.MOVE));
      }
    }
  }

  @Test
  void nothingIsReplaced() throws IOException {
    Files.createDirectories(exported().resolve("kept"));
    try (RocksDb db = RocksDb.at(folder.resolve("db")).defaults(OPTIONS).open()) {
      refused(Code.INVALID_ARGUMENT, "is there already", () -> db.files().export(exported()));
      db.put(key(1), key(1));
      try (FamilyFiles.ExportedFamily exported = db.files().export(folder.resolve("other"))) {
        refused(
            Code.INVALID_ARGUMENT, "already exists",
            () -> db.importFamily("default", OPTIONS, exported, FamilyFiles.ExportedFamily.Transfer.COPY));
      }
    }
  }

  @Test
  void whatACutOffExportLeftIsClearedAndNothingElse() throws IOException {
    Path left = Files.createDirectories(folder.resolve("exported.tmp"));
    Files.createFile(left.resolve("000009.sst"));
    try (RocksDb db = RocksDb.at(folder.resolve("db")).defaults(OPTIONS).open()) {
      db.put(key(1), key(1));
      try (FamilyFiles.ExportedFamily exported = db.files().export(exported())) {
        assertFalse(Files.exists(left));
        assertSameRows(db, db.importFamily("copy", OPTIONS, exported, FamilyFiles.ExportedFamily.Transfer.COPY));
        Files.createDirectories(folder.resolve("other.tmp"));
        Path letter = Files.createFile(folder.resolve("other.tmp/letter"));
        refused(Code.INVALID_ARGUMENT, "move it away", () -> db.files().export(folder.resolve("other")));
        assertTrue(Files.exists(letter));
        refused(
            Code.INVALID_ARGUMENT, "drop that one first",
            () -> db.importFamily("copy", OPTIONS, exported, FamilyFiles.ExportedFamily.Transfer.COPY));
      }
    }
  }

  @Test
  void anEmptyFamilyIsNotImported() {
    try (RocksDb db = RocksDb.at(folder.resolve("db")).defaults(OPTIONS).open();
        FamilyFiles.ExportedFamily exported = db.files().export(exported())) {
      refused(
          Code.INVALID_ARGUMENT, "create it",
          () -> db.importFamily("family", OPTIONS, exported, FamilyFiles.ExportedFamily.Transfer.COPY));
      assertEquals(1, db.families().size());
    }
  }

  @Test
  void optionsThatWouldLoseRowsAreRefused() {
    KeyComparator backward = (a, b) -> b.compareTo(a);
    KeyComparator forward = (a, b) -> a.compareTo(b);
    FamilyOptions own = OPTIONS.keyOrder("own", backward);
    try (RocksDb db = RocksDb.at(folder.resolve("db")).defaults(OPTIONS).open()) {
      fill(db);
      db.compact(KeyRange.all());
      db.merge(key(1), bytes("m"));
      ColumnFamily family = db.createFamily("own", own);
      for (int i = 0; i < 100; i++) {
        family.put(key(i), key(i));
      }
      try (FamilyFiles.ExportedFamily plain = db.files().export(exported());
          FamilyFiles.ExportedFamily ordered = family.files().export(folder.resolve("ordered"))) {
        refused(
            Code.INVALID_ARGUMENT,
            "Comparator name mismatch",
            () -> db.importFamily("a", own, plain, FamilyFiles.ExportedFamily.Transfer.COPY));
        refused(
            Code.INVALID_ARGUMENT,
            "give another order another name",
            () ->
                db.importFamily("a", OPTIONS.keyOrder("own", forward), ordered,
                    FamilyFiles.ExportedFamily.Transfer.COPY));
        refused(
            Code.INVALID_ARGUMENT,
            "have no merge operator",
            () -> db.importFamily("a", FamilyOptions.defaults(), plain, FamilyFiles.ExportedFamily.Transfer.COPY));
        refused(
            Code.INVALID_ARGUMENT,
            "num_levels",
            () ->
                db.importFamily("a", OPTIONS.option("num_levels", 2), plain, FamilyFiles.ExportedFamily.Transfer.COPY));
        assertEquals(2, db.families().size());
        assertSameRows(family, db.importFamily("a", own, ordered, FamilyFiles.ExportedFamily.Transfer.COPY));
      }
    }
  }

  @Test
  void valuesInBlobFilesAreNotLeftBehind() {
    FamilyOptions blobs = OPTIONS.enableBlobFiles(true);
    try (RocksDb db = RocksDb.at(folder.resolve("db")).defaults(blobs).open()) {
      db.put(key(1), new byte[10_000]);
      refused(Code.NOT_SUPPORTED, "RocksDb.checkpoint", () -> db.files().export(exported()));
    }
  }

  @Test
  void aDatabaseThatIsReadAloneNeitherExportsNorImports() {
    try (RocksDb db = RocksDb.at(folder.resolve("db")).defaults(OPTIONS).open()) {
      db.put(key(1), key(1));
      try (FamilyFiles.ExportedFamily exported = db.files().export(exported());
          RocksDb reading = RocksDb.at(folder.resolve("db")).defaults(OPTIONS).openReadOnly()) {
        refused(Code.NOT_SUPPORTED, "read only", () -> reading.files().export(folder.resolve("other")));
        refused(
            Code.NOT_SUPPORTED, "read only",
            () -> reading.importFamily("a", OPTIONS, exported, FamilyFiles.ExportedFamily.Transfer.COPY));
      }
    }
  }

  @Test
  void aClosedExportIsNotImported() {
    try (RocksDb db = RocksDb.at(folder.resolve("db")).defaults(OPTIONS).open()) {
      db.put(key(1), key(1));
      FamilyFiles.ExportedFamily exported = db.files().export(exported());
      exported.close();
      IllegalStateException closed =
          assertThrowsExactly(
              IllegalStateException.class,
              () -> db.importFamily("a", OPTIONS, exported, FamilyFiles.ExportedFamily.Transfer.COPY));
      assertEquals("export " + exported() + " is closed", closed.getMessage());
      assertEquals(List.of("default"), RocksDb.families(folder.resolve("db")));
    }
  }
}
