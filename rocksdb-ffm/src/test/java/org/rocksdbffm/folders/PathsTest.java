/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.folders;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrowsExactly;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.rocksdbffm.Backups;
import org.rocksdbffm.ByteSize;
import org.rocksdbffm.CompactOptions;
import org.rocksdbffm.Compression;
import org.rocksdbffm.DatabaseOptions;
import org.rocksdbffm.FamilyFiles;
import org.rocksdbffm.FamilyOptions;
import org.rocksdbffm.KeyRange;
import org.rocksdbffm.KeyReader;
import org.rocksdbffm.Opening;
import org.rocksdbffm.OptimisticTransactionDb;
import org.rocksdbffm.Repair;
import org.rocksdbffm.RocksDb;
import org.rocksdbffm.RocksDbException;
import org.rocksdbffm.RocksDbException.Code;
import org.rocksdbffm.TableWriter;
import org.rocksdbffm.TransactionDb;
import org.rocksdbffm.tools.LiveObjectsCheck;

/** Tables are stored in the configured folders, which belong to one database; no other database deletes them. */
@ExtendWith(LiveObjectsCheck.class)
class PathsTest {
  private static final FamilyOptions CREATE =
      FamilyOptions.defaults().compression(Compression.NONE).targetFileSizeBase(ByteSize.kib(64));
  private static final int ROWS = 300;

  @TempDir Path temporary;

  private Path folder;
  private Path fast;
  private Path slow;

  @BeforeEach
  void makeFolders() {
    folder = temporary.resolve("db");
    fast = temporary.resolve("fast größer");
    slow = temporary.resolve("slow");
  }

  private List<FamilyOptions.StoragePath> both() {
    return List.of(new FamilyOptions.StoragePath(fast, ByteSize.kib(100)),
        new FamilyOptions.StoragePath(slow, ByteSize.gib(1)));
  }

  private static byte[] key(int number) {
    return "key%04d".formatted(number).getBytes(UTF_8);
  }

  private static void fill(RocksDb db) {
    for (int i = 0; i < ROWS; i++) {
      db.put(key(i), new byte[4000]);
    }
    db.flush();
    db.compact(KeyRange.all(), CompactOptions.defaults().bottommost(CompactOptions.Bottommost.FORCE));
  }

  private static void requireAll(KeyReader db) {
    for (int i = 0; i < ROWS; i++) {
      assertEquals(4000, db.get(key(i)).length);
    }
  }

  private static Set<String> names(Path folder, String end) throws IOException {
    if (!Files.exists(folder)) {
      return Set.of();
    }
    try (Stream<Path> files = Files.list(folder)) {
      Set<String> names = new TreeSet<>();
      files.map(file -> file.getFileName().toString()).filter(name -> name.endsWith(end)).forEach(names::add);
      return names;
    }
  }

  private RocksDbException refused(Path database, FamilyOptions options) {
    return assertThrowsExactly(RocksDbException.class, () -> RocksDb.at(database).defaults(options).open());
  }

  private void requireRefused(String why, Path database, FamilyOptions options) {
    RocksDbException refused = refused(database, options);
    assertEquals(Code.INVALID_ARGUMENT, refused.code(), refused.getMessage());
    assertTrue(refused.getMessage().contains(why), refused.getMessage());
  }

  @Test
  void tablesAreInTheFoldersAndFoundAgain() throws IOException {
    try (RocksDb db = RocksDb.at(folder).defaults(CREATE.paths(both())).open()) {
      fill(db);
      requireAll(db);
      assertFalse(names(slow, ".sst").isEmpty());
      assertEquals(Set.of(), names(folder, ".sst"));
      List<Path> live = new ArrayList<>();
      for (FamilyFiles.LiveFile file : db.files().live()) {
        assertTrue(Files.exists(file.path()), file::toString);
        live.add(file.path().getParent());
      }
      assertTrue(live.contains(slow), live::toString);
      db.files().verifyChecksums();
    }
    try (RocksDb db = RocksDb.at(folder).defaults(CREATE.paths(both())).open()) {
      requireAll(db);
    }
    try (RocksDb db = RocksDb.at(folder).defaults(FamilyOptions.defaults().paths(both())).openReadOnly()) {
      requireAll(db);
    }
    assertEquals(List.of(), RocksDb.destroy(folder));
    for (Path freed : List.of(folder, fast, slow)) {
      assertFalse(Files.exists(freed), freed::toString);
    }
  }

