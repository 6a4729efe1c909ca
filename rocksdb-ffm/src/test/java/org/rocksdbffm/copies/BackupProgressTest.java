/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.copies;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrowsExactly;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.rocksdbffm.Backup;
import org.rocksdbffm.Backups;
import org.rocksdbffm.ByteSize;
import org.rocksdbffm.Compression;
import org.rocksdbffm.FamilyOptions;
import org.rocksdbffm.RateLimiter;
import org.rocksdbffm.RocksDb;
import org.rocksdbffm.RocksDbException;
import org.rocksdbffm.RocksDbException.Code;
import org.rocksdbffm.tools.LiveObjectsCheck;

/** Tests the progress reports of backups, and the rate limit that backups share with other users. */
@ExtendWith(LiveObjectsCheck.class)
final class BackupProgressTest {
  private static final FamilyOptions OPTIONS = FamilyOptions.defaults().compression(Compression.NONE);
  private static final int MIB = 1 << 20;

  @TempDir Path folder;

  private static byte[] key(int number) {
    return String.format("%06d", number).getBytes();
  }

  private static void fill(RocksDb db, int from, int mib) {
    byte[] value = new byte[MIB / 4];
    new Random(from).nextBytes(value);
    for (int i = 0; i < 4 * mib; i++) {
      db.put(key(from + i), value);
    }
    db.flush();
  }

  private static Backups.Progress last(BlockingQueue<Backups.Progress> reports) throws InterruptedException {
    Backups.Progress last = null;
    for (Backups.Progress next =
        reports.poll(60, TimeUnit.SECONDS); next != null; next = reports.poll(100, TimeUnit.MILLISECONDS)) {
      assertTrue(last == null || next.copied().compareTo(last.copied()) > 0, last + " and then " + next);
      assertTrue(next.copied().compareTo(next.total()) <= 0, next.toString());
      last = next;
    }
    return last;
  }

  @Test
  void aBackupTellsHowMuchOfWhatItLacksIsCopied() throws InterruptedException {
    try (RocksDb db = RocksDb.at(folder.resolve("db")).defaults(OPTIONS).open();
        Backups backups = Backups.open(folder.resolve("backups"))) {
      fill(db, 0, 20);
      BlockingQueue<Backups.Progress> reports = new LinkedBlockingQueue<>();
      backups.create(db, "first", reports::add);
      Backups.Progress last = last(reports);
      assertTrue(last.copied().bytes() >= 20L * MIB && last.copied().bytes() <= 21L * MIB, last.toString());
      assertTrue(last.total().bytes() >= 20L * MIB && last.total().bytes() <= 21L * MIB, last.toString());
      assertTrue(last.elapsed().compareTo(Duration.ZERO) > 0, last.toString());
      fill(db, 1000, 3);
      backups.create(db, "second", reports::add);
      last = last(reports);
      assertTrue(last.total().bytes() >= 3L * MIB && last.total().bytes() <= 5L * MIB, last.toString());
      assertEquals(List.of("first", "second"), backups.list().stream().map(Backup::note).toList());
    }
  }

  @Test
  void theTimeThatIsLeftIsThatOfTheRest() {
    Backups.Progress half = new Backups.Progress(ByteSize.mib(5), ByteSize.mib(20), Duration.ofSeconds(2));
    assertEquals(Duration.ofSeconds(6), half.timeLeft());
    assertEquals(
        Duration.ZERO, new Backups.Progress(ByteSize.mib(20), ByteSize.mib(20), Duration.ofSeconds(2)).timeLeft());
    assertEquals(
        Duration.ZERO, new Backups.Progress(ByteSize.bytes(0), ByteSize.mib(20), Duration.ofSeconds(2)).timeLeft());
  }

