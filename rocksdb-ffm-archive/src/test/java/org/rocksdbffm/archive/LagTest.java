/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.archive;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.rocksdbffm.ByteSize;
import org.rocksdbffm.RocksDb;

class LagTest {
  private static final int SEGMENTS = 12;
  private static final int MOST_BEHIND = 4;

  @TempDir Path folder;

  /** A store during whose puts of segments the database writes another segment, so that the archive is always behind. */
  private static final class Overtaken extends HostileStore {
    private final List<Long> puts = new ArrayList<>();
    private final List<Duration> lags = new ArrayList<>();
    private final CountDownLatch first = new CountDownLatch(1);
    private final CountDownLatch done = new CountDownLatch(1);
    private final byte[] value = new byte[(int) ByteSize.mib(4).bytes()];
    private RocksDb db;
    private Archiver archiver;

    Overtaken(ObjectStore store) {
      super(store, 1, Integer.MAX_VALUE);
    }

    @Override
    public boolean putIfAbsent(String name, Content content) throws IOException {
      if (first.getCount() == 0 && content.size() > value.length / 2 && puts.size() < SEGMENTS) {
        lags.add(archiver.status().lag());
        puts.add(System.nanoTime());
        new Random(puts.size()).nextBytes(value);
        db.put(new byte[] {1}, value);
        if (puts.size() == SEGMENTS) {
          done.countDown();
        }
      }
      return super.putIfAbsent(name, content);
    }
  }

  @Test
  void theLagIsTheAgeOfTheStoredWritesAlsoWhileOthersAreWritten() throws Exception {
    Overtaken store = new Overtaken(FolderStore.open(folder.resolve("store")));
    Archiver.Options options = Archiver.Options.defaults().every(Duration.ofMillis(10), Duration.ofHours(1));
    try (RocksDb db = RocksDb.open(folder.resolve("db"));
        Archiver archiver = Archive.in(store).start(db, options)) {
      store.db = db;
      store.archiver = archiver;
      Await.until("the base", () -> archiver.status().bases() == 1);
      store.first.countDown();
      db.put(new byte[] {1}, store.value);
      new Random(0).nextBytes(store.value);
      db.put(new byte[] {1}, store.value);
      store.done.await();
    }
    for (int put = MOST_BEHIND; put < SEGMENTS; put++) {
      long since = store.puts.get(put) - store.puts.get(put - MOST_BEHIND);
      assertTrue(store.lags.get(put).toNanos() <= since, "at segment " + put + ": " + store.lags + ", " + store.puts);
    }
  }
}
