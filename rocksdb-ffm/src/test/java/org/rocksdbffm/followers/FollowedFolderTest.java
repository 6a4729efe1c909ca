/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.followers;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrowsExactly;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.rocksdbffm.Backups;
import org.rocksdbffm.DatabaseOptions;
import org.rocksdbffm.FamilyOptions;
import org.rocksdbffm.Follower;
import org.rocksdbffm.Opening;
import org.rocksdbffm.RocksDb;
import org.rocksdbffm.RocksDbException;
import org.rocksdbffm.RocksDbException.Code;
import org.rocksdbffm.WriteOptions;
import org.rocksdbffm.tools.Folders;
import org.rocksdbffm.tools.LiveObjectsCheck;

/** A follower reads the WAL in the writer's folder, and never mixes rows of two databases that had the same path. */
@ExtendWith(LiveObjectsCheck.class)
final class FollowedFolderTest {
  private static final FamilyOptions BLOBS = FamilyOptions.defaults().enableBlobFiles(true);

  @TempDir Path temporary;

  private Path folder;
  private Path logs;
  private Path other;

  @BeforeEach
  void makePaths() throws IOException {
    temporary = temporary.toRealPath();
    folder = temporary.resolve("db");
    logs = temporary.resolve("wal");
    other = temporary.resolve("other");
  }

  private static void put(RocksDb db, String key, String value) {
    db.with(WriteOptions.defaults().sync(true)).put(key.getBytes(), value.getBytes());
  }

  private static String get(RocksDb db, String key) {
    byte[] value = db.get(key.getBytes());
    return value == null ? null : new String(value);
  }

  private static String get(Follower follower, String key) {
    return follower.read(db -> get(db, key));
  }

  private static DatabaseOptions with(Path logs) {
    return DatabaseOptions.defaults().option("wal_dir", logs);
  }

  private RocksDb writer(Path logs) {
    return RocksDb.at(folder).options(with(logs)).open();
  }

  private static void refused(String why, Supplier<?> call) {
    RocksDbException refused = assertThrowsExactly(RocksDbException.class, call::get);
    assertEquals(Code.INVALID_ARGUMENT, refused.code(), refused.getMessage());
    assertTrue(refused.getMessage().contains(why), refused.getMessage());
  }

  private static void copy(Path from, Path to) throws IOException {
    Files.createDirectory(to);
    try (Stream<Path> files = Files.list(from)) {
      for (Path file : files.toList()) {
        Files.copy(file, to.resolve(file.getFileName()));
      }
    }
  }

  private static void make(Path folder, FamilyOptions options, String value) {
    try (RocksDb db = RocksDb.at(folder).defaults(options).open()) {
      put(db, "a", value);
      put(db, "b", value);
      db.flush();
    }
  }

  @Test
  void rowsInALogElsewhereAreSeenWithoutAWordOfIt() {
    try (RocksDb db = writer(logs)) {
      put(db, "a", "0");
      db.flush();
      try (Follower follower = Follower.open(folder)) {
        for (int i = 1; i <= 3; i++) {
          put(db, "a", "" + i);
          assertTrue(follower.catchUp());
          assertEquals("" + i, get(follower, "a"));
          assertFalse(follower.catchUp());
        }
        try (RocksDb reading = RocksDb.at(folder).openReadOnly()) {
          assertEquals("3", get(reading, "a"));
        }
      }
    }
  }

  @Test
  void theLogIsFollowedWhereTheWriterTakesIt() {
    RocksDb first = RocksDb.open(folder);
    put(first, "a", "own");
    try (Follower follower = Follower.open(folder)) {
      first.flush();
      first.close();
      for (Path next : Stream.of(logs, folder.resolve("wal"), folder, logs).toList()) {
        try (RocksDb db = RocksDb.at(folder).options(with(next).replaceWalDir()).open()) {
          follower.catchUp();
          put(db, "a", next.toString());
          assertTrue(follower.catchUp());
          assertEquals(next.toString(), get(follower, "a"));
          db.flush();
        }
      }
    }
  }

