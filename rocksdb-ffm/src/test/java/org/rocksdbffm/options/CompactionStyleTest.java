/* Licensed under the Apache License, Version 2.0; see LICENSE. */

package org.rocksdbffm.options;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrowsExactly;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.rocksdbffm.tools.Bytes.bytes;
import static org.rocksdbffm.tools.Bytes.random;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;
import org.rocksdbffm.ByteSize;
import org.rocksdbffm.CompactionStyle;
import org.rocksdbffm.Compression;
import org.rocksdbffm.FamilyOptions;
import org.rocksdbffm.FifoCompaction;
import org.rocksdbffm.KeyRange;
import org.rocksdbffm.RocksDb;
import org.rocksdbffm.RocksDbException;
import org.rocksdbffm.Row;
import org.rocksdbffm.StoredOptions;
import org.rocksdbffm.UniversalCompaction;

/** Tests the styles of compaction with specific options. */
class CompactionStyleTest {
  @TempDir Path folder;

  private String stored(FamilyOptions options, String name) {
    RocksDb.at(folder).defaults(options).open().close();
    return StoredOptions.load(folder).families().get("default").settings().get(name);
  }

  @Test
  void universalOptionsReachTheEngine() {
    UniversalCompaction all =
        UniversalCompaction.defaults()
            .sizeRatio(7)
            .minMergeWidth(3)
            .maxMergeWidth(9)
            .maxSizeAmplification(150)
            .compressionSize(80)
            .maxReadAmplification(12)
            .stopStyle(UniversalCompaction.Stop.SIMILAR_SIZE)
            .allowTrivialMove(true)
            .incremental(true);
    String text = stored(FamilyOptions.defaults().universal(all), "compaction_options_universal");
    for (String part :
        "size_ratio=7 min_merge_width=3 max_merge_width=9 max_size_amplification_percent=150 compression_size_percent=80"
            .concat(
                " max_read_amp=12 stop_style=kCompactionStopStyleSimilarSize allow_trivial_move=true incremental=true")
            .split(" ")) {
      assertTrue((";" + text.replace("{", ";")).contains(";" + part + ";"), () -> part + " in " + text);
    }
    assertEquals("kCompactionStyleUniversal",
        StoredOptions.load(folder).families().get("default").settings().get("compaction_style"));
    String again =
        stored(FamilyOptions.defaults().universal(all).universal(UniversalCompaction.defaults()),
            "compaction_options_universal");
    assertTrue(again.contains("size_ratio=1;"), again);
  }

  @Test
  void universalCompactionsKeepAllRows() {
    FamilyOptions options =
        FamilyOptions.defaults()
            .universal(UniversalCompaction.defaults().sizeRatio(20).maxSizeAmplification(50))
            .level0FileNumCompactionTrigger(2);
    try (RocksDb db = RocksDb.at(folder).defaults(options).open()) {
      for (int round = 0; round < 10; round++) {
        for (int i = 0; i < 100; i++) {
          db.put(bytes("key" + i), random(500, round));
        }
        db.flush();
      }
      db.files().waitForCompact(Duration.ofSeconds(60));
      assertEquals(100, db.stream(KeyRange.all(), Row::keySize).count());
      assertTrue(db.files().live().size() < 10, () -> "files " + db.files().live());
    }
  }

  @Test
  void aWidthThatIsNoneIsRefused() {
    UniversalCompaction none = UniversalCompaction.defaults().maxMergeWidth(4).minMergeWidth(5);
    var e = assertThrowsExactly(IllegalArgumentException.class, () -> FamilyOptions.defaults().universal(none));
    assertEquals(
        "compaction: it merges 5 runs at least (minMergeWidth), which is more than 4 at most (maxMergeWidth)",
        e.getMessage());
    UniversalCompaction some = UniversalCompaction.defaults();
    for (Executable wrong :
        List.<Executable>of(
            () -> some.minMergeWidth(1), () -> some.sizeRatio(-1), () -> some.compressionSize(101),
            () -> some.maxReadAmplification(-2))) {
      e = assertThrowsExactly(IllegalArgumentException.class, wrong);
      assertTrue(e.getMessage().contains(", but it must be from "), e.getMessage());
    }
  }

  private void refused(String message, FamilyOptions options) {
    var e = assertThrowsExactly(IllegalArgumentException.class, () -> RocksDb.at(folder).defaults(options).open());
    assertEquals(message, e.getMessage());
  }

  @Test
  void combinationsByWhichWritesWouldWaitForEverAreRefused() {
    FamilyOptions tight =
        FamilyOptions.defaults()
            .universal(UniversalCompaction.defaults())
            .level0FileNumCompactionTrigger(4)
            .option("level0_slowdown_writes_trigger", 5);
    String together =
        "the sorted runs that are allowed (max_read_amp, or level0_file_num_compaction_trigger) and min_merge_width of "
            + "compaction_options_universal together: writes would wait for a compaction that does not come";
    refused("option level0_slowdown_writes_trigger: 5 must be at least 6, " + together, tight);
    refused(
        "option level0_slowdown_writes_trigger: 20 must be at least 21, " + together,
        FamilyOptions.defaults().universal(UniversalCompaction.defaults().maxReadAmplification(19)));
    refused(
        "option compaction_options_universal: min_merge_width 5 must not be more than max_merge_width 2: writes would "
        + "wait for"
            + " a compaction that does not come",
        FamilyOptions.defaults()
            .compactionStyle(CompactionStyle.UNIVERSAL)
            .option("compaction_options_universal", "{min_merge_width=5;max_merge_width=2;}"));
    RocksDb.at(folder).defaults(tight.disableAutoCompactions(true)).open().close();
    RocksDb.at(folder).defaults(tight.compactionStyle(CompactionStyle.LEVEL)).open().close();
    try (RocksDb db = RocksDb.at(folder).defaults(tight.option("level0_slowdown_writes_trigger", 6)).open()) {
      var e =
          assertThrowsExactly(
              IllegalArgumentException.class, () -> db.setOptions(Map.of("level0_slowdown_writes_trigger", "5")));
      assertTrue(e.getMessage().contains("5 must be at least 6"), e.getMessage());
    }
  }

