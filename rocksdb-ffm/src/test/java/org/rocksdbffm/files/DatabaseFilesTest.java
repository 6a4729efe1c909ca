/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.files;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrowsExactly;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.EnumSet;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.rocksdbffm.ByteSize;
import org.rocksdbffm.ColumnFamily;
import org.rocksdbffm.CompactOptions;
import org.rocksdbffm.DatabaseFiles;
import org.rocksdbffm.DatabaseOptions;
import org.rocksdbffm.FamilyOptions;
import org.rocksdbffm.KeyRange;
import org.rocksdbffm.RocksDb;
import org.rocksdbffm.RocksDbException;
import org.rocksdbffm.RocksDbException.Code;
import org.rocksdbffm.tools.LiveObjectsCheck;

/**
 * Tests the files of a database: they are held for a copy, listed with the WAL files, and verified by their checksums.
 */
@ExtendWith(LiveObjectsCheck.class)
final class DatabaseFilesTest {
  private static final FamilyOptions OPTIONS =
      FamilyOptions.defaults().option("disable_auto_compactions", true);
  private static final DatabaseOptions WITH_CHECKSUMS =
      DatabaseOptions.defaults().option("file_checksum_gen_factory", "FileChecksumGenCrc32cFactory");

  @TempDir Path folder;

  private static byte[] key(int number) {
    return String.format("%06d", number).getBytes();
  }

  private static void copy(DatabaseFiles.Hold hold, Path target) throws IOException {
    Files.createDirectory(target);
    for (DatabaseFiles.HeldFile file : hold.files()) {
      try (InputStream in = file.open()) {
        assertEquals(file.size().bytes(), Files.copy(in, target.resolve(file.name())), file.toString());
      }
    }
  }

  @Test
  void aCopierOfYourOwnMakesACopyThatOpens() throws IOException {
    try (RocksDb db = RocksDb.at(folder.resolve("db")).defaults(OPTIONS).open()) {
      ColumnFamily family = db.createFamily("family", OPTIONS);
      for (boolean flushFirst : new boolean[] {true, false}) {
        db.put(key(1), key(1));
        family.put(key(2), key(2));
        try (DatabaseFiles.Hold hold = flushFirst ? db.files().hold() : db.files().holdWithLogs()) {
          db.put(key(1), key(9)); // later than the hold
          db.put(key(3), key(3));
          db.createFamily("later" + flushFirst, OPTIONS);
          copy(hold, folder.resolve("copy" + flushFirst));
        }
        try (RocksDb copy = RocksDb.at(folder.resolve("copy" + flushFirst)).defaults(OPTIONS).open()) {
          assertArrayEquals(key(1), copy.get(key(1)));
          assertArrayEquals(key(2), copy.family("family").get(key(2)));
          assertEquals(!flushFirst, copy.get(key(3)) != null, "of the row that was there at the second hold alone");
        }
      }
    }
  }

  @Test
  void aCopyHasTheLogsAndBlobsThatAreElsewhereInItsOwnFolder() throws IOException {
    Path logs = Files.createDirectory(folder.resolve("logs"));
    FamilyOptions blobs = OPTIONS.enableBlobFiles(true).minBlobSize(ByteSize.bytes(1000));
    DatabaseOptions options = WITH_CHECKSUMS.option("wal_dir", logs);
    try (RocksDb db = RocksDb.at(folder.resolve("db")).options(options).defaults(blobs).open()) {
      db.put(key(1), new byte[5000]);
      db.flush();
      db.put(key(2), key(2));
      try (DatabaseFiles.Hold hold = db.files().holdWithLogs()) {
        assertEquals(logs, only(hold, DatabaseFiles.HeldFile.Kind.LOG).path().getParent());
        assertTrue(only(hold, DatabaseFiles.HeldFile.Kind.BLOB).checksum().isPresent());
        copy(hold, folder.resolve("copy"));
      }
    }
    try (RocksDb copy =
        RocksDb.at(folder.resolve("copy")).options(WITH_CHECKSUMS.replaceWalDir()).defaults(blobs).open()) {
      assertArrayEquals(new byte[5000], copy.get(key(1)));
      assertArrayEquals(key(2), copy.get(key(2)));
      copy.files().verifyFileChecksums();
    }
  }

