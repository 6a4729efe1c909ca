/* Licensed under the Apache License, Version 2.0; see LICENSE. */

package org.rocksdbffm.encryption;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.rocksdbffm.Backups;
import org.rocksdbffm.DatabaseFiles;
import org.rocksdbffm.DatabaseOptions;
import org.rocksdbffm.EncryptionKeys;
import org.rocksdbffm.FamilyFiles;
import org.rocksdbffm.FamilyOptions;
import org.rocksdbffm.Follower;
import org.rocksdbffm.Opening;
import org.rocksdbffm.Repair;
import org.rocksdbffm.RocksDb;
import org.rocksdbffm.RocksDbException;
import org.rocksdbffm.StoredOptions;
import org.rocksdbffm.TableWriter;

/** Tests copies of encrypted databases, and operations on their folders. */
class EncryptedCopiesTest {
  private static final byte[] KEY = {1};
  private static final byte[] VALUE = "a secret of four words".getBytes(StandardCharsets.US_ASCII);
  private static final EncryptionKeys KEYS = () -> List.of(new EncryptionKeys.Key("k1", new byte[32]));

  @TempDir Path root;

  private Path folder;

  private Opening opening(String name) {
    folder = root.resolve(name);
    return RocksDb.at(folder).options(DatabaseOptions.defaults().encryption(KEYS));
  }