  @Test
  void anOpeningWithoutThemOrInAnotherOrderIsRefused() {
    try (RocksDb db = RocksDb.at(folder).defaults(CREATE.paths(both())).open()) {
      fill(db);
    }
    requireRefused("set FamilyOptions.paths to the folders that it was written with, in their order: [" + fast + ", "
        + slow + "]", folder, CREATE);
    requireRefused("the database has tables in " + slow + " too", folder, CREATE.paths(both().subList(0, 1)));
    RocksDbException readOnly = assertThrowsExactly(RocksDbException.class, () -> RocksDb.at(folder).openReadOnly());
    assertTrue(readOnly.getMessage().contains("set FamilyOptions.paths"), readOnly.getMessage());
    RocksDbException reversed = refused(folder, CREATE.paths(both().reversed()));
    assertTrue(reversed.getMessage().contains("FamilyOptions.paths"), reversed.getMessage());
    List<FamilyOptions.StoragePath> more = new ArrayList<>(both());
    more.add(new FamilyOptions.StoragePath(temporary.resolve("more"), ByteSize.gib(1)));
    try (RocksDb db = RocksDb.at(folder).defaults(CREATE.paths(more)).open()) {
      requireAll(db);
    }
  }

  @Test
  void twoDatabasesDoNotShareAFolder() throws IOException {
    Path other = temporary.resolve("other");
    try (RocksDb db = RocksDb.at(folder).defaults(CREATE.paths(both())).open()) {
      fill(db);
      requireRefused(slow + " has the tables of the database in "
          + folder, other, CREATE.paths(List.of(both().getLast())));
      requireRefused(folder
          + " is the folder of another database", other,
          CREATE.paths(List.of(new FamilyOptions.StoragePath(folder, ByteSize.gib(1)))));
      assertFalse(Files.exists(other), "nothing is left of an opening that was refused");
      Path link = Files.createSymbolicLink(temporary.resolve("link"), slow);
      requireRefused("has the tables of the database in", other,
          CREATE.paths(List.of(new FamilyOptions.StoragePath(link, ByteSize.gib(1)))));
    }
    requireRefused("has the tables of the database in", other, CREATE.paths(both()));
    try (RocksDb db = RocksDb.at(folder).defaults(CREATE.paths(both())).open()) {
      requireAll(db);
    }
  }

  @Test
  void tablesOfNobodyAreNotDeleted() throws IOException {
    Path there = Files.createDirectory(temporary.resolve("there"));
    Files.writeString(there.resolve("000012.sst"), "rows of somebody");
    FamilyOptions options = CREATE.paths(List.of(new FamilyOptions.StoragePath(there, ByteSize.gib(1))));
    requireRefused(there + " has tables, and it is not known of which database", folder, options);
    assertEquals("rows of somebody", Files.readString(there.resolve("000012.sst")));
    assertFalse(Files.exists(folder));
    Files.writeString(there.resolve("OWNER"), folder.toUri() + "\n");
    RocksDb.at(folder).defaults(options).open().close();
    assertFalse(Files.exists(there.resolve("000012.sst")), "the engine deletes them: that is why");
  }

  @Test
  void copiesAreRefused() {
    try (RocksDb db = RocksDb.at(folder).defaults(CREATE.paths(both())).open();
        Backups backups = Backups.open(temporary.resolve("backups"))) {
      fill(db);
      requireNotCopied("copy its folders while it is closed", () -> db.files().checkpoint(temporary.resolve("copy")));
      requireNotCopied("copy its folders while it is closed", () -> backups.create(db));
      requireNotCopied("write the rows to a TableWriter", () -> db.files().export(temporary.resolve("copy")));
      assertFalse(Files.exists(temporary.resolve("copy")));
      assertEquals(List.of(), backups.list());
      requireAll(db);
    }
  }

  private static void requireNotCopied(String advice, Runnable copy) {
    RocksDbException refused = assertThrowsExactly(RocksDbException.class, copy::run);
    assertEquals(Code.NOT_SUPPORTED, refused.code());
    assertTrue(refused.getMessage().contains(advice), refused.getMessage());
  }

  @Test
  void filesAreTakenIn() {
    Path file = temporary.resolve("rows.sst");
    try (TableWriter table = TableWriter.create(file, CREATE)) {
      table.put(key(1), key(1));
      table.finish();
    }
    try (RocksDb db = RocksDb.at(folder).defaults(CREATE.paths(both())).open();
        RocksDb other = RocksDb.at(temporary.resolve("other")).defaults(CREATE).open()) {
      fill(db);
      fill(other);
      try (FamilyFiles.ExportedFamily exported = other.files().export(temporary.resolve("exported"))) {
        requireAll(db.importFamily("imported", CREATE, exported, FamilyFiles.ExportedFamily.Transfer.MOVE));
      }
      db.files().ingest(file);
    }
    try (RocksDb db = RocksDb.at(folder).defaults(CREATE.paths(both())).open()) {
      db.createFamily("without", FamilyOptions.defaults()).put(key(1), key(1));
      requireAll(db.family("imported"));
      assertArrayEquals(key(1), db.get(key(1)));
    }
  }