  @Test
  void aListenerThatThrowsOrTakesItsTimeHoldsUpNothing() throws InterruptedException {
    CountDownLatch end = new CountDownLatch(1);
    CountDownLatch reports = new CountDownLatch(1);
    try (RocksDb db = RocksDb.at(folder.resolve("db")).defaults(OPTIONS).open();
        Backups backups = Backups.open(folder.resolve("backups"))) {
      fill(db, 0, 3);
      backups.create(db, "", progress -> {
        throw new AssertionError("thrown by a listener, as it is meant to be");
      });
      fill(db, 100, 3);
      backups.create(db, "", progress -> {
        reports.countDown();
        try {
          end.await();
        } catch (InterruptedException e) {
          throw new AssertionError(e);
        }
      });
      assertTrue(reports.await(60, TimeUnit.SECONDS));
      backups.list().forEach(each -> backups.verify(each.id()));
      assertEquals(2, backups.list().size());
    } finally {
      end.countDown();
    }
  }

  @Test
  void aListenerMayUseTheBackupsAndClosesThemInTheMidst() {
    try (RocksDb db = RocksDb.at(folder.resolve("db")).defaults(OPTIONS).open();
        RateLimiter slow = RateLimiter.of(ByteSize.mib(2));
        Backups backups = Backups.open(folder.resolve("backups"), Backups.Options.defaults(), slow)) {
      fill(db, 0, 20);
      IllegalStateException thrown =
          assertThrowsExactly(
              IllegalStateException.class, () -> backups.create(db, "", progress -> backups.close()));
      assertTrue(thrown.getMessage().endsWith(" is closed, which stopped what it was doing"), thrown.getMessage());
    }
  }

  @Test
  void backupsPassTheLimiterTheyAreOpenedWithEvenWhenItIsClosed() {
    try (RocksDb db = RocksDb.at(folder.resolve("db")).defaults(OPTIONS).open();
        RateLimiter limiter = RateLimiter.of(ByteSize.mib(1000));
        Backups backups = Backups.open(folder.resolve("backups"), Backups.Options.defaults(), limiter)) {
      fill(db, 0, 4);
      backups.create(db);
      long copied = limiter.bytesThrough().bytes();
      assertTrue(copied >= 4L * MIB, copied + " bytes");
      backups.restoreLatest(folder.resolve("restored"));
      assertTrue(limiter.bytesThrough().bytes() >= copied + 4L * MIB, limiter.bytesThrough() + " after " + copied);
      limiter.close();
      backups.create(db);
      backups.delete(1); // makes the engine read the folder again
      backups.create(db);
      assertEquals(2, backups.list().size());
      try (RocksDb restored = RocksDb.at(folder.resolve("restored")).defaults(OPTIONS).open()) {
        assertArrayEquals(db.get(key(3)), restored.get(key(3)));
      }
    }
    try (RateLimiter closed = RateLimiter.of(ByteSize.mib(1))) {
      closed.close();
      assertThrowsExactly(
          IllegalStateException.class,
          () -> Backups.open(folder.resolve("others"), Backups.Options.defaults(), closed));
    }
    Backups.open(folder.resolve("others")).close();
  }

  @Test
  void aRateBesideALimiterIsRefused() {
    try (RateLimiter limiter = RateLimiter.of(ByteSize.mib(1))) {
      for (Backups.Options options :
          List.of(
              Backups.Options.defaults().backupRate(ByteSize.mib(1)),
              Backups.Options.defaults().restoreRate(ByteSize.mib(1)))) {
        assertThrowsExactly(
            IllegalArgumentException.class, () -> Backups.open(folder.resolve("backups"), options, limiter));
      }
    }
  }

  @Test
  void aBackupThatFailsTellsNoMore() {
    try (RocksDb db = RocksDb.at(folder.resolve("db")).defaults(OPTIONS).open()) {
      fill(db, 0, 1);
    }
    try (RocksDb db = RocksDb.at(folder.resolve("db")).defaults(OPTIONS).openReadOnly();
        Backups backups = Backups.open(folder.resolve("backups"))) {
      RocksDbException thrown =
          assertThrowsExactly(RocksDbException.class, () -> backups.create(db, "", progress -> {}));
      assertEquals(Code.NOT_SUPPORTED, thrown.code());
    }
  }
}