  private void requirePrefixes(Path of) throws IOException {
    try (Stream<Path> files = Files.walk(of)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        byte[] bytes = Files.readAllBytes(file);
        boolean isEmptyLock = file.getFileName().toString().equals("LOCK");
        assertTrue(
            isEmptyLock || bytes.length == 0
            || new String(bytes, 0, 8, StandardCharsets.ISO_8859_1).equals("ffm-aes\n"),
            file + " is not encrypted");
      }
    }
  }

  private static void requireRow(RocksDb db) {
    assertArrayEquals(VALUE, db.get(KEY));
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aCopyOfHeldFilesIsEncryptedAndWhole(boolean isFlushed) throws IOException {
    Path copy = Files.createDirectory(root.resolve("copy"));
    try (RocksDb db = opening("db").open()) {
      db.put(KEY, VALUE);
      try (DatabaseFiles.Hold hold = isFlushed ? db.files().hold() : db.files().holdWithLogs()) {
        for (DatabaseFiles.HeldFile file : hold.files()) {
          try (InputStream in = file.open()) {
            assertEquals(file.size().bytes(), Files.copy(in, copy.resolve(file.name())), file::toString);
          }
        }
      }
      assertEquals(List.of("default"), db.files().useKeys(() -> RocksDb.families(copy)));
    }
    requirePrefixes(copy);
    try (RocksDb db = opening("copy").open()) {
      requireRow(db);
    }
  }

  @Test
  void aBackupIsEncryptedAndVerifiedAndRestored() throws IOException {
    Path copies = root.resolve("backups");
    Path restored = root.resolve("restored");
    try (RocksDb db = opening("db").open()) {
      db.put(KEY, VALUE);
      try (Backups backups = KEYS.use(() -> Backups.open(copies))) {
        int id = backups.create(db).id();
        backups.verify(id);
        backups.create(db);
        backups.delete(id);
        backups.restoreLatest(restored);
      }
    }
    requirePrefixes(copies);
    try (RocksDb db = opening("restored").open()) {
      requireRow(db);
    }
    requirePrefixes(restored);
  }

  @Test
  void aBackupWithoutKeysIsRefused() {
    try (RocksDb db = opening("db").open();
        Backups backups = Backups.open(root.resolve("backups"))) {
      db.put(KEY, VALUE);
      String message = assertThrows(RocksDbException.class, () -> backups.create(db)).getMessage();
      assertEquals(
          "Invalid argument: database " + folder + " is encrypted, and the backups in " + root.resolve("backups")
              + " are not (open the backups within EncryptionKeys.use)",
          message);
      assertEquals(List.of(), backups.list());
    }
  }

  @Test
  void aCheckpointHasTheRowsAndIsEncrypted() throws IOException {
    Path copy = root.resolve("copy");
    try (RocksDb db = opening("db").open()) {
      db.put(KEY, VALUE);
      db.flush();
      db.put(new byte[] {2}, VALUE);
      db.files().checkpoint(copy);
    }
    requirePrefixes(copy);
    try (RocksDb db = opening("copy").open()) {
      requireRow(db);
      assertArrayEquals(VALUE, db.get(new byte[] {2}));
    }
  }

  @Test
  void aFollowerAndAReaderOpenAnEncryptedDatabase() {
    try (RocksDb db = opening("db").open()) {
      db.put(KEY, VALUE);
      try (RocksDb reader = opening("db").openReadOnly()) {
        requireRow(reader);
      }
      try (Follower follower = opening("db").openFollower()) {
        assertArrayEquals(VALUE, follower.read(reader -> reader.get(KEY)));
        db.put(new byte[] {2}, VALUE);
        db.flush();
        follower.catchUp();
        assertArrayEquals(VALUE, follower.read(reader -> reader.get(new byte[] {2})));
      }
    }
  }

  @Test
  void aTableWriterWithKeysWritesAnEncryptedFileThatIsIngested() throws IOException {
    Path plain = root.resolve("plain.sst");
    Path table = root.resolve("table.sst");
    for (Path file : List.of(plain, table)) {
      TableWriter made =
          file == plain
              ? TableWriter.create(file, FamilyOptions.defaults())
              : KEYS.use(() -> TableWriter.create(file, FamilyOptions.defaults()));
      try (TableWriter writer = made) {
        writer.put(KEY, VALUE);
        writer.finish();
      }
    }
    requirePrefixes(table);
    try (RocksDb db = opening("db").open()) {
      db.family("default").files().ingest(table);
      requireRow(db);
    }
    requirePrefixes(folder);
    try (RocksDb db = RocksDb.at(root.resolve("other")).open()) {
      String message =
          assertThrows(RocksDbException.class, () -> db.family("default").files().ingest(table)).getMessage();
      assertTrue(message.contains(" is encrypted, with the key 'k1' ("), message);
    }
  }

  @Test
  void aPlainTableFileIsTakenOverEncrypted() throws IOException {
    List<Path> files = List.of(root.resolve("1.sst"), root.resolve("2.sst"), root.resolve("encrypted.sst"));
    for (int i = 0; i < files.size(); i++) {
      Path file = files.get(i);
      try (TableWriter writer =
          i < 2
              ? TableWriter.create(file, FamilyOptions.defaults())
              : KEYS.use(() -> TableWriter.create(file, FamilyOptions.defaults()))) {
        writer.put(new byte[] {(byte) (i + 1)}, VALUE);
        writer.finish();
      }
    }
    try (RocksDb db = opening("db").open()) {
      FamilyFiles into = db.family("default").files();
      into.ingest(files.get(0));
      into.ingest(files.subList(1, 3), FamilyFiles.IngestOptions.defaults().move(true));
      for (int i = 0; i < files.size(); i++) {
        assertArrayEquals(VALUE, db.get(new byte[] {(byte) (i + 1)}));
        assertEquals(i == 0, Files.exists(files.get(i)), "copied, or moved");
      }
      Files.writeString(root.resolve("no.sst"), "this is no table");
      assertThrows(RocksDbException.class, () -> into.ingest(root.resolve("no.sst")));
    }
    requirePrefixes(folder);
    try (Stream<Path> all = Files.list(folder)) {
      assertEquals(List.of(), all.filter(file -> file.toString().endsWith(".tmp")).toList());
    }
    try (RocksDb db = opening("db").open()) {
      requireRow(db);
    }
  }

  @Test
  void whatAnInterruptedIngestionHasLeftIsDeletedByTheNextOpening() throws IOException {
    opening("db").open().close();
    Path left = Files.writeString(folder.resolve("encrypted-123.tmp"), "half a table");
    opening("db").open().close();
    assertTrue(Files.notExists(left));
  }

  @Test
  void aFamilyIsExportedAndImported() throws IOException {
    try (RocksDb db = opening("db").open()) {
      db.put(KEY, VALUE);
      try (var exported = db.family("default").files().export(root.resolve("export"))) {
        var copy =
            db.importFamily("copy", FamilyOptions.defaults(), exported, FamilyFiles.ExportedFamily.Transfer.COPY);
        assertArrayEquals(VALUE, copy.get(KEY));
      }
    }
    requirePrefixes(folder);
    requirePrefixes(root.resolve("export"));
  }

  @Test
  void operationsOnAFolderNeedTheKeys() throws IOException {
    try (RocksDb db = opening("db").open()) {
      db.put(KEY, VALUE);
    }
    for (Runnable operation : Arrays.<Runnable>asList(
        () -> StoredOptions.load(folder), () -> RocksDb.families(folder), () -> Repair.of(folder))) {
      String message = assertThrows(RocksDbException.class, operation::run).getMessage();
      assertTrue(message.contains(" is encrypted, with the key 'k1'"), message);
    }
    assertEquals(List.of("default"), KEYS.use(() -> RocksDb.families(folder)));
    assertEquals(1, KEYS.use(() -> StoredOptions.load(folder)).families().size());
    assertEquals(0, KEYS.use(() -> Repair.of(folder)).skippedBatches());
    requirePrefixes(folder);
    try (RocksDb db = opening("db").open()) {
      requireRow(db);
    }
    KEYS.use(() -> RocksDb.destroy(folder));
    assertTrue(Files.notExists(folder.resolve("CURRENT")));
  }
}
