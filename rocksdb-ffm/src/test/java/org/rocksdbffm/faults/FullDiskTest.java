/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.faults;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrowsExactly;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.rocksdbffm.tools.Bytes.bytes;
import static org.rocksdbffm.tools.Bytes.random;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.rocksdbffm.Backup;
import org.rocksdbffm.Backups;
import org.rocksdbffm.ColumnFamily;
import org.rocksdbffm.DatabaseOptions;
import org.rocksdbffm.FamilyFiles;
import org.rocksdbffm.FamilyOptions;
import org.rocksdbffm.KeyReader;
import org.rocksdbffm.KeyWriter;
import org.rocksdbffm.RocksDb;
import org.rocksdbffm.RocksDbException;
import org.rocksdbffm.RocksDbException.Code;
import org.rocksdbffm.RocksDbException.SubCode;
import org.rocksdbffm.TableWriter;
import org.rocksdbffm.tools.LiveObjectsCheck;
import org.rocksdbffm.tools.SmallDisk;
import org.rocksdbffm.tools.Sweeps;

/**
 * Runs each operation that creates files on a full disk, with a little more free space each time, so that each of its
 * steps meets the full disk. The failure names a remedy, no rows are lost, no files are left, and with enough space the
 * operation succeeds.
 */
@EnabledOnOs(OS.LINUX)
@ExtendWith(LiveObjectsCheck.class)
final class FullDiskTest {
  private static final int STEP = Sweeps.of(12 << 10, 4 << 10);
  private static final int DISK_MIB = 8;
  private static final int ROWS = 20;
  private static final int VALUE = 5_000;
  private static final DatabaseOptions OPTIONS =
      DatabaseOptions.defaults().option("allow_fallocate", false).option("keep_log_file_num", 1);

  @TempDir Path folder;
  private SmallDisk disk;

  @BeforeEach
  void mount() throws IOException {
    disk = SmallDisk.mount(folder.resolve("disk"), DISK_MIB);
  }

  @AfterEach
  void unmount() {
    if (disk != null) {
      disk.close();
    }
  }

  private interface Work {
    void run() throws IOException;
  }

  /**
   * The parts of a test: the preparation, the operation that needs space, the check after a failure, and the check
   * after a success.
   */
  private record Sweep(Work before, Work operation, Work whenRefused, Work again) {}

  private void sweep(Sweep sweep) throws IOException {
    int refused = 0;
    for (long room = 0; ; room += STEP) {
      sweep.before.run();
      disk.leave(room);
      try {
        sweep.operation.run();
        assertTrue(refused > 1, refused + " attempts were refused");
        return;
      } catch (RocksDbException e) {
        assertFull(e);
        refused++;
      }
      sweep.whenRefused.run();
      disk.makeRoom();
      sweep.again.run();
    }
  }

  private static void assertFull(RocksDbException e) {
    assertEquals(Code.IO_ERROR, e.code(), e.getMessage());
    assertEquals(SubCode.NO_SPACE, e.subCode(), e.getMessage());
    assertTrue(e.mayRetry());
    assertTrue(e.getMessage().contains("make room on that disk, and try again"), e.getMessage());
  }

  private static byte[] key(int row) {
    return bytes("row" + (1000 + row));
  }

  private static void write(KeyWriter writer, long seed) {
    for (int row = 0; row < ROWS; row++) {
      writer.put(key(row), random(VALUE, seed + row));
    }
  }

  private static void assertWritten(KeyReader reader, long seed) {
    for (int row = 0; row < ROWS; row++) {
      assertArrayEquals(random(VALUE, seed + row), reader.get(key(row)));
    }
  }

  private Path elsewhere() {
    return folder.resolve("elsewhere");
  }

  private Path onDisk(String name) {
    return disk.path().resolve(name);
  }

  /** Returns the names of all files on the disk, except the file that fills it. */
  private Set<String> names() throws IOException {
    try (Stream<Path> files = Files.list(disk.path())) {
      return files.map(each -> each.getFileName().toString()).filter(name -> !name.equals("filler"))
          .collect(Collectors.toSet());
    }
  }

  private void assertDiskIsEmpty() throws IOException {
    assertEquals(Set.of(), names());
  }

  @Test
  void aTableFile() throws IOException {
    Path file = onDisk("1.sst");
    Work write =
        () -> {
          try (TableWriter table = TableWriter.create(file, FamilyOptions.defaults())) {
            write(table, 1);
            table.finish();
          }
        };
    sweep(
        new Sweep(
            this::assertDiskIsEmpty,
            write,
            this::assertDiskIsEmpty,
            () -> {
              write.run();
              Files.delete(file);
            }));
    try (RocksDb db = RocksDb.open(elsewhere())) {
      db.files().ingest(file);
      assertWritten(db, 1);
    }
  }