  /** Levels are placed by the folders' targets. */
  @Test
  void levelsGoToTheFolderThatHasRoomForThem() throws IOException {
    FamilyOptions small =
        CREATE.paths(both()).maxBytesForLevelBase(ByteSize.kib(200)).level0FileNumCompactionTrigger(2).paths(both());
    try (RocksDb db = RocksDb.at(folder).defaults(small).open()) {
      for (int round = 0; round < 4; round++) {
        for (int i = 0; i < ROWS; i++) {
          db.put(key(i), new byte[4000]);
        }
        db.flush();
      }
      db.flushAll();
      db.files().waitForCompact(Duration.ofMinutes(1));
      assertFalse(names(slow, ".sst").isEmpty());
      requireAll(db);
    }
  }

  @Test
  void aFamilyHasFoldersOfItsOwn() throws IOException {
    FamilyOptions ofFamily = CREATE.paths(List.of(new FamilyOptions.StoragePath(slow, ByteSize.gib(1))));
    try (RocksDb db = RocksDb.at(folder).defaults(CREATE).open()) {
      db.createFamily("family", ofFamily).put(key(1), key(1));
      db.family("family").flush();
      assertEquals(1, names(slow, ".sst").size());
      fill(db);
      try (RocksDb other = RocksDb.at(temporary.resolve("other")).defaults(CREATE).open()) {
        RocksDbException refused =
            assertThrowsExactly(RocksDbException.class, () -> other.createFamily("family", ofFamily));
        assertTrue(refused.getMessage().contains("has the tables of the database in " + folder), refused.getMessage());
        assertEquals(1, other.families().size());
      }
    }
    requireRefused("the database has tables in " + slow + " too", folder, CREATE);
    try (RocksDb db = RocksDb.at(folder).defaults(CREATE).family("default", CREATE).family("family", ofFamily).open()) {
      assertArrayEquals(key(1), db.family("family").get(key(1)));
      requireAll(db);
    }
    assertEquals(List.of(), RocksDb.destroy(folder));
    assertFalse(Files.exists(slow));
  }

  @Test
  void blobsAreInTheFirstFolder() throws IOException {
    FamilyOptions blobs = CREATE.enableBlobFiles(true).paths(both());
    try (RocksDb db = RocksDb.at(folder).defaults(blobs).open()) {
      fill(db);
      assertFalse(names(fast, ".blob").isEmpty());
    }
    try (RocksDb db = RocksDb.at(folder).defaults(blobs).open()) {
      requireAll(db);
    }
    Files.writeString(slow.resolve("notes.txt"), "mine");
    assertEquals(List.of(slow.resolve("notes.txt")), RocksDb.destroy(folder));
    assertEquals("mine", Files.readString(slow.resolve("notes.txt")));
  }

  @Test
  void theFolderOfTheDatabaseMayBeTheFirst() throws IOException {
    List<FamilyOptions.StoragePath> own =
        List.of(new FamilyOptions.StoragePath(folder, ByteSize.kib(1)),
            new FamilyOptions.StoragePath(slow, ByteSize.gib(1)));
    for (int i = 0; i < 2; i++) {
      try (RocksDb db = RocksDb.at(folder).defaults(CREATE.paths(own)).open()) {
        fill(db);
        requireAll(db);
      }
    }
    assertFalse(names(slow, ".sst").isEmpty());
    assertEquals(List.of(), RocksDb.destroy(folder));
    assertFalse(Files.exists(slow));
  }

  @Test
  void anOpeningThatFailsLeavesNoFolder() {
    Opening missing = RocksDb.at(folder).defaults(FamilyOptions.defaults().paths(both())).mustExist();
    assertThrowsExactly(RocksDbException.class, missing::open);
    assertFalse(Files.exists(fast) || Files.exists(slow));
    RocksDbException noParent =
        refused(folder,
            CREATE.paths(List.of(new FamilyOptions.StoragePath(temporary.resolve("no/such"), ByteSize.gib(1)))));
    assertEquals(Code.IO_ERROR, noParent.code(), noParent.getMessage());
    RocksDb.at(temporary.resolve("other")).defaults(CREATE.paths(both())).open().close();
  }

