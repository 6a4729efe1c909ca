/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.followers;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrowsExactly;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.rocksdbffm.Backups;
import org.rocksdbffm.ByteSize;
import org.rocksdbffm.DatabaseOptions;
import org.rocksdbffm.FamilyOptions;
import org.rocksdbffm.KeyReader;
import org.rocksdbffm.Opening;
import org.rocksdbffm.Repair;
import org.rocksdbffm.RocksDb;
import org.rocksdbffm.RocksDbException;
import org.rocksdbffm.RocksDbException.Code;
import org.rocksdbffm.StoredOptions;
import org.rocksdbffm.tools.Folders;
import org.rocksdbffm.tools.LiveObjectsCheck;

/** A WAL folder ({@code wal_dir}) belongs to one database; no other database deletes its WAL files. */
@ExtendWith(LiveObjectsCheck.class)
class LogFolderTest {
  @TempDir Path temporary;

  private Path folder;
  private Path logs;
  private Path other;

  @BeforeEach
  void makeFolders() {
    folder = temporary.resolve("db");
    logs = temporary.resolve("die Logs größer");
    other = temporary.resolve("other");
  }

  private static Opening stored(Path folder) {
    StoredOptions stored = StoredOptions.load(folder);
    return RocksDb.at(folder).options(stored.database()).families(stored.families());
  }

  private DatabaseOptions with(Path logFolder) {
    return DatabaseOptions.defaults().option("wal_dir", logFolder);
  }

  private static void write(RocksDb db, int from, int until) {
    for (int i = from; i < until; i++) {
      db.put(("key" + i).getBytes(UTF_8), new byte[100]);
    }
  }

  private static void requireRows(KeyReader db, int count) {
    for (int i = 0; i < count; i++) {
      assertEquals(100, db.get(("key" + i).getBytes(UTF_8)).length);
    }
    assertNull(db.get(("key" + count).getBytes(UTF_8)));
  }

  /** Writes rows to a table, and the same number of rows to the WAL. */
  private void fill() {
    try (RocksDb db = RocksDb.at(folder).options(with(logs)).open()) {
      write(db, 0, 100);
      db.flush();
      write(db, 100, 200);
    }
  }

  private void requireWhole() {
    try (RocksDb db = RocksDb.at(folder).options(with(logs)).open()) {
      requireRows(db, 200);
    }
  }

  private static void requireRefused(String why, Runnable opening) {
    RocksDbException refused = assertThrowsExactly(RocksDbException.class, opening::run);
    assertEquals(Code.INVALID_ARGUMENT, refused.code(), refused.getMessage());
    assertTrue(refused.getMessage().contains(why), refused.getMessage());
  }

  private void withoutOwner() throws IOException {
    Files.deleteIfExists(logs.resolve("OWNER")); // earlier releases wrote no OWNER file
  }

  @Test
  void aCopyDoesNotTakeTheLogOfItsOriginal() throws IOException {
    Path restored = temporary.resolve("restored");
    try (RocksDb db = RocksDb.at(folder).options(with(logs)).open();
        Backups backups = Backups.open(temporary.resolve("backups"))) {
      write(db, 0, 100);
      db.flush();
      db.files().checkpoint(other);
      backups.create(db);
      backups.restoreLatest(restored);
      write(db, 100, 200);
      for (Path copy : List.of(other, restored)) {
        requireRefused("has the log of the database in " + folder, () -> RocksDb.at(copy).options(with(logs)).open());
      }
    }
    for (Path copy : List.of(other, restored)) {
      requireRefused("has the log of the database in " + folder, () -> RocksDb.at(copy).options(with(logs)).open());
      requireRefused("has the log of the database in "
          + folder, () -> RocksDb.at(copy).options(with(logs)).openReadOnly());
      requireRefused("has the log of the database in "
          + folder, () -> RocksDb.at(copy).options(with(logs)).openTransactional());
      requireRefused("has the log of the database in "
          + folder, () -> RocksDb.at(copy).options(with(logs)).openOptimistic());
      requireRefused("has the log of the database in "
          + folder, () -> RocksDb.at(copy).options(with(logs)).openFollower());
      requireRefused("has the log of the database in "
          + folder, () -> RocksDb.at(copy).options(DatabaseOptions.defaults().unchecked("wal_dir", logs)).open());
      requireRefused("has the log of the database in "
          + folder,
          () -> RocksDb.at(copy).options(DatabaseOptions.defaults().options("wal_dir={" + logs + "}")).open());
      requireRefused("has the log of the database in "
          + folder, () -> RocksDb.at(copy).options(with(logs).replaceWalDir()).open());
      requireRefused("has the log of the database in " + folder, () -> stored(copy).open());
      requireRefused("has the log of the database in " + folder, () -> Repair.of(copy));
    }
    requireWhole();
    for (Path copy : List.of(other, restored)) {
      try (RocksDb db = RocksDb.at(copy).options(with(temporary.resolve("logs of " + copy.getFileName()))).open()) {
        requireRows(db, 100);
      }
    }
  }