  @Test
  void aRelativeFolderOfLogsIsTheOneThatNamesTheDatabase() throws IOException {
    Path relative = Path.of("").toAbsolutePath().relativize(logs);
    try (RocksDb db = writer(relative)) {
      put(db, "a", "1");
      try (Follower follower = Follower.open(folder)) {
        assertEquals("1", get(follower, "a"));
        put(db, "a", "2");
        follower.catchUp();
        assertEquals("2", get(follower, "a"));
      }
    }
    Path moved = Files.move(logs, temporary.resolve("moved")); // as from another working folder
    refused("set wal_dir to the folder of its logs", () -> Follower.open(folder));
    try (Follower follower = RocksDb.at(folder).options(with(moved)).openFollower()) {
      assertEquals("2", get(follower, "a"));
    }
  }

  @Test
  void aLogOfUnknownOwnerIsRefusedThoughItHasNoRowYet() throws IOException {
    try (RocksDb db = writer(logs)) {
      put(db, "a", "1");
      db.flush();
      Files.delete(logs.resolve("OWNER")); // rocksdbjni writes no OWNER file
      refused("the database had its logs in " + logs
          + ", and this process finds no file OWNER there", () -> Follower.open(folder));
      refused("the database had its logs in " + logs, () -> RocksDb.at(folder).openReadOnly());
      try (Follower informed = RocksDb.at(folder).options(with(logs)).openFollower()) {
        put(db, "a", "2");
        informed.catchUp();
        assertEquals("2", get(informed, "a"));
      }
      try (Follower without = RocksDb.at(folder).options(DatabaseOptions.defaults().replaceWalDir()).openFollower()) {
        assertEquals("1", get(without, "a"));
      }
    }
  }

  @Test
  void aFolderOfLogsThatIsGoneIsReportedAndTheMomentStays() throws IOException {
    try (RocksDb db = writer(logs)) {
      put(db, "a", "1");
    }
    try (Follower follower = Follower.open(folder)) {
      Path away = Files.move(logs, temporary.resolve("away"));
      for (int i = 0; i < 2; i++) {
        refused("the database had its logs in " + logs, follower::catchUp);
        assertEquals("1", get(follower, "a"));
      }
      Files.createDirectory(logs);
      refused("the database had its logs in " + logs, follower::catchUp);
      Files.delete(logs);
      Files.move(away, logs);
      try (RocksDb db = writer(logs)) {
        put(db, "a", "2");
        follower.catchUp();
        assertEquals("2", get(follower, "a"));
      }
    }
  }

  @Test
  void anotherFolderOfLogsThanTheWritersIsRefusedOnceItHasRows() throws IOException {
    Files.createDirectory(other);
    try (RocksDb db = writer(logs)) {
      put(db, "a", "1");
      db.flush();
      try (Follower follower = RocksDb.at(folder).options(with(other)).openFollower()) {
        assertEquals("1", get(follower, "a"));
        put(db, "a", "2");
        refused("the database's newest rows are in " + logs, follower::catchUp);
        db.flush();
        follower.catchUp();
        assertEquals("2", get(follower, "a"));
      }
    }
  }

  @Test
  void aCopyIsReadByItsOwnLog() {
    try (RocksDb db = writer(logs);
        Backups backups = Backups.open(temporary.resolve("backups"), Backups.Options.defaults().flushFirst(false))) {
      put(db, "a", "1");
      db.files().checkpoint(other);
      backups.create(db);
      Path restored = temporary.resolve("restored");
      backups.restoreLatest(restored);
      put(db, "a", "2");
      for (Path copy : Stream.of(other, restored).toList()) {
        try (Follower follower = Follower.open(copy)) {
          assertEquals("1", get(follower, "a"));
          put(db, "a", "3");
          assertFalse(follower.catchUp());
        }
      }
    }
  }