  @Test
  void aDatabaseThatWasMovedSaysWhatToDo() throws IOException {
    try (RocksDb db = RocksDb.at(folder).defaults(CREATE.paths(both())).open()) {
      fill(db);
    }
    Path moved = Files.move(folder, temporary.resolve("moved"));
    requireRefused("if that database was moved here, write the line " + moved.toUri(), moved, CREATE.paths(both()));
    for (Path path : List.of(fast, slow)) {
      Files.delete(path.resolve("OWNER"));
    }
    try (RocksDb db = RocksDb.at(moved).defaults(CREATE.paths(both())).open()) {
      requireAll(db);
    }
    assertEquals(List.of(), RocksDb.destroy(moved));
  }

  /** The folder's owner would delete the other database's tables. */
  @Test
  void aFolderOfAnotherDatabasesTablesIsNoPlaceForOne() {
    try (RocksDb db = RocksDb.at(folder).defaults(CREATE.paths(both())).open()) {
      assertEquals(0, db.files().live().size());
      for (Path path : List.of(fast, slow)) {
        requireRefused(path + " is a folder of the tables or logs of the database in " + folder, path, CREATE);
      }
    }
    requireRefused("is a folder of the tables or logs of", slow, CREATE);
    assertFalse(Files.exists(slow.resolve("CURRENT")));
    assertEquals(List.of(), RocksDb.destroy(folder));
    RocksDb.at(slow).defaults(CREATE).open().close();
  }

  @Test
  void aFolderInThatOfTheDatabaseMovesWithIt() throws IOException {
    List<FamilyOptions.StoragePath> inner =
        List.of(new FamilyOptions.StoragePath(folder.resolve("inner"), ByteSize.gib(1)));
    try (RocksDb db = RocksDb.at(folder).defaults(CREATE.paths(inner)).open()) {
      fill(db);
    }
    Path moved = Files.move(folder, temporary.resolve("moved"));
    requireRefused(
        "has the tables of the database in " + moved,
        folder,
        CREATE.paths(List.of(new FamilyOptions.StoragePath(moved.resolve("inner"), ByteSize.gib(1)))));
    try (RocksDb db = RocksDb.at(moved)
        .defaults(CREATE.paths(List.of(new FamilyOptions.StoragePath(moved.resolve("inner"), ByteSize.gib(1)))))
        .open()) {
      requireAll(db);
    }
    assertEquals(List.of(), RocksDb.destroy(moved));
    assertFalse(Files.exists(moved));
  }

  /** The copied list of folders names the folders of the original, which exist. */
  @Test
  void aCopyOfAllFoldersIsOpenedWithItsOwn() throws Exception {
    try (RocksDb db = RocksDb.at(folder).defaults(CREATE.paths(both())).open()) {
      fill(db);
    }
    Path copy = temporary.resolve("copy");
    List<FamilyOptions.StoragePath> storagePaths =
        List.of(
            new FamilyOptions.StoragePath(temporary.resolve("copy of fast"), ByteSize.kib(100)),
            new FamilyOptions.StoragePath(temporary.resolve("copy of slow"), ByteSize.gib(1)));
    copyFolder(folder, copy);
    copyFolder(fast, storagePaths.getFirst().folder());
    copyFolder(slow, storagePaths.getLast().folder());
    requireRefused("has the tables of the database in " + folder, copy, CREATE.paths(both()));
    for (FamilyOptions.StoragePath each : storagePaths) {
      Files.writeString(each.folder().resolve("OWNER"), copy.toRealPath().toUri() + "\n");
    }
    for (int i = 0; i < 2; i++) {
      try (RocksDb db = RocksDb.at(copy).defaults(CREATE.paths(storagePaths)).open()) {
        requireAll(db);
      }
    }
    requireRefused("the database has tables in " + storagePaths.getLast().folder() + " too", copy, CREATE);
    assertEquals(List.of(), RocksDb.destroy(copy));
    try (RocksDb db = RocksDb.at(folder).defaults(CREATE.paths(both())).open()) {
      requireAll(db);
    }
  }

  private static void copyFolder(Path from, Path to) throws IOException {
    Files.createDirectory(to);
    try (Stream<Path> files = Files.list(from)) {
      for (Path file : files.toList()) {
        Files.copy(file, to.resolve(file.getFileName()));
      }
    }
  }