  /** The OPTIONS file of a copy also names the WAL folder of the original. */
  @Test
  void aCopyIsToldFromItsOriginalWhereNobodyHasTheLogYet() throws IOException {
    fill();
    Path restored = temporary.resolve("restored");
    try (RocksDb db = RocksDb.at(folder).options(with(logs)).open();
        Backups backups = Backups.open(temporary.resolve("backups"))) {
      db.files().checkpoint(other);
      backups.create(db);
      backups.restoreLatest(restored);
      write(db, 200, 300);
    }
    withoutOwner();
    for (Path copy : List.of(other, restored)) {
      requireRefused("was never opened in its folder, as a copy was not",
          () -> RocksDb.at(copy).options(with(logs)).open());
      requireRefused("was never opened in its folder, as a copy was not",
          () -> RocksDb.at(copy).options(with(logs)).openReadOnly());
      requireRefused("was never opened in its folder, as a copy was not",
          () -> RocksDb.at(copy).options(with(logs)).open());
      requireRefused("was never opened in its folder, as a copy was not", () -> Repair.of(copy));
    }
    assertFalse(Files.exists(logs.resolve("OWNER")), "a refusal leaves nothing");
    try (RocksDb db = RocksDb.at(folder).options(with(logs)).open()) {
      requireRows(db, 300);
    }
  }

  @Test
  void aCopyThatTakesThePlaceOfItsOriginalDoesNotTakeItsLog() throws IOException {
    fill();
    try (RocksDb db = RocksDb.at(folder).options(with(logs)).open()) {
      db.files().checkpoint(other);
      write(db, 200, 300);
    }
    Path original = Files.move(folder, temporary.resolve("original"));
    Files.move(other, folder);
    requireRefused("was never opened in its folder, as a copy was not",
        () -> RocksDb.at(folder).options(with(logs)).open());
    Files.writeString(logs.resolve("OWNER"), original.toUri() + "\n");
    try (RocksDb db = RocksDb.at(original).options(with(logs)).open()) {
      requireRows(db, 300);
    }
  }

  /** A backup without a flush has rows in WAL files, which are restored to the database folder. */
  @Test
  void aCopyIsNotOpenedWithoutItsOwnLogs() {
    try (RocksDb db = RocksDb.at(folder).options(with(logs)).open();
        Backups backups = Backups.open(temporary.resolve("backups"), Backups.Options.defaults().flushFirst(false))) {
      write(db, 0, 200);
      backups.create(db);
      backups.restoreLatest(other);
    }
    DatabaseOptions elsewhere = with(temporary.resolve("more"));
    requireRefused("its newest rows are in " + other, () -> RocksDb.at(other).options(elsewhere).open());
    requireRefused("its newest rows are in "
        + other, () -> RocksDb.at(other).options(elsewhere.replaceWalDir()).open());
    try (RocksDb db = RocksDb.at(other).options(DatabaseOptions.defaults().replaceWalDir()).open()) {
      requireRows(db, 200);
      db.flush();
    }
    try (RocksDb db = RocksDb.at(other).options(elsewhere).open()) {
      requireRows(db, 200);
    }
  }

  @Test
  void aNewDatabaseTakesNoLogs() throws IOException {
    fill();
    for (int i = 0; i < 2; i++) {
      requireRefused("has the log of the database in " + folder, () -> RocksDb.at(other).options(with(logs)).open());
    }
    withoutOwner();
    for (int i = 0; i < 2; i++) {
      requireRefused("has logs", () -> RocksDb.at(other).options(with(logs)).open());
    }
    assertFalse(Files.exists(other), "nothing is left of an opening that was refused");
    RocksDb.open(other).close();
    requireRefused("it is not known of which database", () -> RocksDb.at(other).options(with(logs)).open());
    requireRefused("it is not known of which database", () -> RocksDb.at(other).options(with(logs)).openReadOnly());
    assertFalse(Files.exists(logs.resolve("OWNER")), "a refusal leaves nothing");
    requireWhole();
    requireRefused("has the log of the database in " + folder, () -> RocksDb.at(other).options(with(logs)).open());
    requireWhole();
  }

  @Test
  void aDatabaseThatWasDeletedByHandLeavesNoRowsToTheNextOne() throws IOException {
    fill();
    Folders.delete(folder);
    for (int i = 0; i < 2; i++) {
      requireRefused("of a database that is gone", () -> RocksDb.at(folder).options(with(logs)).open());
    }
    try (Stream<Path> files = Files.list(logs)) {
      for (Path file : files.filter(file -> file.toString().endsWith(".log")).toList()) {
        Files.delete(file);
      }
    }
    try (RocksDb db = RocksDb.at(folder).options(with(logs)).open()) {
      requireRows(db, 0);
    }
  }

