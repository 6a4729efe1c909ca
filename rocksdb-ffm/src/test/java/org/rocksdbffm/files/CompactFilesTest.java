/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.files;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrowsExactly;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.rocksdbffm.ByteSize;
import org.rocksdbffm.ColumnFamily;
import org.rocksdbffm.CompactionFilter;
import org.rocksdbffm.CompactionStyle;
import org.rocksdbffm.Compression;
import org.rocksdbffm.FamilyFiles;
import org.rocksdbffm.FamilyOptions;
import org.rocksdbffm.KeyRange;
import org.rocksdbffm.KeySpace;
import org.rocksdbffm.RocksDb;
import org.rocksdbffm.RocksDbException;
import org.rocksdbffm.RocksDbException.Code;
import org.rocksdbffm.tools.LiveObjectsCheck;

/** Tests levels and their files, and compactions of files that a user chooses. */
@ExtendWith(LiveObjectsCheck.class)
final class CompactFilesTest {
  private static final FamilyOptions OPTIONS =
      FamilyOptions.defaults().option("disable_auto_compactions", true);

  @TempDir Path folder;

  private static byte[] key(int number) {
    return String.format("%06d", number).getBytes();
  }

  /** Creates files on level 0, each with all keys. */
  private static void fill(KeySpace space, int files) {
    for (int i = 0; i < files; i++) {
      for (int row = 0; row < 10; row++) {
        space.put(key(row), key(i));
      }
      space.flush();
    }
  }

  private static List<Integer> counts(KeySpace space) {
    return counts(space.files().levels());
  }

  private static List<Integer> counts(List<FamilyFiles.Level> levels) {
    return levels.stream().map(level -> level.files().size()).toList();
  }

  @Test
  void levelsHaveTheFilesOfTheirFamilyAlone() {
    FamilyOptions three = OPTIONS.option("num_levels", 3);
    try (RocksDb db = RocksDb.at(folder.resolve("db")).defaults(OPTIONS).open()) {
      ColumnFamily family = db.createFamily("family", three);
      assertEquals(List.of(0, 0, 0), counts(family));
      fill(family, 2);
      fill(db, 1);
      family.files().compact(family.files().levels().get(0).files(), 2);
      fill(family, 3);
      assertEquals(List.of(3, 0, 1), counts(family));
      assertEquals(List.of(1, 0, 0, 0, 0, 0, 0), counts(db));
      for (FamilyFiles.Level level : family.files().levels()) {
        long size = 0;
        for (FamilyFiles.LiveFile file : level.files()) {
          assertEquals(level.number(), file.level());
          assertEquals("family", file.columnFamily());
          size += file.size().bytes();
        }
        assertEquals(size, level.size().bytes());
      }
      List<Path> newestFirst = family.files().levels().get(0).files().stream().map(FamilyFiles.LiveFile::path).toList();
      assertEquals(newestFirst.stream().sorted((a, b) -> b.compareTo(a)).toList(), newestFirst);
      family.close();
      assertThrowsExactly(IllegalStateException.class, () -> family.files().levels());
    }
  }

  @Test
  void levelsOfARangeHaveTheFilesWithItsKeys() {
    FamilyOptions backward = OPTIONS.keyOrder("backward", (a, b) -> b.compareTo(a));
    for (FamilyOptions options : List.of(OPTIONS, backward)) {
      boolean isBackward = options == backward;
      try (RocksDb db = RocksDb.at(folder.resolve("db" + isBackward)).defaults(options).open()) {
        for (int i = 0; i < 4; i++) {
          db.put(key(10 * i), key(i));
          db.put(key(10 * i + 5), key(i));
          db.flush();
          if (i % 2 == 0) {
            db.files().compact(db.files().levels().get(0).files(), 1);
          }
        }
        KeyRange middle = isBackward ? KeyRange.between(key(17), key(8)) : KeyRange.between(key(8), key(17));
        KeyRange reverse = isBackward ? KeyRange.between(key(8), key(17)) : KeyRange.between(key(17), key(8));
        assertEquals(List.of(0, 1, 0, 0, 0, 0, 0), counts(db.files().levels(middle)));
        assertEquals(counts(db), counts(db.files().levels(KeyRange.all())));
        byte[] none = {};
        KeyRange whole = isBackward ? KeyRange.between(key(99), none) : KeyRange.between(none, key(99));
        assertEquals(counts(db), counts(db.files().levels(whole)));
        assertEquals(7, db.files().levels(reverse).size());
        KeyRange end = isBackward ? KeyRange.until(key(30)) : KeyRange.from(key(31));
        assertEquals(List.of(1, 0, 0, 0, 0, 0, 0), counts(db.files().levels(end)));
        assertEquals(
            db.files().levels().get(1).files().getFirst(), db.files().levels(KeyRange.all()).get(1).files().getFirst());
      }
    }
  }

