/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.compat.database;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.rocksdb.ColumnFamilyDescriptor;
import org.rocksdb.ColumnFamilyHandle;
import org.rocksdb.ColumnFamilyMetaData;
import org.rocksdb.CompactionOptions;
import org.rocksdb.FlushOptions;
import org.rocksdb.LiveFileMetaData;
import org.rocksdb.MutableColumnFamilyOptions;
import org.rocksdb.Options;
import org.rocksdb.Range;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.SizeApproximationFlag;
import org.rocksdb.Slice;
import org.rocksdb.TableProperties;

/** A database's metadata of files, sizes and options, and operations based on that metadata. */
class MetadataTest {
  @TempDir Path folder;
  private Options options;
  private RocksDB db;
  private ColumnFamilyHandle family;

  @BeforeEach
  void open() throws RocksDBException {
    RocksDB.loadLibrary();
    options = new Options().setCreateIfMissing(true).setDisableAutoCompactions(true);
    db = RocksDB.open(options, folder.toString());
    family = db.createColumnFamily(new ColumnFamilyDescriptor(bytes("f")));
    put("a", "c");
    put("m", "p");
  }

  @AfterEach
  void close() {
    db.close();
    options.close();
  }

  private static byte[] bytes(String text) {
    return text.getBytes(UTF_8);
  }

  /** Writes an SST file with a smallest and a largest key. */
  private void put(String first, String last) throws RocksDBException {
    try (FlushOptions flush = new FlushOptions()) {
      for (char c = first.charAt(0); c <= last.charAt(0); c++) {
        db.put(new byte[] {(byte) c}, new byte[10_000]);
      }
      db.flush(flush);
    }
  }

  @Test
  @Tag("oracle")
  void eachLiveFileIsToldWithItsKeysAndFamily() throws RocksDBException {
    List<LiveFileMetaData> files = db.getLiveFilesMetaData();
    assertEquals(2, files.size());
    LiveFileMetaData first =
        files.stream().filter(its -> its.smallestKey()[0] == 'a').findFirst().orElseThrow();
    assertArrayEquals(bytes("c"), first.largestKey());
    assertArrayEquals(RocksDB.DEFAULT_COLUMN_FAMILY, first.columnFamilyName());
    assertEquals(0, first.level());
    assertEquals(3, first.numEntries());
    assertEquals(0, first.numDeletions());
    assertFalse(first.beingCompacted());
    assertEquals(folder.toString(), first.path());
    assertTrue(first.fileName().endsWith(".sst"), first.fileName());
    assertTrue(first.size() > 0);
    assertTrue(first.smallestSeqno() > 0 && first.smallestSeqno() < first.largestSeqno());
    assertNotNull(first.fileChecksum());
  }

  @Test
  @Tag("oracle")
  void aFamilyIsToldByLevelsAndFiles() {
    ColumnFamilyMetaData data = db.getColumnFamilyMetaData();
    assertEquals(2, data.fileCount());
    assertArrayEquals(RocksDB.DEFAULT_COLUMN_FAMILY, data.name());
    assertEquals(2, data.levels().getFirst().files().size());
    assertEquals(0, db.getColumnFamilyMetaData(family).fileCount());
  }

  @Test
  @Tag("oracle")
  void theFilesThatACopyNeedsAreListed() throws RocksDBException {
    RocksDB.LiveFiles live = db.getLiveFiles();
    assertTrue(live.manifestFileSize > 0);
    assertTrue(live.files.contains("/CURRENT"), live.files.toString());
    assertEquals(2, live.files.stream().filter(its -> its.endsWith(".sst")).count());
  }

  @Test
  @Tag("oracle")
  void theSizesOfRangesAreToldOfFilesAndOfMemory() throws RocksDBException {
    db.put(bytes("x"), new byte[50_000]);
    try (Slice a = new Slice("a");
        Slice d = new Slice("d");
        Slice x = new Slice("x");
        Slice z = new Slice("z")) {
      List<Range> ranges = List.of(new Range(a, d), new Range(x, z), new Range(a, z));
      long[] inFiles = db.getApproximateSizes(ranges, SizeApproximationFlag.INCLUDE_FILES);
      assertTrue(inFiles[0] > 0);
      assertEquals(0, inFiles[1]);
      assertTrue(inFiles[2] > inFiles[0]);
      long[] inMemory = db.getApproximateSizes(ranges, SizeApproximationFlag.INCLUDE_MEMTABLES);
      assertEquals(0, inMemory[0]);
      assertTrue(inMemory[1] > 0);
      assertEquals(1, db.getApproximateMemTableStats(new Range(x, z)).count);
      assertEquals(0, db.getApproximateMemTableStats(new Range(a, d)).count);
      assertArrayEquals(new long[] {0},
          db.getApproximateSizes(family, List.of(new Range(a, z)), SizeApproximationFlag.INCLUDE_FILES));
    }
  }