  @Test
  void heldFilesStayUntilTheLastHoldIsClosed() {
    try (RocksDb db = RocksDb.at(folder.resolve("db")).defaults(OPTIONS).open()) {
      db.put(key(1), key(1));
      try (DatabaseFiles.Hold hold = db.files().hold();
          DatabaseFiles.Hold another = db.files().hold()) {
        Path table = only(hold, DatabaseFiles.HeldFile.Kind.TABLE).path();
        db.delete(key(1));
        db.flush();
        db.compact(KeyRange.all(), CompactOptions.defaults().bottommost(CompactOptions.Bottommost.FORCE));
        assertEquals(List.of(), db.files().live());
        assertTrue(Files.exists(table), table.toString());
        hold.close();
        hold.close();
        assertTrue(Files.exists(table), table.toString());
        another.close();
        assertFalse(Files.exists(table), table.toString());
        assertThrowsExactly(java.nio.file.NoSuchFileException.class,
            () -> only(another, DatabaseFiles.HeldFile.Kind.TABLE).open());
      }
    }
  }

  private static DatabaseFiles.HeldFile only(DatabaseFiles.Hold hold, DatabaseFiles.HeldFile.Kind kind) {
    List<DatabaseFiles.HeldFile> files = hold.files().stream().filter(file -> file.kind() == kind).toList();
    assertEquals(1, files.size(), hold.files().toString());
    return files.getFirst();
  }

  @Test
  void eachFileSaysWhatACopyHasOfIt() throws IOException {
    try (RocksDb db = RocksDb.at(folder.resolve("db")).options(WITH_CHECKSUMS).defaults(OPTIONS).open()) {
      db.put(key(1), new byte[10_000]);
      db.flush();
      db.put(key(2), key(2));
      try (DatabaseFiles.Hold hold = db.files().holdWithLogs()) {
        Set<DatabaseFiles.HeldFile.Kind> kinds =
            hold.files().stream().map(DatabaseFiles.HeldFile::kind).collect(Collectors.toSet());
        assertEquals(
            EnumSet.of(
                DatabaseFiles.HeldFile.Kind.TABLE,
                DatabaseFiles.HeldFile.Kind.LOG,
                DatabaseFiles.HeldFile.Kind.MANIFEST,
                DatabaseFiles.HeldFile.Kind.CURRENT,
                DatabaseFiles.HeldFile.Kind.OPTIONS),
            kinds);
        for (DatabaseFiles.HeldFile file : hold.files()) {
          assertEquals(db.path().resolve(file.name()), file.path());
          assertEquals(file.kind() == DatabaseFiles.HeldFile.Kind.CURRENT, file.contents().isPresent(),
              file.toString());
          assertEquals(file.kind() == DatabaseFiles.HeldFile.Kind.TABLE, file.checksum().isPresent(), file.toString());
          assertTrue(file.size().bytes() <= Files.size(file.path()), file.toString());
        }
        assertTrue(only(hold, DatabaseFiles.HeldFile.Kind.TABLE).isWhole());
        assertFalse(only(hold, DatabaseFiles.HeldFile.Kind.MANIFEST).isWhole());
        assertFalse(only(hold, DatabaseFiles.HeldFile.Kind.LOG).isWhole());
        DatabaseFiles.HeldFile current = only(hold, DatabaseFiles.HeldFile.Kind.CURRENT);
        assertFalse(current.isWhole());
        assertEquals(only(hold, DatabaseFiles.HeldFile.Kind.MANIFEST).name()
            + "\n", new String(current.contents().orElseThrow()));
        current.contents().orElseThrow()[0] = 0;
        assertEquals('M', current.contents().orElseThrow()[0]);
      }
    }
  }

