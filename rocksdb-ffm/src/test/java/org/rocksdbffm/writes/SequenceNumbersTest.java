/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.writes;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.rocksdbffm.tools.Bytes.bytes;
import static org.rocksdbffm.tools.Bytes.text;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.BiConsumer;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.rocksdbffm.Backups;
import org.rocksdbffm.ColumnFamily;
import org.rocksdbffm.DatabaseFiles;
import org.rocksdbffm.DatabaseOptions;
import org.rocksdbffm.FamilyOptions;
import org.rocksdbffm.KeyOrder;
import org.rocksdbffm.KeyRange;
import org.rocksdbffm.KeySpace;
import org.rocksdbffm.MergeOperator;
import org.rocksdbffm.Opening;
import org.rocksdbffm.PinnedValue;
import org.rocksdbffm.RocksDb;
import org.rocksdbffm.Scan;
import org.rocksdbffm.WriteOptions;
import org.rocksdbffm.tools.Folders;
import org.rocksdbffm.tools.LiveObjectsCheck;
import org.rocksdbffm.tools.Sweeps;

/**
 * Tests that the engine's recovery assigns the same sequence numbers as the writes: readers of the WAL rely on that.
 */
@ExtendWith(LiveObjectsCheck.class)
final class SequenceNumbersTest {
  private static final DatabaseOptions KEEPING = DatabaseOptions.defaults().option("WAL_ttl_seconds", 3600);
  private static final FamilyOptions OPTIONS = FamilyOptions.defaults().mergeOperator(MergeOperator.stringAppend(','));

  @TempDir Path folder;

  private Opening at(String name, DatabaseOptions options) {
    FamilyOptions java =
        OPTIONS.keyOrder("long keys first", (a, b) -> a.size() == b.size() ? a.compareTo(b)
            : Long.compare(b.size(), a.size()));
    return RocksDb.at(folder.resolve(name))
        .options(options)
        .defaults(OPTIONS.option("max_successive_merges", 3))
        .families(Map.of("plain", OPTIONS, "reverse", OPTIONS.keyOrder(KeyOrder.REVERSE_BYTEWISE), "java", java));
  }

  /** A database, and a copy that follows its WAL, or starts again from a checkpoint. */
  private final class Followed {
    private final DatabaseOptions options;
    private final Random random;
    private final String name;
    private RocksDb db;
    private RocksDb follower;
    private long next = 1;
    private int copies;

    Followed(DatabaseOptions options, long seed) {
      this.options = options;
      this.random = new Random(seed);
      this.name = "db " + seed;
      db = at(name, options).open();
      db.put(bytes("first"), bytes("row"));
      copy();
    }

    private void copy() {
      if (follower != null) {
        follower.close();
      }
      next = db.files().latestSequenceNumber() + 1;
      String copy = name + " copy " + copies++;
      db.files().checkpoint(folder.resolve(copy));
      follower = at(copy, KEEPING).open();
      assertEquals(next - 1, follower.files().latestSequenceNumber());
    }

    void write(WriteKind kind) {
      try {
        kind.write(db, random);
      } catch (RuntimeException e) {
        throw new AssertionError(kind + " failed", e);
      }
      if (!kind.isLogged()) {
        copy();
      }
    }

    void follow() {
      try (DatabaseFiles.LogReader log = db.files().logSince(next)) {
        while (log.next()) {
          assertEquals(next, log.sequenceNumber());
          follower.with(WriteOptions.defaults().ignoreMissingColumnFamilies(true)).write(log.batch());
          next = log.nextSequenceNumber();
        }
      }
      assertSame();
    }

    private void assertSame() {
      assertEquals(db.files().latestSequenceNumber() + 1, next);
      assertEquals(db.files().latestSequenceNumber(), follower.files().latestSequenceNumber());
      for (String family : List.of("default", "plain", "reverse", "java")) {
        assertEquals(rows(db.family(family)), rows(follower.family(family)), family);
      }
    }

    void reopen(boolean flushes) {
      long latest = db.files().latestSequenceNumber();
      List<List<String>> rows = db.families().stream().map(SequenceNumbersTest::rows).toList();
      if (flushes) {
        db.flushAll();
      }
      db.close();
      db = at(name, options).open();
      assertEquals(latest, db.files().latestSequenceNumber());
      assertEquals(rows, db.families().stream().map(SequenceNumbersTest::rows).toList());
    }

    void close() {
      db.close();
      follower.close();
    }
  }

  private static List<String> rows(ColumnFamily family) {
    List<String> rows = new ArrayList<>();
    try (Scan scan = family.scan(KeyRange.all())) {
      while (scan.next()) {
        rows.add(text(scan.keyBytes()) + "=" + text(scan.valueBytes()));
      }
    }
    return rows;
  }

