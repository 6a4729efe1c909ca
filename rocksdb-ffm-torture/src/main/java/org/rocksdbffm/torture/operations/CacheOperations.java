/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.torture.operations;

import java.nio.file.Path;
import java.util.List;
import org.rocksdbffm.BlockCache;
import org.rocksdbffm.ByteSize;
import org.rocksdbffm.MultiGet;
import org.rocksdbffm.Options;
import org.rocksdbffm.PinnedValues;
import org.rocksdbffm.RocksDb;
import org.rocksdbffm.RocksDbException.Code;
import org.rocksdbffm.RowCache;
import org.rocksdbffm.TableOptions;
import org.rocksdbffm.torture.world.Attempt;
import org.rocksdbffm.torture.world.Bytes;
import org.rocksdbffm.torture.world.Held;
import org.rocksdbffm.torture.world.Operation;

/** Caches of rows and blobs, and such as are strict, in databases of the client's own. */
final class CacheOperations {
  static final List<Operation> ALL =
      List.of(
          new Operation("cacheRows", 4, CacheOperations::cacheRows),
          new Operation("cacheStrictly", 3, CacheOperations::cacheStrictly));

  private static final int ROWS = 30;

  private CacheOperations() {}

  private static byte[] key(Attempt attempt, int number) {
    return Bytes.key(attempt.client.number, number);
  }

  private static byte[][] fill(RocksDb db, Attempt attempt) {
    byte[][] values = new byte[ROWS][];
    for (int i = 0; i < ROWS; i++) {
      values[i] = Bytes.value(attempt.random);
      db.put(key(attempt, i), values[i]);
    }
    db.flush();
    return values;
  }

  private static void cacheRows(Attempt attempt) {
    Path folder = attempt.world.newFolder();
    ByteSize size = ByteSize.kib(1L << attempt.random.nextInt(12));
    Options options = Options.defaults().createIfMissing(true).enableBlobFiles(attempt.oneIn(2));
    Held<BlockCache> blobs = attempt.world.caches.any(attempt.random);
    if (blobs != null) {
      options = options.blobCache(attempt.touch(blobs));
    }
    try (RowCache rows = attempt.oneIn(2) ? RowCache.lru(size) : RowCache.lru(size, attempt.random.nextInt(13));
        RocksDb db = RocksDb.open(folder, options.rowCache(rows))) {
      byte[][] values = fill(db, attempt);
      for (int round = 0; round < 3; round++) {
        int changed = attempt.random.nextInt(ROWS);
        values[changed] = Bytes.value(attempt.random);
        db.put(key(attempt, changed), values[changed]);
        if (attempt.oneIn(2)) {
          db.flush();
        }
        for (int i = 0; i < ROWS; i++) {
          attempt.check(values[i], db.get(key(attempt, i)), "a cached row");
        }
        rows.capacity(ByteSize.kib(1L << attempt.random.nextInt(12)));
      }
      attempt.check(rows.capacity().bytes() > 0 && rows.usage().bytes() >= 0, "sizes of a row cache");
      attempt.check(rows.pinnedUsage().bytes() == 0, "rows in use by nobody");
    }
    RocksDb.destroy(folder);
  }

  /** All of the cache is pinned, unless it is full before. */
  private static void cacheStrictly(Attempt attempt) {
    Path folder = attempt.world.newFolder();
    attempt.allow(Code.ABORTED);
    try (BlockCache cache = BlockCache.strictLru(ByteSize.kib(16L << attempt.random.nextInt(8)));
        RocksDb db =
            RocksDb.open(
                folder, Options.defaults().createIfMissing(true).table(TableOptions.defaults().blockCache(cache)))) {
      byte[][] values = fill(db, attempt);
      MultiGet all = db.multiGet();
      for (int i = 0; i < ROWS; i++) {
        all.add(key(attempt, i));
      }
      try (PinnedValues pinned = all.get()) {
        attempt.check(pinned.size(0) == values[0].length, "the size of a pinned value");
      }
    }
    RocksDb.destroy(folder);
  }
}
