/* Licensed under the Apache License, Version 2.0; see LICENSE. */

import static java.nio.charset.StandardCharsets.UTF_8;

import application.relocated.CompactionFilter;
import application.relocated.FamilyOptions;
import application.relocated.KeyRange;
import application.relocated.RocksDb;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Closes a database of the relocated core while a compaction runs for seconds. Then prints the database's only
 * value, which shows whether the compaction finished: its filter changes the value.
 */
public final class ClosedWhileItCompacts {
  private static final byte[] KEY = "key".getBytes(UTF_8);
  private static final long SECONDS = 5;

  public static void main(String[] arguments) throws Exception {
    CountDownLatch compacting = new CountDownLatch(1);
    CompactionFilter slow =
        (level, key, value) -> {
          compacting.countDown();
          try {
            new CountDownLatch(1).await(SECONDS, TimeUnit.SECONDS);
          } catch (InterruptedException e) {
            throw new IllegalStateException(e);
          }
          return CompactionFilter.Decision.change("compacted".getBytes(UTF_8));
        };
    Path folder = Path.of(arguments[0]);
    FamilyOptions options = FamilyOptions.defaults().compactionFilter("slow", compaction -> slow);
    RocksDb db = RocksDb.at(folder).defaults(options).open();
    db.put(KEY, "written".getBytes(UTF_8));
    db.flush();
    Thread compaction = new Thread(() -> compact(db));
    compaction.start();
    compacting.await();
    db.close();
    compaction.join();
    try (RocksDb again = RocksDb.at(folder).defaults(options).open()) {
      System.out.println(new String(again.get(KEY), UTF_8));
    }
  }

  private static void compact(RocksDb db) {
    try {
      db.compact(KeyRange.all());
    } catch (IllegalStateException closed) {
      // The database may be closed before the call returns.
    }
  }
}