  @ParameterizedTest
  @EnumSource(WriteKind.class)
  void aWriteHasTheNumbersAfterARecoveryThatItWasGiven(WriteKind kind) {
    Followed followed = new Followed(KEEPING, kind.ordinal());
    for (boolean flushes : new boolean[] {false, true}) {
      followed.write(kind);
      followed.follow();
      followed.reopen(flushes);
      followed.write(WriteKind.MERGE);
      followed.write(WriteKind.PUT);
      followed.follow();
      followed.write(kind);
    }
    followed.reopen(false);
    followed.write(kind);
    followed.follow();
    followed.close();
  }

  @ParameterizedTest
  @ValueSource(strings = {"enable_pipelined_write", "manual_wal_flush", "avoid_flush_during_recovery", "atomic_flush"})
  void writesOfAllKindsHaveTheirNumbersAfterARecovery(String option) {
    DatabaseOptions options = KEEPING.option(option, true);
    for (long seed = Sweeps.seed(); seed < Sweeps.seed() + Sweeps.of(1, 50); seed++) {
      Followed followed = new Followed(options, seed);
      walk(followed, new Random(seed));
      followed.close();
    }
  }

  private static void walk(Followed followed, Random random) {
    for (int step = 0; step < 40; step++) {
      switch (random.nextInt(8)) {
        case 0 -> followed.reopen(random.nextBoolean());
        case 1 -> followed.follow();
        default -> followed.write(WriteKind.values()[random.nextInt(WriteKind.values().length)]);
      }
    }
    followed.follow();
  }

  /** Work after which the engine has started another WAL file that contains no write. */
  private enum Upkeep {
    FLUSH((db, folder) -> db.family("plain").flush()),
    FLUSH_OF_ALL((db, folder) -> db.flushAll()),
    COMPACTION((db, folder) -> db.family("plain").compact(KeyRange.all())),
    CHECKPOINT((db, folder) -> db.files().checkpoint(folder.resolve("copied"))),
    BACKUP((db, folder) -> {
      try (Backups backups = Backups.open(folder.resolve("backups"))) {
        backups.create(db);
      }
    }),
    HOLD((db, folder) -> {
      try (DatabaseFiles.Hold hold = db.files().hold()) {
        assertFalse(hold.files().isEmpty());
      }
    }),
    EXPORT((db, folder) -> db.family("plain").files().export(folder.resolve("exported")).close()),
    INGESTION((db, folder) -> WriteKind.INGESTED.write(db, new Random(1))),
    DATABASE_OPTIONS((db, folder) -> db.setDatabaseOptions(Map.of("max_total_wal_size", "1"))),
    NONE((db, folder) -> {});

    private final BiConsumer<RocksDb, Path> work;

    Upkeep(BiConsumer<RocksDb, Path> work) {
      this.work = work;
    }
  }

  /** A flush drops a row and its single deletion, so no table contains their sequence numbers. */
  @ParameterizedTest
  @EnumSource(Upkeep.class)
  void aCrashAfterAFlushForgetsNoNumber(Upkeep upkeep) throws IOException {
    long latest;
    try (RocksDb db = at("db", KEEPING).open()) {
      db.family("plain").put(bytes("row"), bytes("value"));
      db.family("plain").singleDelete(bytes("row"));
      db.put(bytes("none"), bytes("value"));
      db.singleDelete(bytes("none"));
      upkeep.work.accept(db, folder);
      latest = db.files().latestSequenceNumber();
      db.files().waitForCompact(Duration.ofMinutes(1)); // also for the flushes, which delete WAL files
      Folders.copy(folder.resolve("db"), folder.resolve("crashed"));
    }
    for (String name : List.of("db", "crashed")) {
      for (int opening = 0; opening < 2; opening++) {
        try (RocksDb db = at(name, KEEPING).open()) {
          assertEquals(latest, db.files().latestSequenceNumber());
        }
      }
    }
    if (upkeep == Upkeep.CHECKPOINT) {
      try (RocksDb db = at("copied", KEEPING).open()) {
        assertEquals(latest, db.files().latestSequenceNumber());
      }
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aCloseThatFlushesForgetsNoNumber(boolean isPinned) {
    long latest;
    byte[] row = bytes("row");
    PinnedValue pinned = null;
    try (RocksDb db = at("db", KEEPING).open()) {
      db.put(bytes("pinned"), new byte[100]);
      pinned = isPinned ? db.getPinned(bytes("pinned")) : null;
      KeySpace unlogged = db.family("plain").with(WriteOptions.defaults().disableWal(true));
      unlogged.put(row, row);
      unlogged.singleDelete(row);
      latest = db.files().latestSequenceNumber();
    }
    if (isPinned) {
      pinned.close();
    }
    try (RocksDb db = at("db", KEEPING).open()) {
      assertEquals(latest, db.files().latestSequenceNumber());
    }
  }
}