  /** The copy has the file LOCK, and rows of the original's WAL may be missing in its tables. */
  @Test
  void aCopyOfAllFilesIsRefusedWhereItMayLackRows() throws IOException {
    try (RocksDb db = writer(logs)) {
      put(db, "a", "1");
      db.flush();
      put(db, "a", "2");
    }
    copy(folder, other);
    for (Supplier<?> call : Stream.<Supplier<?>>of(
        () -> Follower.open(other), () -> RocksDb.at(other).openReadOnly(), () -> RocksDb.open(other)).toList()) {
      refused("which is the log of the database in " + folder + ", and its newest rows may be in ", call);
    }
    try (Follower follower = RocksDb.at(other).options(DatabaseOptions.defaults().replaceWalDir()).openFollower()) {
      assertEquals("1", get(follower, "a"));
    }
    Path moved = Files.move(folder, temporary.resolve("moved"));
    refused("if the database was moved here, write the line " + moved.toUri(), () -> Follower.open(moved));
    Files.writeString(logs.resolve("OWNER"), moved.toUri() + "\n");
    try (Follower follower = Follower.open(moved)) {
      assertEquals("2", get(follower, "a"));
    }
  }

  /** The ways in which a path changes to another database. */
  private enum Way {
    LINK,
    LINK_TO_LINK,
    NAME,
    SAME_FOLDER
  }

  private Path followed(Way way) throws IOException {
    return switch (way) {
      case LINK -> Files.createSymbolicLink(temporary.resolve("current"), folder);
      case LINK_TO_LINK ->
          Files.createSymbolicLink(temporary.resolve("current"),
              Files.createSymbolicLink(temporary.resolve("inner"), folder));
      case NAME, SAME_FOLDER -> folder;
    };
  }

  private void become(Way way) throws IOException {
    switch (way) {
      case LINK -> relink("current");
      case LINK_TO_LINK -> relink("inner");
      case NAME -> {
        Files.move(folder, temporary.resolve("before"));
        Files.move(other, folder);
      }
      case SAME_FOLDER -> {
        try (Stream<Path> files = Files.list(folder)) {
          for (Path file : files.toList()) {
            Files.delete(file);
          }
        }
        try (Stream<Path> files = Files.list(other)) {
          for (Path file : files.toList()) {
            Files.move(file, folder.resolve(file.getFileName()));
          }
        }
      }
      default -> throw new AssertionError(way);
    }
  }

  private void relink(String name) throws IOException {
    Files.delete(temporary.resolve(name));
    Files.createSymbolicLink(temporary.resolve(name), other);
  }

  @ParameterizedTest
  @EnumSource
  void aFolderThatBecomesAnotherDatabaseIsNoticed(Way way) throws IOException {
    make(folder, FamilyOptions.defaults(), "1");
    make(other, FamilyOptions.defaults(), "2");
    try (Follower follower = Follower.open(followed(way))) {
      assertEquals("1", get(follower, "a"));
      become(way);
      assertEquals("1", get(follower, "a"));
      assertTrue(follower.catchUp());
      assertEquals("2", get(follower, "a"));
      assertFalse(follower.catchUp());
    }
  }

  /** Blob files are opened when a value is read, by a file name that both databases have. */
  @ParameterizedTest
  @EnumSource
  void valuesInFilesAreNotTakenFromTheDatabaseThatReplacedIt(Way way) throws IOException {
    make(folder, BLOBS, "1");
    make(other, BLOBS, "2");
    try (RocksDb db = RocksDb.at(other).defaults(BLOBS).open()) {
      put(db, "b", "3"); // only in the WAL
    }
    try (Follower follower = Follower.open(followed(way))) {
      become(way);
      AtomicInteger times = new AtomicInteger();
      String read = follower.read(db -> {
        times.incrementAndGet();
        return get(db, "a") + get(db, "b");
      });
      assertTrue(read.equals("11") || read.equals("23"), () -> read + " after " + times);
      assertEquals(way == Way.LINK || way == Way.LINK_TO_LINK ? 1 : 2, times.get());
      follower.catchUp();
      assertEquals("23", follower.read(db -> get(db, "a") + get(db, "b")));
    }
  }