  @Test
  void chosenFilesAndOlderOnesAreCompactedIntoALevel() {
    try (RocksDb db = RocksDb.at(folder.resolve("db")).defaults(OPTIONS).open()) {
      fill(db, 4);
      List<FamilyFiles.LiveFile> files = db.files().levels().get(0).files();
      List<Path> made = db.files().compact(List.of(files.get(2)), 3); // adds the oldest file, which has the same keys
      assertEquals(List.of(2, 0, 0, 1, 0, 0, 0), counts(db));
      assertEquals(made, db.files().levels().get(3).files().stream().map(FamilyFiles.LiveFile::path).toList());
      assertTrue(Files.exists(made.getFirst()));
      assertArrayEquals(key(3), db.get(key(5)));
      assertFalse(Files.exists(files.get(3).path()));
      db.files().compact(db.files().live(), 3);
      assertEquals(List.of(0, 0, 0, 1, 0, 0, 0), counts(db));
      assertArrayEquals(key(3), db.get(key(5)));
    }
    try (RocksDb db = RocksDb.at(folder.resolve("db")).defaults(OPTIONS).open()) {
      assertEquals(List.of(0, 0, 0, 1, 0, 0, 0), counts(db));
    }
  }

  @Test
  void newFilesAreAsLargeAsIsSet() {
    try (RocksDb db = RocksDb.at(folder.resolve("db")).defaults(OPTIONS.compression(Compression.NONE)).open()) {
      for (int i = 0; i < 1000; i++) {
        db.put(key(i), new byte[1000]);
      }
      db.flush();
      FamilyFiles.CompactionOptions options = FamilyFiles.CompactionOptions.defaults().maxSubcompactions(2);
      List<Path> made = db.files().compact(db.files().live(), 1, options.fileSize(ByteSize.kib(128)));
      assertTrue(made.size() >= 7, made.toString());
      made.forEach(file -> assertTrue(file.toFile().length() < 200_000, file + ": " + file.toFile().length()));
      assertEquals(1, db.files().compact(db.files().live(), 2, options).size());
    }
  }

  @Test
  void aFileThatNeedsNoMergeMayBeMoved() {
    try (RocksDb db = RocksDb.at(folder.resolve("db")).defaults(OPTIONS).open()) {
      fill(db, 1);
      List<Path> file = db.files().live().stream().map(FamilyFiles.LiveFile::path).toList();
      FamilyFiles.CompactionOptions moving = FamilyFiles.CompactionOptions.defaults().mayMove(true);
      assertEquals(file, db.files().compact(db.files().live(), 1, moving));
      assertEquals(1, db.files().levels().get(1).files().size());
      assertFalse(file.equals(db.files().compact(db.files().live(), 2, moving.mayMove(false))));
    }
  }

  @Test
  void whateverIsNoFileOfTheFamilyIsRefused() {
    try (RocksDb db = RocksDb.at(folder.resolve("db")).defaults(OPTIONS).open();
        RocksDb other = RocksDb.at(folder.resolve("other")).defaults(OPTIONS).open()) {
      ColumnFamily family = db.createFamily("family", OPTIONS);
      fill(db, 2);
      fill(family, 1);
      fill(other, 2);
      List<FamilyFiles.LiveFile> freed = List.of(db.files().levels().get(0).files().get(0));
      db.files().compact(freed, 1);
      for (List<FamilyFiles.LiveFile> files
          : List.of(freed, family.files().levels().get(0).files(), other.files().live())) {
        RocksDbException thrown = assertThrowsExactly(RocksDbException.class, () -> db.files().compact(files, 2));
        assertEquals(Code.INVALID_ARGUMENT, thrown.code());
        assertEquals(
            "Invalid argument: " + files.getFirst().path() + " is no table file of the column family, or not any more "
                + "(compacting files of column family 'default' of database " + db.path()
                + ": ask for its files again)",
            thrown.getMessage());
      }
      List<FamilyFiles.LiveFile> own =
          db.files().live().stream().filter(file -> file.columnFamily().equals("default")).toList();
      assertEquals(
          Code.INVALID_ARGUMENT, assertThrowsExactly(RocksDbException.class, () -> db.files().compact(own, 0)).code());
      for (int level : new int[] {-1, 7, Integer.MIN_VALUE, Integer.MAX_VALUE}) {
        IllegalArgumentException thrown =
            assertThrowsExactly(IllegalArgumentException.class, () -> db.files().compact(own, level));
        assertTrue(thrown.getMessage().startsWith("level: " + level + ", but "), thrown.getMessage());
      }
      assertThrowsExactly(IllegalArgumentException.class, () -> db.files().compact(List.of(), 1));
    }
  }