  @Test
  void aChecksumIsThatOfTheWholeFile() throws IOException {
    try (RocksDb db = RocksDb.at(folder.resolve("db")).options(WITH_CHECKSUMS).defaults(OPTIONS).open()) {
      for (int i = 0; i < 40; i++) { // some of the checksums contain a zero byte
        db.put(key(i), key(i * 7));
        db.flush();
      }
      try (DatabaseFiles.Hold hold = db.files().hold()) {
        for (DatabaseFiles.HeldFile file : hold.files()) {
          if (file.kind() == DatabaseFiles.HeldFile.Kind.TABLE) {
            CRC32C expected = new CRC32C();
            expected.update(Files.readAllBytes(file.path()));
            assertEquals(OptionalLong.of(expected.getValue()), file.checksum(), file.toString());
          }
        }
      }
    }
  }

  @Test
  void aFileThatHasBecomeShorterIsNoCopy() throws IOException {
    try (RocksDb db = RocksDb.at(folder.resolve("db")).defaults(OPTIONS).open()) {
      db.put(key(1), key(1));
      try (DatabaseFiles.Hold hold = db.files().hold()) {
        DatabaseFiles.HeldFile table = only(hold, DatabaseFiles.HeldFile.Kind.TABLE);
        byte[] whole = Files.readAllBytes(table.path());
        try (FileChannel channel = FileChannel.open(table.path(), StandardOpenOption.WRITE)) {
          channel.truncate(whole.length - 1);
        }
        try (InputStream in = table.open()) {
          EOFException thrown = assertThrowsExactly(EOFException.class, in::readAllBytes);
          assertEquals(table.path() + " ends 1 bytes before the end of what is to be copied", thrown.getMessage());
        }
        Files.write(table.path(), whole);
        try (InputStream in = table.open()) {
          assertEquals(whole[0] & 0xff, in.read());
          assertEquals(whole.length - 1, in.available());
          assertEquals(whole.length - 1, in.readAllBytes().length);
          assertEquals(-1, in.read());
        }
      }
    }
  }

  @Test
  void theFilesOfTheLogAreTold() throws IOException {
    Path logs = Files.createDirectory(folder.resolve("logs"));
    DatabaseOptions kept = DatabaseOptions.defaults().option("WAL_ttl_seconds", "100000");
    for (boolean isElsewhere : new boolean[] {false, true}) {
      DatabaseOptions options = isElsewhere ? kept.option("wal_dir", logs) : kept;
      try (RocksDb db = RocksDb.at(folder.resolve("db" + isElsewhere)).options(options).defaults(OPTIONS).open()) {
        assertEquals(List.of(), db.files().logs().stream().filter(DatabaseFiles.LogFile::archived).toList());
        db.put(key(1), key(1));
        long first = db.files().latestSequenceNumber();
        db.flush();
        db.put(key(2), key(2));
        List<DatabaseFiles.LogFile> files = db.files().logs();
        assertEquals(List.of(true, false), files.stream().map(DatabaseFiles.LogFile::archived).toList(),
            files.toString());
        assertEquals(List.of(first, first + 1),
            files.stream().map(DatabaseFiles.LogFile::firstSequenceNumber).toList());
        assertTrue(files.get(0).number() < files.get(1).number(), files.toString());
        Path parent = isElsewhere ? logs : db.path();
        assertEquals(
            List.of(parent.resolve("archive"), parent), files.stream().map(file -> file.path().getParent()).toList());
        for (DatabaseFiles.LogFile file : files) {
          assertEquals(Files.size(file.path()), file.size().bytes(), file.toString());
        }
      }
    }
  }