  @Test
  void aReadingDuringWhichTheFolderIsReplacedEachTimeEndsWithTryAgain() throws IOException {
    make(folder, BLOBS, "1");
    make(other, BLOBS, "2");
    Path third = temporary.resolve("third");
    try (Follower follower = Follower.open(folder)) {
      RocksDbException refused = assertThrowsExactly(RocksDbException.class, () -> follower.read(db -> {
        try {
          Files.move(folder, third);
          Files.move(other, folder);
          Files.move(third, other);
        } catch (IOException e) {
          throw new UncheckedIOException(e);
        }
        return get(db, "a");
      }));
      assertEquals(Code.TRY_AGAIN, refused.code(), refused.getMessage());
      follower.catchUp();
      String now = get(follower, "a");
      assertEquals(now, get(follower, "b"));
    }
  }

  /** A path that another thread switches between two databases until this is closed. */
  private final class Switching implements AutoCloseable {
    private final Path followed;
    private final boolean isLink;
    private final AtomicBoolean done = new AtomicBoolean();
    private final AtomicReference<Throwable> failure = new AtomicReference<>();
    private final Thread thread;

    Switching(Path followed, boolean isLink) {
      this.followed = followed;
      this.isLink = isLink;
      thread = Thread.ofPlatform().start(this::run);
    }

    private void run() {
      try {
        for (boolean isFirst = true; !done.get(); isFirst = !isFirst) {
          if (isLink) {
            Path next = Files.createSymbolicLink(temporary.resolve("next"), isFirst ? other : folder);
            Files.move(next, followed, StandardCopyOption.ATOMIC_MOVE);
          } else {
            Files.move(followed, temporary.resolve(isFirst ? "first" : "second"));
            Files.move(isFirst ? other : temporary.resolve("first"), followed);
            if (!isFirst) {
              Files.move(temporary.resolve("second"), other);
            }
          }
          awaitClock();
        }
      } catch (Throwable e) {
        failure.set(e);
      }
    }

    /** Waits until the file system's clock has advanced: two renamings at the same time cannot be distinguished. */
    private void awaitClock() throws IOException {
      Path file = temporary.resolve("clock");
      Files.write(file, new byte[1]);
      FileTime before = Files.getLastModifiedTime(file);
      while (Files.getLastModifiedTime(file).equals(before)) {
        Files.write(file, new byte[1]);
      }
    }

    @Override
    public void close() throws InterruptedException {
      done.set(true);
      thread.join();
      assertNull(failure.get(), () -> failure.get().toString());
    }
  }

  @ParameterizedTest
  @CsvSource({"true, true", "true, false", "false, true", "false, false"})
  void eachReadingIsOfOneDatabaseWhilePathsAreSwitched(boolean isLink, boolean hasBlobs) throws Exception {
    FamilyOptions options = FamilyOptions.defaults().enableBlobFiles(hasBlobs);
    make(folder, options, "1");
    make(other, options, "2");
    for (Path each : List.of(folder, other)) {
      try (RocksDb db =
          RocksDb.at(each).options(DatabaseOptions.defaults().option("avoid_flush_during_recovery", true)).open()) {
        put(db, "log", get(db, "a"));
      }
    }
    Path followed = isLink ? Files.createSymbolicLink(temporary.resolve("current"), folder) : folder;
    Set<String> seen = new TreeSet<>();
    try (Follower follower = Follower.open(followed);
        Switching switching = new Switching(followed, isLink)) {
      for (int i = 0; i < 300 || seen.size() < 2; i++) {
        try {
          follower.catchUp();
          seen.add(follower.read(db -> get(db, "a") + get(db, "b") + get(db, "log")));
        } catch (RocksDbException e) { // between two renamings the path has no database
          assertTrue(e.code() == Code.IO_ERROR || e.code() == Code.TRY_AGAIN
              || e.code() == Code.INVALID_ARGUMENT, e::toString);
        }
        assertNull(switching.failure.get());
      }
    }
    assertEquals(Set.of("111", "222"), seen);
  }

  @Test
  void anInterruptedThreadFollowsALogElsewhere() {
    try (RocksDb db = writer(logs)) {
      put(db, "a", "1");
      Thread.currentThread().interrupt();
      try (Follower follower = Follower.open(folder)) {
        put(db, "a", "2");
        assertTrue(follower.catchUp());
        assertEquals("2", get(follower, "a"));
      } finally {
        assertTrue(Thread.interrupted());
      }
    }
  }

