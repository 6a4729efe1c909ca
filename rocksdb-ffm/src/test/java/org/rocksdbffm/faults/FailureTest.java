/* Licensed under the Apache License, Version 2.0; see LICENSE. */

package org.rocksdbffm.faults;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;
import static org.rocksdbffm.tools.Bytes.bytes;
import static org.rocksdbffm.tools.Bytes.random;
import static org.rocksdbffm.tools.Bytes.text;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardWatchEventKinds;
import java.nio.file.WatchKey;
import java.nio.file.WatchService;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;
import org.rocksdbffm.Compression;
import org.rocksdbffm.Cursor;
import org.rocksdbffm.FamilyOptions;
import org.rocksdbffm.KeyOrder;
import org.rocksdbffm.KeyRange;
import org.rocksdbffm.PinnedValue;
import org.rocksdbffm.RocksDb;
import org.rocksdbffm.RocksDbException;
import org.rocksdbffm.RocksDbException.Code;
import org.rocksdbffm.RocksDbException.SubCode;
import org.rocksdbffm.Row;
import org.rocksdbffm.tools.ChildJvm;
import org.rocksdbffm.tools.DatabaseHolder;

/** Tests that an exception names the failed operation, its object, and a remedy. */
class FailureTest {
  private static final byte[] KEY = bytes("key");

  @TempDir Path temporary;
  private Path folder;

  @BeforeEach
  void chooseFolder() {
    folder = temporary.resolve("db");
  }

  private static RocksDbException fails(Code code, SubCode subCode, String message, Executable action) {
    var e = assertThrows(RocksDbException.class, action);
    assertEquals(code, e.code());
    assertEquals(subCode, e.subCode());
    assertTrue(e.getMessage().contains(message), e.getMessage());
    return e;
  }

  @Test
  void aMissingDatabaseSaysHowToCreateIt() {
    fails(
        Code.INVALID_ARGUMENT,
        SubCode.NONE,
        "CURRENT: does not exist (create_if_missing is false) (opening " + folder
            + ": there is no database: RocksDb.open creates one)",
        () -> RocksDb.at(folder).mustExist().open());
    fails(
        Code.IO_ERROR,
        SubCode.PATH_NOT_FOUND,
        "(opening " + folder + ": there is no database in this folder)",
        () -> RocksDb.at(folder).openReadOnly());
    fails(
        Code.IO_ERROR,
        SubCode.PATH_NOT_FOUND,
        "(listing the column families of " + folder + ": there is no database in this folder)",
        () -> RocksDb.families(folder));
  }

  @Test
  void aDatabaseThatShouldNotExistSaysThatItDoes() {
    RocksDb.open(folder).close();
    fails(
        Code.INVALID_ARGUMENT,
        SubCode.NONE,
        folder + ": exists (error_if_exists is true)",
        () -> RocksDb.at(folder).mustNotExist().open());
    assertThrows(IllegalStateException.class, () -> RocksDb.at(folder).mustNotExist().openReadOnly());
  }

  @Test
  void anotherKeyOrderThanThatOfTheDatabaseIsRefused() {
    RocksDb.open(folder).close();
    fails(
        Code.INVALID_ARGUMENT,
        SubCode.NONE,
        "open it with the FamilyOptions.keyOrder that it was created with",
        () -> RocksDb.at(folder).defaults(FamilyOptions.defaults().keyOrder(KeyOrder.REVERSE_BYTEWISE)).open());
  }

  @Test
  void aFileIsNoFolder() throws IOException {
    Files.writeString(folder, "a file");
    fails(Code.IO_ERROR, SubCode.NONE, "exists but is not a directory", () -> RocksDb.open(folder));
  }

  @Test
  void aDatabaseForReadingAloneRefusesAllThatChangesIt() {
    try (RocksDb db = RocksDb.open(folder)) {
      db.put(KEY, KEY);
    }
    try (RocksDb db = RocksDb.at(folder).openReadOnly()) {
      fails(Code.NOT_SUPPORTED, SubCode.NONE, "read only mode", () -> db.put(KEY, KEY));
      fails(Code.NOT_SUPPORTED, SubCode.NONE, "read only mode", () -> db.compact(KeyRange.all()));
      fails(Code.NOT_SUPPORTED, SubCode.NONE, "read only mode", () -> db.setOptions(Map.of("write_buffer_size", "9")));
      fails(
          Code.NOT_SUPPORTED,
          SubCode.NONE,
          "read only mode",
          () -> db.setDatabaseOptions(Map.of("max_background_jobs", "3")));
    }
  }