  @Test
  void partsThatAreChangedStandBesideThoseThatStay() {
    FamilyOptions options = FamilyOptions.defaults().universal(UniversalCompaction.defaults().maxReadAmplification(15));
    String parts = "compaction_options_universal";
    try (RocksDb db = RocksDb.at(folder).defaults(options).open()) {
      db.setOptions(Map.of(parts, "{min_merge_width=5;}"));
      var e =
          assertThrowsExactly(IllegalArgumentException.class, () -> db.setOptions(Map.of(parts, "{max_read_amp=16;}")));
      assertTrue(e.getMessage().startsWith("option level0_slowdown_writes_trigger: 20 must be at least 21"),
          e.getMessage());
      assertThrowsExactly(IllegalArgumentException.class, () -> db.setOptions(Map.of(parts, "{min_merge_width=6;}")));
      db.setOptions(Map.of(parts, "{max_read_amp=10;}"));
      db.setOptions(Map.of(parts, "{min_merge_width=6;}"));
    }
    String stored = StoredOptions.load(folder).families().get("default").settings().get(parts);
    assertTrue(stored.contains("max_read_amp=10;") && stored.contains("min_merge_width=6;"), stored);
  }

  /** The first file has many rows, and each later file fewer, so no two files are merged because of their sizes. */
  @Test
  void whatIsJustAllowedGoesOn() {
    FamilyOptions least =
        FamilyOptions.defaults()
            .universal(UniversalCompaction.defaults())
            .level0FileNumCompactionTrigger(4)
            .option("level0_slowdown_writes_trigger", 6)
            .option("level0_stop_writes_trigger", 6);
    try (RocksDb db = RocksDb.at(folder).defaults(least).open()) {
      for (int i = 0; i < 15; i++) {
        for (int k = 0; k < 20; k++) {
          db.put(bytes("key" + i + "." + k), random(i == 0 ? 60_000 : 3000 / (i + 1) + 10, i));
        }
        db.flush();
      }
      assertEquals(300, db.stream(KeyRange.all(), Row::keySize).count());
    }
  }

  @Test
  void theOldestFilesGoAtTheirSizeAndNoOthers() {
    FifoCompaction small = FifoCompaction.defaults().maxTableFilesSize(ByteSize.kib(300));
    try (RocksDb db =
        RocksDb.at(folder).defaults(FamilyOptions.defaults().fifo(small).compression(Compression.NONE)).open()) {
      for (int i = 0; i < 20; i++) {
        db.put(bytes("key%02d".formatted(i)), random(50_000, i));
        db.flush();
      }
      db.files().waitForCompact(Duration.ofSeconds(60));
      assertFalse(db.contains(bytes("key00")));
      assertTrue(db.contains(bytes("key19")));
      long left = db.stream(KeyRange.all(), Row::keySize).count();
      assertTrue(left >= 3 && left <= 7, () -> "rows " + left);
    }
  }

  @Test
  void fifoOptionsReachTheEngine() {
    FifoCompaction all =
        FifoCompaction.defaults()
            .maxTableFilesSize(ByteSize.mib(64))
            .maxDataFilesSize(ByteSize.mib(128))
            .allowCompaction(true);
    String text = stored(FamilyOptions.defaults().fifo(all), "compaction_options_fifo");
    for (String part
        : new String[] {"max_table_files_size=67108864", "max_data_files_size=134217728", "allow_compaction=true"}) {
      assertTrue(text.contains(part + ";"), () -> part + " in " + text);
    }
    var e = assertThrowsExactly(IllegalArgumentException.class, () -> all.maxTableFilesSize(ByteSize.kib(63)));
    assertTrue(e.getMessage().contains("all rows go at the first flush"), e.getMessage());
  }

  @Test
  void fifoIsRefusedForWhatWasWrittenInAnotherStyle() {
    try (RocksDb db = RocksDb.open(folder)) {
      db.put(bytes("key"), bytes("value"));
    }
    FamilyOptions fifo = FamilyOptions.defaults().fifo(FifoCompaction.defaults());
    var e = assertThrowsExactly(RocksDbException.class, () -> RocksDb.at(folder).defaults(fifo).open());
    assertTrue(e.getMessage().contains("which deletes the oldest rows when there are many"), e.getMessage());
    try (RocksDb db = RocksDb.at(folder).defaults(fifo.replaceStored("compaction_style")).open()) {
      assertTrue(db.contains(bytes("key")));
    }
  }

  @Test
  void theyAreValues() {
    UniversalCompaction one = UniversalCompaction.defaults().sizeRatio(3).minMergeWidth(4);
    assertEquals(one, UniversalCompaction.defaults().minMergeWidth(4).sizeRatio(3));
    assertEquals(one.hashCode(), UniversalCompaction.defaults().minMergeWidth(4).sizeRatio(3).hashCode());
    assertNotEquals(one, one.sizeRatio(4));
    assertEquals("size_ratio=3;min_merge_width=4;", one.toString());
    assertEquals(FifoCompaction.defaults(), FifoCompaction.defaults());
    assertNotEquals(FifoCompaction.defaults(), FifoCompaction.defaults().allowCompaction(true));
  }
}