  @Test
  void aFolderThatIsDeletedKeepsTheMomentUntilThereIsADatabaseAgain() throws IOException {
    make(folder, FamilyOptions.defaults(), "1");
    try (Follower follower = Follower.open(folder)) {
      Folders.delete(folder);
      for (int i = 0; i < 2; i++) {
        RocksDbException refused = assertThrowsExactly(RocksDbException.class, follower::catchUp);
        assertTrue(refused.getMessage().contains("there is no database in this folder"), refused.getMessage());
        assertEquals("1", get(follower, "a"));
        Files.createDirectories(folder);
      }
      make(folder, FamilyOptions.defaults(), "2");
      assertTrue(follower.catchUp());
      assertEquals("2", get(follower, "a"));
    }
  }

  @Test
  @EnabledOnOs({OS.LINUX, OS.MAC})
  void aLogThatMayNotBeReadIsRefusedByItsName() throws IOException {
    assumeTrue(!System.getProperty("user.name").equals("root"), "root may read anything");
    try (RocksDb db = writer(logs)) {
      put(db, "a", "1");
    }
    try (Follower follower = Follower.open(folder)) {
      for (String permissions : List.of("---------", "--x--x--x", "r--r--r--")) {
        Files.setPosixFilePermissions(logs, PosixFilePermissions.fromString(permissions));
        for (Supplier<?> call : List.<Supplier<?>>of(follower::catchUp, () -> Follower.open(folder))) {
          RocksDbException refused = assertThrowsExactly(RocksDbException.class, call::get);
          assertTrue(refused.getMessage().contains(logs.toString()), refused.getMessage());
          assertTrue(refused.getMessage().contains("let "), refused.getMessage());
        }
        assertEquals("1", get(follower, "a"));
        Files.setPosixFilePermissions(logs, PosixFilePermissions.fromString("rwxr-xr-x"));
      }
      Files.setPosixFilePermissions(logs.resolve("OWNER"), PosixFilePermissions.fromString("---------"));
      RocksDbException refused = assertThrowsExactly(RocksDbException.class, () -> Follower.open(folder));
      assertTrue(refused.getMessage().contains("OWNER: Permission denied"), refused.getMessage());
    }
  }

  @Test
  void aDatabaseAndItsLogsAreReadTogetherOnAnotherMount() throws IOException {
    Path disk = Files.createDirectory(temporary.resolve("disk"));
    folder = disk.resolve("db");
    logs = disk.resolve("wal");
    try (RocksDb db = writer(logs)) {
      put(db, "a", "1");
      db.flush();
      put(db, "a", "2");
    }
    Path mount = Files.move(disk, temporary.resolve("mount"));
    Path moved = mount.resolve("db");
    Path movedLogs = mount.resolve("wal");
    refused("set wal_dir to the folder of its logs", () -> Follower.open(moved));
    try (Follower follower = RocksDb.at(moved).options(with(movedLogs)).openFollower()) {
      assertEquals("2", get(follower, "a"));
      copy(moved, mount.resolve("copy"));
      refused("has the log of the database in "
          + folder, () -> RocksDb.at(mount.resolve("copy")).options(with(movedLogs)).openFollower());
      refused("has the log of the database in " + folder, () -> RocksDb.at(moved).options(with(movedLogs)).open());
    }
  }

  /** Simulates that the disk of the WAL is not mounted, and that wal_dir is not set, or names an empty folder. */
  @Test
  void aDatabaseWhoseLogsAreNowhereIsRefused() throws IOException {
    Files.createDirectory(other);
    try (RocksDb db = writer(logs)) {
      put(db, "a", "1");
    }
    Path away = Files.move(logs, temporary.resolve("away"));
    for (Opening opening : List.of(RocksDb.at(folder), RocksDb.at(folder).options(with(other)))) {
      for (Supplier<?> call : List.<Supplier<?>>of(opening::open, opening::openTransactional)) {
        refused("has no log at all, and the database had its logs in " + logs + ", which is missing", call);
      }
    }
    refused("has no log at all", () -> RocksDb.at(folder).options(with(other)).openFollower());
    Files.move(away, logs);
    try (RocksDb db = writer(logs)) {
      assertEquals("1", get(db, "a"));
    }
  }
}