  @Test
  void pathsAreFromOneToFourAndEachIsAnother() {
    for (List<FamilyOptions.StoragePath> wrong : List.of(List.<FamilyOptions.StoragePath>of(), five())) {
      IllegalArgumentException refused = assertThrowsExactly(IllegalArgumentException.class, () -> CREATE.paths(wrong));
      assertEquals("paths: there are " + wrong.size() + ", but the engine takes from 1 to 4", refused.getMessage());
    }
    FamilyOptions.StoragePath twice = new FamilyOptions.StoragePath(fast.resolve("../fast größer"), ByteSize.gib(1));
    assertThrowsExactly(IllegalArgumentException.class, () -> CREATE.paths(List.of(both().getFirst(), twice)));
    assertThrowsExactly(IllegalArgumentException.class,
        () -> new FamilyOptions.StoragePath(Path.of(""), ByteSize.gib(1)));
    assertEquals(
        "paths: one is null",
        assertThrowsExactly(NullPointerException.class, () -> CREATE.paths(Arrays.asList(both().getFirst(), null)))
            .getMessage());
    assertEquals(CREATE.paths(both()), CREATE.paths(both()));
  }

  private List<FamilyOptions.StoragePath> five() {
    List<FamilyOptions.StoragePath> five = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      five.add(new FamilyOptions.StoragePath(temporary.resolve("p" + i), ByteSize.gib(1)));
    }
    return five;
  }

  /** With a Java comparator, the engine reports each table, which is then checked. */
  @Test
  void anOrderInJavaFindsThemToo() {
    FamilyOptions ordered = CREATE.paths(both()).keyOrder("backward", (a, b) -> b.compareTo(a));
    for (int i = 0; i < 2; i++) {
      try (RocksDb db = RocksDb.at(folder).defaults(ordered).open()) {
        fill(db);
        requireAll(db);
      }
    }
  }

  @Test
  void databasesWithTransactionsHaveThemToo() {
    try (TransactionDb db = RocksDb.at(folder).defaults(CREATE.paths(both())).openTransactional()) {
      fill(db);
    }
    requireRefused("the database has tables in", folder, CREATE);
    try (OptimisticTransactionDb db = RocksDb.at(folder).defaults(CREATE.paths(both())).openOptimistic()) {
      requireAll(db);
    }
  }

  @Test
  void aFileInSuchAFolderIsNotIngested() throws IOException {
    try (RocksDb db = RocksDb.at(folder).defaults(CREATE.paths(both())).open();
        RocksDb other = RocksDb.at(temporary.resolve("other")).defaults(CREATE).open()) {
      Path made = temporary.resolve("mine.sst");
      try (TableWriter table = TableWriter.create(made, CREATE)) {
        table.put(key(1), key(1));
        table.finish();
      }
      Path file = Files.move(made, slow.resolve("mine.sst"));
      RocksDbException refused = assertThrowsExactly(RocksDbException.class, () -> other.files().ingest(file));
      assertTrue(refused.getMessage().contains("is in a folder of tables"), refused.getMessage());
    }
  }

  /** The engine would create a MANIFEST without the tables in other folders, and delete them at the next opening. */
  @Test
  void aRepairThatWouldLoseTablesElsewhereIsRefused() {
    try (RocksDb db = RocksDb.at(folder).defaults(CREATE.paths(both())).open()) {
      fill(db);
    }
    for (FamilyOptions options : List.of(FamilyOptions.defaults(), FamilyOptions.defaults().paths(both()))) {
      RocksDbException refused =
          assertThrowsExactly(RocksDbException.class, () -> Repair.of(folder, DatabaseOptions.defaults(), options));
      assertEquals(Code.INVALID_ARGUMENT, refused.code(), refused.getMessage());
      assertTrue(refused.getMessage().contains("beside its own: ["), refused.getMessage());
    }
    try (RocksDb db = RocksDb.at(folder).defaults(CREATE.paths(both())).open()) {
      requireAll(db);
    }
  }

  @Test
  void chosenFilesAreCompactedIntoTheLastFolder() throws IOException {
    try (RocksDb db = RocksDb.at(folder).defaults(CREATE.paths(both()).disableAutoCompactions(true)).open()) {
      for (int i = 0; i < 2; i++) {
        db.put(key(i), new byte[100]);
        db.flush();
      }
      List<Path> made = db.files().compact(db.files().live(), 1);
      assertEquals(List.of(slow), made.stream().map(Path::getParent).toList());
      assertEquals(Set.of(), names(fast, ".sst"));
      assertEquals(100, db.get(key(1)).length);
    }
  }
}