  @Test
  void compactionsInUniversalStyleKeepTheNewestValue() {
    FamilyOptions universal = OPTIONS.compactionStyle(CompactionStyle.UNIVERSAL);
    try (RocksDb db = RocksDb.at(folder.resolve("db")).defaults(universal).open()) {
      fill(db, 4);
      db.files().compact(List.of(db.files().levels().get(0).files().get(1)), 6);
      assertArrayEquals(key(3), db.get(key(5)));
      db.files().compact(db.files().live(), 6);
      assertArrayEquals(key(3), db.get(key(5)));
      assertEquals(1, db.files().levels().get(6).files().size());
    }
    FamilyOptions fifo = OPTIONS.compactionStyle(CompactionStyle.FIFO);
    try (RocksDb db = RocksDb.at(folder.resolve("fifo")).defaults(fifo).open()) {
      fill(db, 2);
      assertThrowsExactly(IllegalArgumentException.class, () -> db.files().compact(db.files().live(), 0));
    }
  }

  @Test
  void rowsAreMergedFilteredAndComparedInJavaOnTheThreadThatAsks() {
    FamilyOptions inJava =
        OPTIONS
            .keyOrder("backward", (a, b) -> b.compareTo(a))
            .mergeOperator("last", (key, value, operands) -> operands.getLast().toArray())
            .compactionFilter(
                "no ones",
                compaction ->
                    (level, key, value) ->
                        key.get(key.size() - 1) == '1' ? CompactionFilter.Decision.REMOVE
                            : CompactionFilter.Decision.KEEP);
    try (RocksDb db = RocksDb.at(folder.resolve("db")).defaults(inJava).open()) {
      for (int i = 0; i < 3; i++) {
        for (int row = 0; row < 10; row++) {
          db.merge(key(row), key(i));
        }
        db.flush();
      }
      db.files().compact(db.files().live(), 6);
      assertArrayEquals(key(2), db.get(key(5)));
      assertEquals(10, db.files().live().getFirst().entries()); // the first compaction does not filter a merged value
      db.files().compact(db.files().live(), 6);
      assertEquals(9, db.files().live().getFirst().entries());
      assertArrayEquals(key(9), db.files().live().getFirst().smallestKey());
    }
  }

  @Test
  void sizesAreMeasuredAsIsSet() {
    FamilyOptions blobs = OPTIONS.enableBlobFiles(true).minBlobSize(ByteSize.bytes(1000)).compression(Compression.NONE);
    try (RocksDb db = RocksDb.at(folder.resolve("db")).defaults(blobs).open()) {
      FamilyFiles.SizeOptions all = FamilyFiles.SizeOptions.defaults();
      db.put(key(1), new byte[500]);
      long inMemory = db.files().approximateSize(KeyRange.between(key(0), key(9)), all).bytes();
      assertTrue(inMemory >= 500, inMemory + " bytes");
      assertEquals(0, db.files().approximateSize(KeyRange.between(key(0), key(9)), all.memtables(false)).bytes());
      db.put(key(2), new byte[100_000]);
      db.flush();
      long tables = db.files().approximateSize(KeyRange.between(key(0), key(9)), all.memtables(false)).bytes();
      long withBlobs = db.files().approximateSize(KeyRange.between(key(0), key(9)), all.blobs(true)).bytes();
      assertTrue(tables < 10_000 && withBlobs > 90_000, tables + " and " + withBlobs);
      assertEquals(0, db.files().approximateSize(KeyRange.between(key(0), key(9)), all.tables(false)).bytes());
      assertTrue(db.files().approximateSize(KeyRange.between(key(0), key(9)), all.errorMargin(1)).bytes() > 0);
      assertEquals(
          db.files().approximateSize(KeyRange.between(key(0), key(9))),
          db.files().approximateSize(KeyRange.between(key(0), key(9)), FamilyFiles.SizeOptions.defaults()));
    }
    for (double margin : new double[] {-0.1, 1.1, Double.NaN, Double.NEGATIVE_INFINITY, Double.POSITIVE_INFINITY}) {
      assertThrowsExactly(IllegalArgumentException.class, () -> FamilyFiles.SizeOptions.defaults().errorMargin(margin));
    }
    assertThrowsExactly(
        IllegalArgumentException.class, () -> FamilyFiles.SizeOptions.defaults().memtables(false).tables(false));
  }

  @Test
  void optionsOutOfRangeAreRefused() {
    FamilyFiles.CompactionOptions options = FamilyFiles.CompactionOptions.defaults();
    assertThrowsExactly(IllegalArgumentException.class, () -> options.fileSize(ByteSize.kib(63)));
    assertThrowsExactly(IllegalArgumentException.class, () -> options.maxSubcompactions(-1));
    assertThrowsExactly(IllegalArgumentException.class, () -> options.maxSubcompactions(1025));
    assertEquals(ByteSize.bytes(Long.MAX_VALUE), options.fileSize(ByteSize.bytes(Long.MAX_VALUE)).fileSize());
  }
}
