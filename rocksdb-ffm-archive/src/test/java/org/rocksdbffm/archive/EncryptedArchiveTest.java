/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.archive;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import java.util.zip.InflaterInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.rocksdbffm.ColumnFamily;
import org.rocksdbffm.DatabaseOptions;
import org.rocksdbffm.EncryptionKeys;
import org.rocksdbffm.FamilyOptions;
import org.rocksdbffm.RocksDb;
import org.rocksdbffm.RocksDbException;
import org.rocksdbffm.WriteBatch;

/** The archive of an encrypted database contains no plain keys or values, and is restored with the database's keys. */
@EnabledOnOs(OS.LINUX)
class EncryptedArchiveTest {
  private static final String SECRET = "secret-row-";
  private static final String FAMILY = "secret-family";

  @TempDir Path folder;

  private RocksDb open(String name, Path keys) {
    DatabaseOptions encrypted = DatabaseOptions.defaults().encryption(EncryptionKeys.ofFile(keys));
    return RocksDb.at(folder.resolve(name)).options(encrypted).open();
  }

  private Path keys(String... ids) throws IOException {
    StringBuilder lines = new StringBuilder();
    for (String id : ids) {
      lines.append(id).append(' ').append(Integer.toHexString(id.hashCode() | 0xf0000000).repeat(8)).append('\n');
    }
    return Files.writeString(folder.resolve("keys-" + String.join("-", ids)), lines);
  }

  private static byte[] row(int number) {
    return (SECRET + number).getBytes(UTF_8);
  }

  private static void write(RocksDb db, int from, int until) {
    for (int i = from; i < until; i++) {
      WriteBatch batch = new WriteBatch();
      batch.put(row(i), row(i));
      batch.in(db.family(FAMILY)).put(row(i), row(i));
      db.write(batch);
      if (i % 40 == 13) {
        db.flushAll();
      }
    }
  }

  private void check(String name, Path keys, int rows) {
    try (RocksDb db = open(name, keys)) {
      for (ColumnFamily family : List.of(db.family("default"), db.family(FAMILY))) {
        for (int i = 0; i < rows; i++) {
          assertEquals(SECRET + i, new String(family.get(row(i)), UTF_8));
        }
        assertNull(family.get(row(rows)));
      }
    }
  }

  @Test
  void theStoreHasNoPlainRowAndTheKeysRestoreEachStateAcrossARotation() throws Exception {
    Path first = keys("k1");
    Path both = keys("k2", "k1");
    FolderStore store = FolderStore.open(folder.resolve("store"));
    Archive archive = Archive.in(store);
    long middle;
    try (RocksDb db = open("db", first);
        Archiver archiver = archive.start(db, Await.FAST)) {
      db.createFamily(FAMILY, FamilyOptions.defaults());
      write(db, 0, 50);
      middle = Await.archived(db, archiver);
      write(db, 50, 60);
      Await.archived(db, archiver);
    }
    try (RocksDb db = open("db", both);
        Archiver archiver = archive.start(db, Await.FAST)) {
      write(db, 60, 100);
      Await.archived(db, archiver);
      write(db, 100, 105); // only in the WAL
      Await.archived(db, archiver);
    }
    assertEquals(List.of(), archive.verify().damages());
    assertTrue(plainObjects().isEmpty(), plainObjects()::toString);
    archive.restore(folder.resolve("newest"), Target.newest());
    check("newest", both, 105);
    archive.restore(folder.resolve("middle"), Target.sequence(middle));
    check("middle", first, 50);
    archive.restore(folder.resolve("other"), Target.newest());
    assertThrows(RocksDbException.class, () -> open("other", first).close());
    assertThrows(RocksDbException.class, () -> RocksDb.open(folder.resolve("other")).close());
    check("other", both, 105);
  }

  @Test
  void aFollowerWithTheKeysReadsNewStates() throws Exception {
    Path keys = keys("k1");
    FolderStore store = FolderStore.open(folder.resolve("store"));
    try (RocksDb db = open("db", keys);
        Archiver archiver = Archive.in(store).start(db, Await.FAST)) {
      db.put(row(1), row(1));
      Await.archived(db, archiver);
      DatabaseOptions encrypted = DatabaseOptions.defaults().encryption(EncryptionKeys.ofFile(keys));
      try (ArchiveFollower follower =
          ArchiveFollower.open(
              store, folder.resolve("follower"), path -> RocksDb.at(path).options(encrypted).openFollower())) {
        assertEquals(SECRET + 1, new String(follower.read(state -> state.get(row(1))), UTF_8));
        db.put(row(2), row(2));
        Await.archived(db, archiver);
        assertTrue(follower.catchUp());
        assertEquals(SECRET + 2, new String(follower.read(state -> state.get(row(2))), UTF_8));
      }
    }
  }

  @Test
  void theSearchFindsPlainRows() throws Exception {
    try (RocksDb db = RocksDb.open(folder.resolve("db"));
        Archiver archiver = Archive.in(FolderStore.open(folder.resolve("store"))).start(db, Await.FAST)) {
      db.put(row(1), row(1));
      Await.archived(db, archiver);
    }
    assertFalse(plainObjects().isEmpty());
  }

  /** Returns the objects in which a row or a name can be read. */
  private List<Path> plainObjects() throws IOException {
    List<Path> plain = new ArrayList<>();
    try (Stream<Path> files = Files.walk(folder.resolve("store"))) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        String text = Files.readString(file, ISO_8859_1);
        if (file.startsWith(folder.resolve("store/log"))) {
          Entry entry = Entry.read(Files.newInputStream(file), Chain.index("log/" + file.getFileName()));
          try (InflaterInputStream body = new InflaterInputStream(new ByteArrayInputStream(entry.body()))) {
            text += new String(body.readAllBytes(), ISO_8859_1);
          }
        }
        if (text.contains(SECRET) || text.contains(FAMILY)) {
          plain.add(file);
        }
      }
    }
    return plain;
  }
}