  @Test
  @Tag("oracle")
  void thePropertiesOfTablesAreTold() throws RocksDBException {
    Map<String, TableProperties> all = db.getPropertiesOfAllTables();
    assertEquals(2, all.size());
    TableProperties one = all.values().iterator().next();
    assertEquals("leveldb.BytewiseComparator", one.getComparatorName());
    assertArrayEquals(RocksDB.DEFAULT_COLUMN_FAMILY, one.getColumnFamilyName());
    assertTrue(one.getNumEntries() >= 3);
    assertTrue(one.getDataSize() > 0);
    assertEquals(Map.of(), db.getPropertiesOfAllTables(family));
  }

  /** With rocksdbjni, the result is not a map, so its use fails. */
  @Test
  void thePropertiesOfTheTablesInARangeAreTold() throws RocksDBException {
    assertEquals(Set.of(3L), entriesIn("b", "d"));
    assertEquals(Set.of(3L), entriesIn("c", "d"));
    assertEquals(Set.of(), entriesIn("d", "l"));
    assertEquals(Set.of(4L), entriesIn("d", "m"));
    assertEquals(Set.of(3L, 4L), entriesIn("a", "z"));
  }

  private Set<Long> entriesIn(String from, String to) throws RocksDBException {
    try (Slice start = new Slice(from);
        Slice limit = new Slice(to)) {
      return db.getPropertiesOfTablesInRange(db.getDefaultColumnFamily(), List.of(new Range(start, limit)))
          .values()
          .stream()
          .map(TableProperties::getNumEntries)
          .collect(Collectors.toSet());
    }
  }

  @Test
  @Tag("oracle")
  void chosenFilesAreCompacted() throws RocksDBException {
    List<String> files =
        db.getLiveFilesMetaData().stream().map(its -> its.path() + its.fileName()).collect(Collectors.toList());
    try (CompactionOptions compaction = new CompactionOptions()) {
      List<String> made = db.compactFiles(compaction, files, 1, -1, null);
      assertEquals(1, made.size());
      assertEquals(1, db.getLiveFilesMetaData().size());
      assertTrue(made.getFirst().endsWith(db.getLiveFilesMetaData().getFirst().fileName()));
    }
  }

  @Test
  @Tag("oracle")
  void filesThatLieInRangesAreDeleted() throws RocksDBException {
    db.compactRange();
    put("t", "v");
    db.compactRange();
    db.deleteFilesInRanges(null, List.of(bytes("a"), bytes("z")), true);
    assertEquals(List.of(), db.getLiveFilesMetaData());
    assertNull(db.get(bytes("a")));
  }

  @Test
  @Tag("oracle")
  void aFamilyIsClippedToARange() throws RocksDBException {
    db.clipColumnFamily(db.getDefaultColumnFamily(), bytes("b"), bytes("n"));
    assertNull(db.get(bytes("a")));
    assertNotNull(db.get(bytes("b")));
    assertNotNull(db.get(bytes("m")));
    assertNull(db.get(bytes("n")));
  }

  @Test
  @Tag("oracle")
  void theOptionsOfAnOpenDatabaseAreTold() throws RocksDBException {
    assertTrue(db.getOptions().disableAutoCompactions());
    db.setOptions(MutableColumnFamilyOptions.builder().setDisableAutoCompactions(false).build());
    assertFalse(db.getOptions().disableAutoCompactions());
    assertTrue(db.getDBOptions().maxOpenFiles() != 0);
    ColumnFamilyDescriptor descriptor = family.getDescriptor();
    assertArrayEquals(bytes("f"), descriptor.getName());
    assertEquals(new org.rocksdb.ColumnFamilyOptions().writeBufferSize(), descriptor.getOptions().writeBufferSize());
    descriptor.getOptions().close();
  }

  @Test
  @Tag("oracle")
  void propertiesThatAreMapsAreTold() throws RocksDBException {
    Map<String, String> stats = db.getMapProperty("rocksdb.cfstats");
    assertTrue(stats.containsKey("compaction.L0.NumFiles"), stats.keySet().toString());
  }

  @Test
  @Tag("oracle")
  void whateverRangeIsSuggestedItIsToldAndSoIsTheName() throws RocksDBException {
    assertNotNull(db.suggestCompactRange());
    assertEquals(folder.toString(), db.getName());
  }

  @Test
  @Tag("oracle")
  void aNameOfAFamilyMayHaveANulInIt() throws RocksDBException {
    byte[] name = {'n', 0, 'x'};
    db.put(db.createColumnFamily(new ColumnFamilyDescriptor(name)), bytes("k"), bytes("v"));
    db.close();
    List<ColumnFamilyDescriptor> descriptors = new ArrayList<>();
    for (byte[] listed : RocksDB.listColumnFamilies(options, folder.toString())) {
      descriptors.add(new ColumnFamilyDescriptor(listed));
    }
    assertArrayEquals(name, descriptors.getLast().getName());
    for (int round = 0; round < 2; round++) {
      List<ColumnFamilyHandle> families = new ArrayList<>();
      try (org.rocksdb.DBOptions reopening = new org.rocksdb.DBOptions();
          RocksDB again =
              round == 0
                  ? RocksDB.open(reopening, folder.toString(), descriptors, families)
                  : RocksDB.openReadOnly(reopening, folder.toString(), descriptors, families)) {
        assertArrayEquals(bytes("v"), again.get(families.getLast(), bytes("k")));
        assertArrayEquals(name, families.getLast().getName());
      }
    }
  }
}
