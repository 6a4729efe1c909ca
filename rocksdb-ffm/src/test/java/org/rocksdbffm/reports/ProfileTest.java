/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.reports;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrowsExactly;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.rocksdbffm.IndexedBatch;
import org.rocksdbffm.Transaction;
import org.rocksdbffm.TransactionDb;
import org.rocksdbffm.tools.LiveObjectsCheck;

/** A profile counts only its work, on the calling thread; counting is off before and after it. */
@ExtendWith(LiveObjectsCheck.class)
class ProfileTest {
  private static final byte[] KEY = "key".getBytes(UTF_8);

  @TempDir Path folder;
  private TransactionDb db;

  @BeforeEach
  void open() {
    db = TransactionDb.open(folder.resolve("db"));
    db.put(KEY, new byte[1000]);
    db.flush();
  }

  @AfterEach
  void close() {
    db.close();
  }

  private static Profile counted(Runnable work) {
    return Profile.of(Profile.Level.COUNTS, work);
  }

  @Test
  void aReadIsCounted() {
    Profile profile = counted(() -> db.get(KEY));
    assertEquals(1000, profile.count(PerfCounter.GET_READ_BYTES));
    assertTrue(profile.count(PerfCounter.BLOCK_READ_COUNT) > 0, profile::toString);
    assertEquals(0, profile.count(PerfCounter.GET_FROM_OUTPUT_FILES_TIME), "no clock is read");
    assertTrue(profile.elapsed().compareTo(Duration.ZERO) > 0);
    assertTrue(profile.toString().contains("get_read_bytes 1000\n"), profile::toString);
    assertEquals(PerfCounter.values().length, profile.counts().size());
    assertThrowsExactly(UnsupportedOperationException.class, () -> profile.counts().clear());
    Profile again = counted(() -> db.get(KEY));
    assertEquals(1000, again.count(PerfCounter.GET_READ_BYTES), "and nothing of the one before");
    assertEquals(0, again.count(PerfCounter.BLOCK_READ_COUNT));
    assertTrue(again.count(PerfCounter.BLOCK_CACHE_HIT_COUNT) > 0);
  }

  @Test
  void nothingIsCountedOutside() {
    Profile outer = counted(() -> {});
    assertEquals("", outer.toString());
    db.get(KEY);
    assertEquals("", counted(() -> {}).toString());
    Profile all = counted(() -> db.get(KEY));
    assertEquals(1000, all.count(PerfCounter.GET_READ_BYTES));
  }

  /** The first call of a thread disables its counters, which must not happen within the profiled work. */
  @Test
  void theFirstReadOfAThreadIsCounted() throws InterruptedException {
    AtomicReference<Profile> first = new AtomicReference<>();
    Thread.ofPlatform().start(() -> first.set(counted(() -> db.get(KEY)))).join();
    assertEquals(1000, first.get().count(PerfCounter.GET_READ_BYTES));
  }

  @Test
  void readsOfEveryKindOfReaderAreCountedTogether() {
    Profile profile = counted(() -> {
      db.get(KEY);
      try (Transaction transaction = db.begin()) {
        transaction.get(KEY);
        transaction.getForUpdate(KEY);
        db.get(KEY);
      }
      try (IndexedBatch batch = db.indexedBatch()) {
        batch.get(KEY);
        db.get(KEY);
      }
    });
    assertEquals(6000, profile.count(PerfCounter.GET_READ_BYTES));
  }

  @Test
  void timesAreCountedWhereTheyAreAskedFor() {
    Profile profile = Profile.of(Profile.Level.TIMES, () -> db.get(KEY));
    assertTrue(profile.count(PerfCounter.GET_FROM_OUTPUT_FILES_TIME) > 0, profile::toString);
    Profile writes = Profile.of(Profile.Level.ALL, () -> db.put(KEY, KEY));
    assertTrue(writes.count(PerfCounter.WRITE_WAL_TIME) > 0, writes::toString);
  }

  @Test
  void aProfileWithinAnotherIsPartOfIt() {
    AtomicReference<Profile> inner = new AtomicReference<>();
    Profile outer = Profile.of(Profile.Level.TIMES, () -> {
      db.get(KEY);
      inner.set(counted(() -> db.get(KEY)));
      db.get(KEY);
    });
    assertEquals(1000, inner.get().count(PerfCounter.GET_READ_BYTES));
    assertTrue(inner.get().count(PerfCounter.GET_FROM_OUTPUT_FILES_TIME) > 0, "the outer one's level stays");
    assertEquals(3000, outer.count(PerfCounter.GET_READ_BYTES));
    Profile rich = counted(() -> {
      Profile.of(Profile.Level.TIMES, () -> db.get(KEY));
      inner.set(counted(() -> db.get(KEY)));
    });
    assertEquals(2000, rich.count(PerfCounter.GET_READ_BYTES));
    assertEquals(0, inner.get().count(PerfCounter.GET_FROM_OUTPUT_FILES_TIME), "and comes back");
  }

  @Test
  void anExceptionOfTheWorkGoesOnAndEndsTheCounting() {
    IllegalArgumentException thrown = new IllegalArgumentException("mine");
    assertSame(thrown, assertThrowsExactly(IllegalArgumentException.class, () -> counted(() -> {
      throw thrown;
    })));
    db.get(KEY);
    assertEquals("", counted(() -> {}).toString());
  }

  @Test
  void otherThreadsAreNotCounted() {
    Profile profile = counted(() -> {
      try {
        Thread.ofPlatform().start(() -> db.get(KEY)).join();
      } catch (InterruptedException e) {
        throw new AssertionError(e);
      }
    });
    assertEquals(0, profile.count(PerfCounter.GET_READ_BYTES));
  }

  @Test
  void aVirtualThreadIsRefused() throws InterruptedException {
    AtomicReference<String> message = new AtomicReference<>();
    Thread.startVirtualThread(() -> message.set(
            assertThrowsExactly(IllegalStateException.class, () -> counted(() -> db.get(KEY))).getMessage()))
        .join();
    assertEquals(
        "a virtual thread has no counts of its own: the engine's are those of its carrier, which changes; profile the "
        + "work "
            + "on a platform thread",
        message.get());
  }

  @Test
  void theWorkMayCloseTheDatabase() {
    Profile profile = counted(() -> {
      db.get(KEY);
      db.close();
    });
    assertTrue(profile.count(PerfCounter.GET_READ_BYTES) >= 1000, profile::toString);
  }
}