  /**
   * For example, if a disk is not mounted: the engine would open without the rows, and reuse their sequence numbers.
   */
  @Test
  void aDatabaseThatFindsNoneOfItsLogsIsNotOpened() throws IOException {
    fill();
    Path away = Files.move(logs, temporary.resolve("away"));
    for (int i = 0; i < 2; i++) {
      requireRefused("has no log at all, and the database had its logs there",
          () -> RocksDb.at(folder).options(with(logs)).open());
      requireRefused("has no log at all, and the database had its logs there",
          () -> RocksDb.at(folder).options(with(logs)).openReadOnly());
      requireRefused("has no log at all, and the database had its logs there", () -> stored(folder).open());
    }
    assertFalse(Files.exists(logs), "a refusal leaves nothing");
    Files.move(away, logs);
    requireWhole();
    try (RocksDb db = RocksDb.at(folder).options(with(logs)).open()) {
      requireRows(db, 200);
      write(db, 200, 300);
      db.files().checkpoint(other);
    }
    Folders.delete(logs);
    try (RocksDb db = RocksDb.at(folder).options(with(logs).replaceWalDir()).open()) {
      requireRows(db, 300);
    }
    assertEquals(List.of(), RocksDb.destroy(folder));
    try (RocksDb db = RocksDb.at(other).options(with(logs)).open()) { // the copy's rows are in tables
      requireRows(db, 300);
    }
  }

  @Test
  void aFolderWhoseDatabaseIsGoneSaysWhatToDo() throws IOException {
    fill();
    Folders.delete(folder);
    requireRefused("there is none there now: delete the logs and the file",
        () -> RocksDb.at(other).options(with(logs)).open());
    Folders.delete(logs);
    RocksDb.at(other).options(with(logs)).open().close();
  }

  @Test
  void whoHadTheFolderBeforeGoesOn() throws IOException {
    fill();
    withoutOwner();
    RocksDb.at(folder).options(with(logs)).openReadOnly().close();
    assertFalse(Files.exists(logs.resolve("OWNER")), "reading takes nothing");
    Path link = Files.createSymbolicLink(temporary.resolve("link"), logs);
    try (RocksDb db = RocksDb.at(folder).options(with(link)).open()) {
      requireRows(db, 200);
    }
    assertEquals(folder.toRealPath().toUri() + "\n", Files.readString(logs.resolve("OWNER")));
    try (RocksDb db = stored(folder).open()) {
      requireRows(db, 200);
    }
  }

  @Test
  void logsThatWereMovedAreTakenWithTheirFile() throws IOException {
    fill();
    Path moved = Files.move(logs, temporary.resolve("moved"));
    try (RocksDb db = RocksDb.at(folder).options(with(moved)).open()) {
      requireRows(db, 200);
      db.flush();
      write(db, 200, 300);
    }
    Files.delete(moved.resolve("OWNER"));
    Path again = Files.move(moved, temporary.resolve("again"));
    requireRefused("write the line "
        + folder.toRealPath().toUri(), () -> RocksDb.at(folder).options(with(again)).open());
    Files.writeString(again.resolve("OWNER"), folder.toRealPath().toUri() + "\n");
    try (RocksDb db = RocksDb.at(folder).options(with(again)).open()) {
      requireRows(db, 300);
    }
  }

  @Test
  void aDatabaseThatWasMovedSaysWhatToDo() throws IOException {
    fill();
    Path moved = Files.move(folder, temporary.resolve("moved"));
    requireRefused("write the line " + moved.toRealPath().toUri()
        + " into the file", () -> RocksDb.at(moved).options(with(logs)).open());
    Files.writeString(logs.resolve("OWNER"), moved.toRealPath().toUri() + "\n");
    try (RocksDb db = RocksDb.at(moved).options(with(logs)).open()) {
      requireRows(db, 200);
    }
  }

  @Test
  void aFolderOfLogsInThatOfTheDatabaseMovesWithIt() throws IOException {
    logs = folder.resolve("log");
    assertThrowsExactly(RocksDbException.class, () -> RocksDb.at(folder).options(with(logs)).mustExist().open());
    assertFalse(Files.exists(logs), "nothing is left of an opening that was refused");
    fill();
    Path moved = Files.move(folder, temporary.resolve("moved"));
    try (RocksDb db = RocksDb.at(moved).options(with(moved.resolve("log"))).open()) {
      requireRows(db, 200);
    }
    requireRefused("has the log of the database in "
        + moved, () -> RocksDb.at(other).options(with(moved.resolve("log"))).open());
    assertEquals(List.of(), RocksDb.destroy(moved));
    assertFalse(Files.exists(moved));
  }