  @Test
  void aDatabaseForReadingAloneLeavesTheFilesOfWhoeverHasItOpen() throws IOException {
    try (RocksDb db = RocksDb.open(folder)) {
      db.createFamily("family", FamilyOptions.defaults());
      db.put(KEY, KEY);
      try (RocksDb reading = RocksDb.at(folder).openReadOnly()) {
        List<String> before = files();
        for (Executable change :
            List.<Executable>of(
                () -> reading.dropFamily(reading.family("family")),
                () -> reading.createFamily("other", FamilyOptions.defaults()),
                () -> reading.createFamilies(Map.of("other", FamilyOptions.defaults())),
                () -> reading.flush(),
                () -> reading.flushAll(),
                () -> reading.files().syncWal())) {
          fails(Code.NOT_SUPPORTED, SubCode.NONE, "read only mode", change);
        }
        assertEquals(before, files());
        assertEquals(2, reading.families().size());
      }
    }
  }

  private List<String> files() throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.map(file -> file.getFileName().toString()).filter(name -> !name.startsWith("LOG")).sorted().toList();
    }
  }

  @Test
  void aDatabaseThatIsOpenHereSaysSo() {
    try (RocksDb db = RocksDb.open(folder)) {
      db.put(KEY, KEY);
      String advice = ": close what uses it in this process, in whichever class loader";
      fails(Code.BUSY, SubCode.NONE, "(opening " + folder + advice, () -> RocksDb.open(folder));
      fails(Code.BUSY, SubCode.NONE, "(destroying " + folder + advice, () -> RocksDb.destroy(folder));
      try (RocksDb reader = RocksDb.at(folder).openReadOnly()) {
        assertArrayEquals(KEY, reader.get(KEY));
      }
    }
  }

  @Test
  void aPinnedValueKeepsAClosedDatabaseAndTheMessageSaysSo() {
    RocksDb db = RocksDb.open(folder);
    db.put(KEY, random(5000, 1));
    PinnedValue pinned = db.getPinned(KEY);
    db.close();
    fails(
        Code.BUSY,
        SubCode.NONE,
        "until the last value that is pinned in it is released; 1 of all databases are pinned now",
        () -> RocksDb.open(folder));
    assertEquals(1, db.pins().count());
    assertArrayEquals(random(5000, 1), pinned.segment().toArray(java.lang.foreign.ValueLayout.JAVA_BYTE));
    pinned.close();
    RocksDb.open(folder).close();
  }

  @Test
  void aDatabaseThatAnotherProcessHasSaysSo() throws Exception {
    Path ready = temporary.resolve("ready");
    try (WatchService watch = temporary.getFileSystem().newWatchService();
        var ignored = closing(temporary.register(watch, StandardWatchEventKinds.ENTRY_CREATE));
        ChildJvm.Running holder = ChildJvm.of(DatabaseHolder.class).start(folder.toString(), ready.toString())) {
      while (!Files.exists(ready)) {
        WatchKey key = watch.poll(60, TimeUnit.SECONDS);
        assertTrue(key != null && holder.process().isAlive(), holder::output);
        key.pollEvents();
        key.reset();
      }
      String advice =
          "(opening " + folder + ": another process has the database open: close it there, or open it here by"
              + " openReadOnly)";
      var e = fails(Code.IO_ERROR, SubCode.NONE, advice, () -> RocksDb.open(folder));
      assertTrue(e.getMessage().contains(folder + "/LOCK"), e.getMessage());
      RocksDb.at(folder).openReadOnly().close();
      holder.process().getOutputStream().close();
      holder.await().assertExit(0);
    }
    RocksDb.open(folder).close();
  }

  private static AutoCloseable closing(WatchKey key) {
    return key::cancel;
  }

  private Path fileNamed(String pattern) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.filter(file -> file.getFileName().toString().matches(pattern)).findFirst().orElseThrow();
    }
  }

  private static void flip(Path file, long from, long until) throws IOException {
    byte[] content = Files.readAllBytes(file);
    for (long at = from; at < Math.min(until, content.length); at++) {
      content[(int) at] ^= 0x55;
    }
    Files.write(file, content);
  }

  @Test
  void aDamagedTableFileIsToldByEveryKindOfRead() throws IOException {
    FamilyOptions plain = FamilyOptions.defaults().compression(Compression.NONE);
    try (RocksDb db = RocksDb.at(folder).defaults(plain).open()) {
      for (int i = 0; i < 100; i++) {
        db.put(bytes("%03d".formatted(i)), random(1000, i));
      }
      db.flush();
    }
    Path file = fileNamed("\\d+\\.sst");
    flip(file, 20_000, 20_010);
    try (RocksDb db = RocksDb.at(folder).defaults(plain).open()) {
      int damaged = 0;
      int whole = 0;
      for (int i = 0; i < 100; i++) {
        byte[] key = bytes("%03d".formatted(i));
        try {
          assertArrayEquals(random(1000, i), db.get(key));
          whole++;
        } catch (RocksDbException e) {
          damaged++;
          corrupted(file, () -> db.get(key));
          corrupted(file, () -> db.getPinned(key));
          corrupted(file, () -> db.getInto(key, new byte[2000]));
          corrupted(file, () -> db.getInto(key, new byte[20_000]));
          corrupted(file, () -> db.get(key, java.lang.foreign.Arena.ofAuto()));
          corrupted(file, () -> db.multiGet().add(key).add(key).get());
          corrupted(file, () -> db.multiGet(List.of(key, key)));
          try (Cursor cursor = db.cursor()) {
            corrupted(file, () -> cursor.seek(key));
            assertTrue(cursor.first(), "the cursor is usable again");
          }
        }
      }
      assertTrue(damaged > 0 && whole > 50, damaged + " damaged, " + whole + " whole");
      corrupted(file, () -> db.stream(KeyRange.all(), Row::keySize).count());
      assertEquals(0, db.pins().count());
      db.put(KEY, KEY);
    }
  }

  private static void corrupted(Path file, Executable read) {
    var e = fails(Code.CORRUPTION, SubCode.NONE, "block checksum mismatch", read);
    assertTrue(e.getMessage().contains(file.getFileName().toString()), e.getMessage());
    assertTrue(e.getMessage().contains("column family 'default' of database "), e.getMessage());
  }

  @Test
  void aDamagedManifestIsTold() throws IOException {
    try (RocksDb db = RocksDb.open(folder)) {
      db.put(KEY, KEY);
      db.flush();
    }
    flip(fileNamed("MANIFEST-\\d+"), 10, 40);
    var e = assertThrows(RocksDbException.class, () -> RocksDb.open(folder));
    assertEquals(Code.CORRUPTION, e.code());
    assertTrue(e.getMessage().contains(folder.toString()), e.getMessage());
  }

  @Test
  void aMissingTableFileIsTold() throws IOException {
    try (RocksDb db = RocksDb.open(folder)) {
      db.put(KEY, KEY);
      db.flush();
    }
    Path file = fileNamed("\\d+\\.sst");
    Files.delete(file);
    var e = assertThrows(RocksDbException.class, () -> RocksDb.open(folder));
    assertEquals(Code.CORRUPTION, e.code());
    assertTrue(e.getMessage().contains(file.getFileName().toString()), e.getMessage());
  }

  @Test
  void aFullDiskIsTold() throws Exception {
    Path disk = Files.createDirectory(temporary.resolve("disk"));
    assumeTrue(
        run("mount", "-t", "tmpfs", "-o", "size=4m", "tmpfs", disk.toString()),
        "a small disk is mounted by root alone");
    try {
      try (RocksDb db = RocksDb.open(disk.resolve("db"))) {
        db.put(KEY, bytes("before"));
        var e = assertThrows(RocksDbException.class, () -> {
          for (int i = 0; i < 10_000; i++) {
            db.put(bytes("k" + i), random(10_000, i));
          }
        });
        assertEquals(Code.IO_ERROR, e.code());
        assertEquals(SubCode.NO_SPACE, e.subCode());
        assertTrue(e.getMessage().contains("No space left on device"), e.getMessage());
        assertTrue(e.getMessage().contains(".log"), e.getMessage());
        assertEquals("before", text(db.get(KEY)), "it can still be read");
      }
    } finally {
      assertTrue(run("umount", disk.toString()));
    }
  }

  private static boolean run(String... command) throws Exception {
    try {
      return new ProcessBuilder(command).redirectErrorStream(true).start().waitFor() == 0;
    } catch (IOException e) {
      return false; // the command does not exist
    }
  }
}