  @Test
  void aFlippedByteIsFoundByTheChecksumOfTheFile() throws IOException {
    try (RocksDb db = RocksDb.at(folder.resolve("db")).options(WITH_CHECKSUMS).defaults(OPTIONS).open()) {
      db.put(key(1), new byte[10_000]);
      db.flush();
      db.files().verifyFileChecksums();
      Path table = db.files().live().getFirst().path();
      byte[] bytes = Files.readAllBytes(table);
      for (int place : new int[] {0, bytes.length / 2, bytes.length - 1}) {
        byte[] damaged = bytes.clone();
        damaged[place] ^= 1;
        Files.write(table, damaged);
        RocksDbException thrown = assertThrowsExactly(RocksDbException.class, db.files()::verifyFileChecksums);
        assertEquals(Code.CORRUPTION, thrown.code());
        assertTrue(thrown.getMessage().contains(table.getFileName() + " file checksum mismatch"), thrown.getMessage());
      }
      Files.write(table, bytes);
      db.files().verifyFileChecksums();
    }
  }

  @Test
  void filesThatWereWrittenWithoutChecksumsArePassedOver() throws IOException {
    try (RocksDb db = RocksDb.at(folder.resolve("db")).defaults(OPTIONS).open()) {
      db.put(key(1), new byte[10_000]);
      db.flush();
      RocksDbException thrown = assertThrowsExactly(RocksDbException.class, db.files()::verifyFileChecksums);
      assertEquals(Code.INVALID_ARGUMENT, thrown.code());
      try (DatabaseFiles.Hold hold = db.files().hold()) {
        assertEquals(OptionalLong.empty(), only(hold, DatabaseFiles.HeldFile.Kind.TABLE).checksum());
      }
    }
    try (RocksDb db = RocksDb.at(folder.resolve("db")).options(WITH_CHECKSUMS).defaults(OPTIONS).open()) {
      Path table = db.files().live().getFirst().path();
      byte[] bytes = Files.readAllBytes(table);
      bytes[bytes.length / 2] ^= 1;
      Files.write(table, bytes);
      db.files().verifyFileChecksums();
    }
  }

  @Test
  void aDatabaseForReadingAloneTellsOfItsLogsAndHoldsNothing() {
    try (RocksDb db = RocksDb.at(folder.resolve("db")).options(WITH_CHECKSUMS).defaults(OPTIONS).open()) {
      db.put(key(1), key(1));
      db.flush();
      db.put(key(2), key(2));
      List<DatabaseFiles.LogFile> logs = db.files().logs();
      try (RocksDb other = RocksDb.at(folder.resolve("db")).options(WITH_CHECKSUMS).defaults(OPTIONS).openReadOnly()) {
        assertEquals(logs, other.files().logs());
        other.files().verifyFileChecksums();
        for (org.junit.jupiter.api.function.Executable each :
            List.<org.junit.jupiter.api.function.Executable>of(
                () -> other.files().hold(),
                () -> other.files().pauseWork(java.time.Duration.ofSeconds(1)),
                () -> other.files().pauseManualCompactions(),
                () -> other.files().compact(other.files().live(), 1))) {
          RocksDbException thrown = assertThrowsExactly(RocksDbException.class, each);
          assertEquals(Code.NOT_SUPPORTED, thrown.code(), thrown.getMessage());
        }
        assertEquals(1, other.files().levels().get(0).files().size());
      }
    }
  }

  @Test
  void aHoldIsGivenBackByTheCloseOfItsDatabase() {
    DatabaseFiles.Hold hold;
    Path table;
    try (RocksDb db = RocksDb.at(folder.resolve("db")).defaults(OPTIONS).open()) {
      db.put(key(1), key(1));
      hold = db.files().hold();
      table = only(hold, DatabaseFiles.HeldFile.Kind.TABLE).path();
      db.delete(key(1));
      db.flush();
      db.compact(KeyRange.all(), CompactOptions.defaults().bottommost(CompactOptions.Bottommost.FORCE));
    }
    hold.close();
    assertFalse(Files.exists(table), table.toString());
    assertEquals("hold of the files of database " + folder.resolve("db"), hold.toString());
  }
}
