/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.archive;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.net.SocketTimeoutException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.rocksdbffm.RocksDb;

/** A request that exceeds a time limit of the store is repeated; an interrupt of the thread stops requests. */
class AttemptsTest {
  @TempDir Path folder;

  /** A store whose first puts exceed its time limit. */
  private static final class SlowStart extends HostileStore {
    private final AtomicInteger left = new AtomicInteger(3);

    SlowStart(ObjectStore store) {
      super(store, 1, Integer.MAX_VALUE);
    }

    @Override
    public boolean putIfAbsent(String name, Content content) throws IOException {
      if (left.getAndDecrement() > 0) {
        throw new SocketTimeoutException("read timed out");
      }
      return super.putIfAbsent(name, content);
    }

    @Override
    public InputStream get(String name, long from) throws IOException {
      if (left.getAndDecrement() > 0) {
        throw new InterruptedIOException("timeout"); // as OkHttp reports its time limit of a call
      }
      return super.get(name, from);
    }
  }

  @Test
  void aTimeoutOfTheStoreIsRepeated() throws Exception {
    AtomicInteger calls = new AtomicInteger();
    List<IOException> timeouts =
        List.of(new SocketTimeoutException("read timed out"), new InterruptedIOException("timeout"));
    Integer result = Attempts.within(Duration.ofMinutes(1)).run(() -> {
      if (calls.get() < timeouts.size()) {
        throw timeouts.get(calls.getAndIncrement());
      }
      return 7;
    });
    assertEquals(7, result);
    assertEquals(2, calls.get());
  }

  @Test
  void aTimeoutThatLastsIsAFailureAndNotAStop() {
    IOException failure =
        assertThrows(
            IOException.class,
            () -> Attempts.within(Duration.ZERO).run(() -> {
              throw new SocketTimeoutException("read timed out");
            }));
    assertFalse(failure instanceof InterruptedIOException, failure::toString);
    assertEquals("the store exceeds a time limit: read timed out", failure.getMessage());
  }

  /** A restore, a verification and a follower make many requests over a long time. */
  @Test
  void theLimitOfARequestStartsWithItsFirstFailure() throws IOException {
    Duration limit = Duration.ofMillis(1);
    Attempts attempts = Attempts.within(limit);
    for (int request = 0; request < 2; request++) {
      long later = System.nanoTime() + limit.toNanos();
      while (System.nanoTime() - later <= 0) {
        Thread.onSpinWait();
      }
      AtomicInteger calls = new AtomicInteger();
      attempts.run(() -> {
        if (calls.getAndIncrement() == 0) {
          throw new IOException("the connection was closed");
        }
        return null;
      });
      assertEquals(2, calls.get());
    }
  }

  @Test
  void anInterruptStopsRequests() {
    AtomicInteger calls = new AtomicInteger();
    Attempts attempts = Attempts.within(Duration.ofMinutes(1));
    assertThrows(
        InterruptedIOException.class,
        () -> attempts.run(() -> {
          calls.incrementAndGet();
          Thread.currentThread().interrupt();
          throw new InterruptedIOException("stopped");
        }));
    assertTrue(Thread.interrupted());
    assertEquals(1, calls.get());
  }

  @Test
  void anArchiverSurvivesTimeoutsOfItsStore() throws Exception {
    Archive archive = Archive.in(new SlowStart(FolderStore.open(folder.resolve("store"))));
    try (RocksDb db = RocksDb.open(folder.resolve("db"));
        Archiver archiver = archive.start(db, Await.FAST)) {
      db.put(new byte[] {1}, new byte[] {2});
      Await.archived(db, archiver);
      assertEquals(Archiver.Phase.FOLLOWING, archiver.status().phase());
    }
  }
}
