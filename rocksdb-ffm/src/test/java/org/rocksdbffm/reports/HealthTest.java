/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.reports;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrowsExactly;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.rocksdbffm.ByteSize;
import org.rocksdbffm.Cursor;
import org.rocksdbffm.DatabaseFiles;
import org.rocksdbffm.DatabaseOptions;
import org.rocksdbffm.FamilyOptions;
import org.rocksdbffm.MemoryBudget;
import org.rocksdbffm.OptimisticTransactionDb;
import org.rocksdbffm.RocksDb;
import org.rocksdbffm.RocksDbException;
import org.rocksdbffm.RocksDbException.Code;
import org.rocksdbffm.RocksDbException.Severity;
import org.rocksdbffm.RocksDbException.SubCode;
import org.rocksdbffm.SstFileManager;
import org.rocksdbffm.Transaction;
import org.rocksdbffm.TransactionDb;
import org.rocksdbffm.tools.LiveObjectsCheck;

/** The health of a database reports what its next write would do, and leaves no file or thread behind. */
@ExtendWith(LiveObjectsCheck.class)
class HealthTest {
  private static final byte[] KEY = "key".getBytes(UTF_8);
  private static final Duration LONG = Duration.ofSeconds(60);

  @TempDir Path folder;

  private static byte[] random(int size) {
    byte[] bytes = new byte[size];
    new Random(1).nextBytes(bytes);
    return bytes;
  }

  @Test
  void aDatabaseThatWorksIsWritable() {
    try (RocksDb db = RocksDb.open(folder)) {
      db.createFamily("other", FamilyOptions.defaults()).put(KEY, KEY);
      DatabaseHealth health = db.metrics().health();
      assertTrue(health.isWritable());
      assertTrue(health.refusal().isEmpty());
      assertFalse(health.stalled());
      assertEquals(0, health.backgroundErrors());
      assertEquals(ByteSize.bytes(0), health.delayedRate());
      assertEquals(ByteSize.bytes(0), health.compactionDebt());
      assertEquals(0, health.fullMemtables());
      assertEquals(0, health.runningFlushes() + health.runningCompactions());
    }
  }

  @Test
  void theQuestionIsNoWriteThatAnybodySees() {
    try (RocksDb db = RocksDb.open(folder.resolve("db"))) {
      db.put(KEY, KEY);
      long last = db.files().latestSequenceNumber();
      try (DatabaseFiles.LogReader log = db.files().logSince(last)) {
        for (int i = 0; i < 5; i++) {
          assertTrue(db.metrics().health().isWritable());
        }
        assertEquals(last, db.files().latestSequenceNumber());
        db.put(KEY, "next".getBytes(UTF_8));
        assertTrue(log.next());
        assertEquals(last, log.sequenceNumber());
        while (log.next() && log.batch().count() == 0) {
          assertEquals(last + 1, log.sequenceNumber());
        }
        assertEquals(last + 1, log.sequenceNumber());
        assertEquals(1, log.batch().count());
      }
    }
    try (RocksDb db = RocksDb.open(folder.resolve("db"))) {
      assertEquals("next", new String(db.get(KEY), UTF_8));
    }
  }

  @Test
  void aFullDiskIsToldAndItsEndToo() {
    assertTimeoutPreemptively(LONG, () -> {
      try (SstFileManager manager = SstFileManager.create();
          RocksDb db = RocksDb.at(folder).options(DatabaseOptions.defaults().sstFileManager(manager)).open()) {
        manager.spaceLimit(ByteSize.kib(64));
        db.put(KEY, random(200_000));
        try {
          db.flush();
        } catch (RocksDbException e) {
          assertEquals(SubCode.SPACE_LIMIT, e.subCode());
        }
        DatabaseHealth health = db.metrics().health();
        assertFalse(health.isWritable());
        RocksDbException refusal = health.refusal().orElseThrow();
        assertEquals(SubCode.SPACE_LIMIT, refusal.subCode(), refusal.getMessage());
        assertEquals(Severity.HARD, refusal.severity());
        assertTrue(refusal.mayRetry());
        assertFalse(health.stalled());
        manager.spaceLimit(ByteSize.bytes(0));
        while (!db.metrics().health().isWritable()) {
          Thread.sleep(50);
        }
        db.put(KEY, KEY);
      }
    });
  }

  @Test
  void aStallIsToldWithoutAWait() {
    try (MemoryBudget budget = MemoryBudget.of(ByteSize.mib(8));
        RocksDb db = RocksDb.at(folder).options(DatabaseOptions.defaults().memoryBudget(budget)).open()) {
      budget.stallAtMost(Duration.ofHours(1));
      db.put(KEY, random(5 << 20));
      try (Cursor cursor = db.cursor()) {
        assertTrue(cursor.first());
        DatabaseHealth health = assertTimeoutPreemptively(LONG, () -> db.metrics().health());
        assertTrue(health.stalled());
        assertFalse(health.isWritable());
        assertTrue(health.refusal().isEmpty());
        budget.stallAtMost(Duration.ZERO);
        assertTrue(db.metrics().health().isWritable());
      }
    }
  }

  @Test
  void databasesOfEveryKindTell() {
    try (TransactionDb db = TransactionDb.open(folder.resolve("locks"));
        Transaction open = db.begin()) {
      open.put(KEY, KEY);
      assertTrue(db.metrics().health().isWritable());
    }
    try (OptimisticTransactionDb db = OptimisticTransactionDb.open(folder.resolve("optimistic"))) {
      assertTrue(db.metrics().health().isWritable());
    }
    try (RocksDb db = RocksDb.at(folder.resolve("locks")).openReadOnly()) {
      RocksDbException refusal = db.metrics().health().refusal().orElseThrow();
      assertEquals(Code.NOT_SUPPORTED, refusal.code());
      assertEquals(Severity.NONE, refusal.severity());
      assertFalse(refusal.mayRetry());
    }
  }

  @Test
  void aClosedDatabaseHasNoHealth() {
    RocksDb db = RocksDb.open(folder);
    db.close();
    assertThrowsExactly(IllegalStateException.class, () -> db.metrics().health());
  }

  @Test
  void failuresThatPassMayBeTriedAgain() {
    Set<Code> passing = EnumSet.noneOf(Code.class);
    for (Code code : Code.values()) {
      if (new RocksDbException(code, SubCode.NONE, Severity.NONE, "").mayRetry()) {
        passing.add(code);
      }
      assertTrue(new RocksDbException(code, SubCode.NO_SPACE, Severity.NONE, "").mayRetry());
      RocksDbException failure = new RocksDbException(code, SubCode.NONE, Severity.NONE, "");
      assertTrue(!failure.isConflict() || passing.contains(code), code.name());
    }
    assertEquals(
        EnumSet.of(Code.BUSY, Code.TRY_AGAIN, Code.TIMED_OUT, Code.EXPIRED, Code.INCOMPLETE, Code.MERGE_IN_PROGRESS),
        passing);
  }
}