  /** The engine would delete the tables of the other database in its WAL folder. */
  @Test
  void theFolderOfAnotherDatabaseIsNone() {
    try (RocksDb db = RocksDb.open(folder)) {
      write(db, 0, 100);
      db.flush();
    }
    requireRefused(folder + " is the folder of another database", () -> RocksDb.at(other).options(with(folder)).open());
    try (RocksDb db = RocksDb.open(folder)) {
      requireRows(db, 100);
    }
    RocksDb.at(other).options(with(other)).open().close();
    assertFalse(Files.exists(other.resolve("OWNER")));
  }

  @Test
  void aFolderOfItsTablesMayHaveItsLogs() {
    FamilyOptions both = FamilyOptions.defaults().paths(List.of(new FamilyOptions.StoragePath(logs, ByteSize.gib(1))));
    for (int i = 0; i < 2; i++) {
      try (RocksDb db = RocksDb.at(folder).options(with(logs)).defaults(both).open()) {
        write(db, 0, 100);
        db.flush();
        write(db, 100, 200);
        requireRows(db, 200);
      }
    }
    requireRefused("of the database in " + folder, () -> RocksDb.at(other).options(with(logs)).open());
    assertEquals(List.of(), RocksDb.destroy(folder));
    assertFalse(Files.exists(logs));
  }

  @Test
  void destroyingTakesItsLogsAndNoOthers() throws IOException {
    fill();
    Files.writeString(logs.resolve("notes.txt"), "somebody's");
    assertEquals(List.of(logs.resolve("notes.txt")), RocksDb.destroy(folder));
    try (Stream<Path> left = Files.list(logs)) {
      assertEquals(List.of(logs.resolve("notes.txt")), left.toList());
    }
    fill();
    RocksDb.open(other).close();
    Files.writeString(logs.resolve("OWNER"), other.toRealPath().toUri() + "\n");
    List<Path> left = RocksDb.destroy(folder);
    assertFalse(left.isEmpty());
    left.forEach(file -> assertTrue(Files.exists(file), file::toString));
    assertTrue(Files.exists(logs.resolve("OWNER")));
  }

  @Test
  void anOpeningThatFailsLeavesNoFolder() {
    assertThrowsExactly(RocksDbException.class,
        () -> RocksDb.at(folder).options(DatabaseOptions.defaults().option("wal_dir", logs)).mustExist().open());
    assertFalse(Files.exists(logs));
    fill();
    requireWhole();
  }

  /** Simulates a process that was killed while it claimed the folder. */
  @Test
  void anOwnerThatWasNotWrittenToItsEndIsNone() throws IOException {
    Files.createDirectory(logs);
    Files.writeString(logs.resolve("OWNER.17-1.tmp"), "file:/");
    fill();
    requireWhole();
    assertEquals(List.of(), RocksDb.destroy(folder));
    assertFalse(Files.exists(logs));
    Files.createDirectory(logs);
    Files.writeString(logs.resolve("OWNER"), "");
    requireRefused("write the URI of the folder of that database into it",
        () -> RocksDb.at(folder).options(with(logs)).open());
  }

  /** This is the reason why a WAL folder must not contain tables of other databases. */
  @Test
  void theEngineDeletesTablesInAFolderOfLogs() throws IOException {
    Files.createDirectory(logs);
    Files.writeString(logs.resolve("000012.sst"), "rows of somebody");
    requireRefused(logs + " has tables", () -> RocksDb.at(folder).options(with(logs)).open());
    assertTrue(Files.exists(logs.resolve("000012.sst")));
    Files.writeString(logs.resolve("OWNER"), temporary.toRealPath().resolve("db").toUri() + "\n");
    RocksDb.at(folder).options(with(logs)).open().close();
    assertFalse(Files.exists(logs.resolve("000012.sst")));
  }

  @Test
  @EnabledOnOs(OS.LINUX) // other systems have no such names
  void namesThatOptionsWouldCutAreWhole() {
    for (String name : List.of("a;b=c", "a b", "{a}", "a\\b", "#a", "a,b:c", "日本", "a\tb", "e\u0301")) {
      logs = temporary.resolve(name);
      folder = temporary.resolve("of " + name);
      try (RocksDb db = RocksDb.at(folder).options(with(logs)).open()) {
        write(db, 0, 10);
      }
      assertTrue(Arrays.stream(logs.toFile().list()).anyMatch(file -> file.endsWith(".log")), name);
      requireRefused("has the log of the database in", () -> RocksDb.at(other).options(with(logs)).open());
      try (RocksDb db = stored(folder).open()) {
        requireRows(db, 10);
      }
      assertEquals(List.of(), RocksDb.destroy(folder), name);
      assertFalse(Files.exists(logs), name);
    }
  }
}