  @Test
  void anExportToAnotherDisk() throws IOException {
    Path target = onDisk("exported");
    try (RocksDb db = RocksDb.at(elsewhere()).options(OPTIONS).open()) {
      write(db, 1);
      Work export = () -> db.files().export(target).close();
      sweep(
          new Sweep(
              this::assertDiskIsEmpty,
              export,
              () -> {
                assertDiskIsEmpty();
                assertWritten(db, 1);
              },
              () -> {
                try (FamilyFiles.ExportedFamily exported = db.files().export(target)) {
                  ColumnFamily copy =
                      db.importFamily("copy", FamilyOptions.defaults(), exported,
                          FamilyFiles.ExportedFamily.Transfer.COPY);
                  assertWritten(copy, 1);
                  db.dropFamily(copy);
                }
                try (Stream<Path> files = Files.list(target)) {
                  for (Path file : files.toList()) {
                    Files.delete(file);
                  }
                }
                Files.delete(target);
              }));
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aCheckpoint(boolean ofDatabaseThere) throws IOException {
    Path target = onDisk("copy");
    Path place = ofDatabaseThere ? onDisk("db") : elsewhere();
    Set<String> others = ofDatabaseThere ? Set.of("db") : Set.of();
    Work checkpoint =
        () -> {
          try (RocksDb db = RocksDb.open(place)) {
            db.files().checkpoint(target);
          }
        };
    sweep(
        new Sweep(
            () -> {
              RocksDb.destroy(place);
              try (RocksDb db = RocksDb.at(place).options(OPTIONS).open()) {
                write(db, 1);
                db.flush();
                db.put(key(0), random(VALUE, 1));
              }
            },
            checkpoint,
            () -> assertEquals(others, names()),
            () -> {
              checkpoint.run();
              try (RocksDb copy = RocksDb.at(target).options(OPTIONS).open();
                  RocksDb db = RocksDb.at(place).options(OPTIONS).open()) {
                assertWritten(copy, 1);
                assertWritten(db, 1);
              }
              RocksDb.destroy(target);
            }));
  }

  @Test
  void aBackup() throws IOException {
    try (RocksDb db = RocksDb.at(elsewhere()).options(OPTIONS).open();
        Backups backups = Backups.open(onDisk("backups"), Backups.Options.defaults().threads(3))) {
      write(db, 1);
      backups.create(db);
      write(db, 2);
      sweep(
          new Sweep(
              () -> {},
              () -> backups.create(db),
              () -> {
                assertEquals(List.of(1), backups.list().stream().map(Backup::id).toList());
                backups.verify(1);
              },
              () -> {
                Backup made = backups.create(db);
                backups.verify(made.id());
                backups.delete(made.id());
                backups.verify(1);
                try (Stream<Path> left = Files.list(onDisk("backups/private"))) {
                  assertEquals(List.of("1"), left.map(each -> each.getFileName().toString()).toList());
                }
              }));
      backups.restore(1, folder.resolve("first"));
      backups.restoreLatest(folder.resolve("last"));
    }
    try (RocksDb first = RocksDb.open(folder.resolve("first"));
        RocksDb last = RocksDb.open(folder.resolve("last"))) {
      assertWritten(first, 1);
      assertWritten(last, 2);
    }
  }

  @Test
  void aRestore() throws IOException {
    Path target = onDisk("restored");
    try (RocksDb db = RocksDb.at(folder.resolve("db")).options(OPTIONS).open();
        Backups backups = Backups.open(elsewhere(), Backups.Options.defaults().threads(3))) {
      write(db, 1);
      backups.create(db);
      sweep(
          new Sweep(
              this::assertDiskIsEmpty,
              () -> backups.restore(1, target),
              this::assertDiskIsEmpty,
              () -> {
                backups.restore(1, target);
                try (RocksDb restored = RocksDb.at(target).options(OPTIONS).open()) {
                  assertWritten(restored, 1);
                }
                RocksDb.destroy(target);
              }));
    }
  }

  /** Without a mark in the new WAL file, the engine would reuse the sequence numbers of flushed rows after a crash. */
  @Test
  void aFlushWhoseMarkInTheNewLogIsRefusedSaysSo() throws IOException {
    DatabaseOptions logsOnDisk = OPTIONS.option("wal_dir", onDisk("logs")).option("WAL_ttl_seconds", 3600);
    try (RocksDb db = RocksDb.at(elsewhere()).options(logsOnDisk).open()) {
      write(db, 1);
      disk.leave(0);
      assertFull(assertThrowsExactly(RocksDbException.class, db::flush));
      assertWritten(db, 1);
      disk.makeRoom();
    }
    try (RocksDb db = RocksDb.at(elsewhere()).options(logsOnDisk).open()) {
      db.flush();
      assertWritten(db, 1);
    }
  }

  /** A database on the disk, with some rows only in the WAL. */
  private final class Held implements AutoCloseable {
    private RocksDb db;

    void begin() {
      close();
      RocksDb.destroy(onDisk("db"));
      db = RocksDb.at(onDisk("db")).options(OPTIONS).open();
      write(db, 1);
      db.flush();
      db.put(key(0), random(VALUE, 1));
    }

    /** Runs work with enough space on the open database, or, if that fails, after reopening the database. */
    void again(Work work) throws IOException {
      try {
        work.run();
      } catch (RocksDbException e) {
        if (!e.getMessage().contains("is not seen before the database is opened again")) {
          assertFull(e);
        }
        reopen();
        work.run();
      }
    }

    void reopen() {
      close();
      db = RocksDb.at(onDisk("db")).options(OPTIONS).open();
    }

    /** Reopens the database without freeing space, which may fail, too. */
    void openAsItIs() {
      try {
        reopen();
      } catch (RocksDbException e) {
        assertFull(e);
      }
    }

    void assertNoUnknownFiles() throws IOException {
      Set<Path> live = db.files().live().stream().map(file -> file.path().getFileName()).collect(Collectors.toSet());
      try (Stream<Path> files = Files.list(db.path())) {
        assertEquals(
            live,
            files.map(Path::getFileName).filter(name -> name.toString().endsWith(".sst")).collect(Collectors.toSet()));
      }
    }

    @Override
    public void close() {
      if (db != null) {
        db.close();
        db = null;
      }
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void anIngestion(boolean move) throws IOException {
    Path file = folder.resolve("1.sst");
    FamilyFiles.IngestOptions options = FamilyFiles.IngestOptions.defaults().move(move);
    try (Held held = new Held()) {
      sweep(
          new Sweep(
              () -> {
                Files.deleteIfExists(file);
                try (TableWriter table = TableWriter.create(file, FamilyOptions.defaults())) {
                  write(table, 2);
                  table.finish();
                }
                held.begin();
              },
              () -> held.db.files().ingest(List.of(file), options),
              () -> {
                assertTrue(Files.exists(file));
                assertWritten(held.db, 1);
                held.assertNoUnknownFiles();
              },
              () -> {
                held.again(() -> held.db.files().ingest(List.of(file), options));
                assertWritten(held.db, 2);
                held.reopen();
                assertWritten(held.db, 2);
              }));
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void anIngestionIsRefusedAndTheDatabaseIsOpenedAgain(boolean move) throws IOException {
    Path file = folder.resolve("1.sst");
    try (TableWriter table = TableWriter.create(file, FamilyOptions.defaults())) {
      write(table, 2);
      table.finish();
    }
    try (Held held = new Held()) {
      sweep(
          new Sweep(
              held::begin,
              () -> held.db.files().ingest(List.of(file), FamilyFiles.IngestOptions.defaults().move(move)),
              held::openAsItIs,
              () -> {
                held.reopen();
                assertWritten(held.db, 1);
                held.assertNoUnknownFiles();
              }));
    }
  }

  @Test
  void aColumnFamily() throws IOException {
    try (Held held = new Held()) {
      sweep(
          new Sweep(
              held::begin,
              () -> held.db.createFamily("new", FamilyOptions.defaults()),
              () -> assertWritten(held.db, 1),
              () -> {
                held.db.familyOrCreate("new", FamilyOptions.defaults());
                write(held.db.family("new"), 2);
                held.reopen();
                assertWritten(held.db.family("new"), 2);
                assertWritten(held.db, 1);
              }));
    }
  }

  @Test
  void anImport() throws IOException {
    try (RocksDb source = RocksDb.at(elsewhere()).options(OPTIONS).open();
        Held held = new Held()) {
      write(source, 2);
      try (FamilyFiles.ExportedFamily exported = source.files().export(folder.resolve("exported"))) {
        sweep(
            new Sweep(
                held::begin,
                () ->
                    held.db.importFamily("new", FamilyOptions.defaults(), exported,
                        FamilyFiles.ExportedFamily.Transfer.COPY),
                () -> {
                  assertEquals(1, held.db.families().size());
                  assertWritten(held.db, 1);
                  held.assertNoUnknownFiles();
                },
                () -> {
                  held.again(() -> imported(held, exported));
                  assertWritten(held.db.family("new"), 2);
                  held.reopen();
                  assertWritten(held.db.family("new"), 2);
                  assertWritten(held.db, 1);
                }));
      }
    }
  }

  /** After a failed import, the family may exist without rows, because it could not be dropped on the full disk. */
  private static void imported(Held held, FamilyFiles.ExportedFamily exported) {
    for (ColumnFamily family : held.db.families()) {
      if (family.name().equals("new")) {
        assertNull(family.get(key(0)));
        held.db.dropFamily(family);
      }
    }
    held.db.importFamily("new", FamilyOptions.defaults(), exported, FamilyFiles.ExportedFamily.Transfer.COPY);
  }
}
