/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.torture.operations;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.rocksdbffm.BlockCache;
import org.rocksdbffm.ByteSize;
import org.rocksdbffm.DatabaseOptions;
import org.rocksdbffm.EngineThreads;
import org.rocksdbffm.FamilyOptions;
import org.rocksdbffm.MemoryBudget;
import org.rocksdbffm.MultiGet;
import org.rocksdbffm.PinnedValues;
import org.rocksdbffm.RateLimiter;
import org.rocksdbffm.RocksDb;
import org.rocksdbffm.RocksDbException;
import org.rocksdbffm.RocksDbException.Code;
import org.rocksdbffm.RowCache;
import org.rocksdbffm.SstFileManager;
import org.rocksdbffm.TableOptions;
import org.rocksdbffm.reports.BlobReport;
import org.rocksdbffm.reports.CacheReport;
import org.rocksdbffm.reports.DatabaseHealth;
import org.rocksdbffm.reports.FamilyReport;
import org.rocksdbffm.reports.PerfCounter;
import org.rocksdbffm.reports.Profile;
import org.rocksdbffm.torture.world.Attempt;
import org.rocksdbffm.torture.world.ClientBytes;
import org.rocksdbffm.torture.world.Held;
import org.rocksdbffm.torture.world.Operation;

/**
 * Creates, changes and closes limits that databases share, reads the health and profiles of databases, and uses row
 * and blob caches in separate databases.
 */
final class ServiceOperations {
  static final List<Operation> ALL =
      List.of(
          new Operation("openLimit", 10, ServiceOperations::openLimit),
          new Operation("useLimit", 30, ServiceOperations::useLimit),
          new Operation("closeLimit", 6, ServiceOperations::closeLimit),
          new Operation("threads", 4, ServiceOperations::threads),
          new Operation("health", 10, ServiceOperations::health),
          new Operation("report", 8, ServiceOperations::report),
          new Operation("profile", 10, ServiceOperations::profile),
          new Operation("cacheRows", 4, ServiceOperations::cacheRows),
          new Operation("cacheStrictly", 3, ServiceOperations::cacheStrictly));

  private static final int ROWS = 30;

  /** The number of limits to choose from; the smallest limit is rarely chosen. */
  private static final int SIZES = 6;

  private static final Duration STALL = Duration.ofMillis(20);

  private ServiceOperations() {}

  private static void openLimit(Attempt attempt) {
    AutoCloseable limit =
        switch (attempt.random.nextInt(5)) {
          case 0, 1 -> MemoryBudget.of(ByteSize.mib(64L << attempt.random.nextInt(SIZES)));
          case 2 -> RateLimiter.of(ByteSize.mib(64));
          case 3 ->
              RateLimiter.of(
                  RateLimiter.Options.of(ByteSize.gib(1))
                      .limits(attempt.oneOf(List.of(RateLimiter.Options.Limits.values())))
                      .autoTuned(attempt.oneIn(2)));
          default -> SstFileManager.create();
        };
    attempt.world.add(attempt.world.limits, new Held<>(limit), attempt);
  }

  private static void useLimit(Attempt attempt) {
    Held<AutoCloseable> held = attempt.world.limits.any(attempt.random);
    if (held == null) {
      return;
    }
    switch (attempt.use(held)) {
      case MemoryBudget budget -> use(budget, attempt);
      case RateLimiter limiter -> use(limiter, attempt);
      case SstFileManager manager -> use(manager, attempt);
      case AutoCloseable other -> throw new AssertionError(other);
    }
  }

  private static void use(MemoryBudget budget, Attempt attempt) {
    attempt.check(budget.capacity().bytes() >= 64 << 20, "capacity");
    attempt.check(budget.usage().bytes() >= 0 && budget.memtables().bytes() >= 0 && budget.databases() >= 0, "usage");
    attempt.check(budget.pinnedUsage().bytes() >= 0, "pinned usage");
    if (attempt.oneIn(4)) {
      budget.capacity(ByteSize.mib(64L << attempt.random.nextInt(SIZES)));
    }
    if (attempt.oneIn(4)) {
      budget.stallAtMost(attempt.oneIn(2) ? STALL : Duration.ZERO);
    }
    Duration longest = budget.longestStall();
    attempt.check(longest.isZero() || longest.equals(STALL) || longest.equals(Duration.ofSeconds(1)), "longest stall");
  }

  private static void use(RateLimiter limiter, Attempt attempt) {
    attempt.check(limiter.rate().bytes() >= 1 << 20, "rate");
    attempt.check(limiter.bytesThrough().bytes() >= 0 && limiter.requests() >= 0, "what passed");
    attempt.allow(IllegalStateException.class, "the rate limiter tunes itself: .*");
    limiter.rate(ByteSize.mib(64L << attempt.random.nextInt(SIZES)));
  }

  private static void use(SstFileManager manager, Attempt attempt) {
    attempt.check(!manager.isSpaceLimitReached(), "a limit that is none");
    attempt.check(manager.totalSize().bytes() >= 0 && manager.trashSize().bytes() >= 0, "sizes");
    manager.spaceLimit(attempt.oneIn(2) ? ByteSize.bytes(0) : ByteSize.gib(1 << 10));
    manager.deletionRate(attempt.oneIn(2) ? ByteSize.bytes(0) : ByteSize.mib(1L << attempt.random.nextInt(10)));
    manager.trashRatio(attempt.random.nextDouble());
    attempt.check(manager.deletionRate().bytes() >= 0 && manager.trashRatio() >= 0, "rates");
  }

  private static void closeLimit(Attempt attempt) {
    Held<AutoCloseable> held = attempt.world.limits.any(attempt.random);
    if (held != null) {
      held.close(attempt.world.tally);
    }
  }

  /** Changes the thread pools, which all databases share. */
  private static void threads(Attempt attempt) {
    EngineThreads pool = EngineThreads.valueOf(attempt.oneOf(List.of(EngineThreads.values())).name());
    pool.count(1 + attempt.random.nextInt(6));
    attempt.check(pool.count() >= 1, "threads of a pool");
    if (attempt.oneIn(2)) {
      return;
    }
    attempt.allow(UnsupportedOperationException.class, "the engine's C API lowers no priority of the pool BOTTOM.*");
    if (attempt.oneIn(2)) {
      EngineThreads.BOTTOM.lowerCpuPriority();
    } else {
      EngineThreads.BOTTOM.lowerIoPriority(); // the priority of other pools could not be raised again
    }
  }

  private static void health(Attempt attempt) {
    DatabaseHealth health = attempt.use(attempt.world.anySlot(attempt.random).database).metrics().health();
    attempt.check(health.isWritable() || health.stalled() || health.refusal().isPresent(), "health");
    DatabaseHealth same =
        new DatabaseHealth(
            health.refusal(),
            health.stalled(),
            health.delayedRate(),
            health.backgroundErrors(),
            health.runningFlushes(),
            health.runningCompactions(),
            health.fullMemtables(),
            health.compactionDebt());
    attempt.check(health.equals(same), "a health that is not itself");
    health.refusal().ifPresent(failure -> {
      attempt.check(
          failure.severity() != RocksDbException.Severity.SOFT, "writes are refused, and a soft error is named");
      attempt.allow(failure.code());
      throw failure;
    });
  }

  /** Reads reports of families and caches, while other clients write, compact, drop and close. */
  private static void report(Attempt attempt) {
    RocksDb db = attempt.use(attempt.world.anySlot(attempt.random).database);
    CacheReport.Scan scan = attempt.random.nextInt(4) == 0 ? CacheReport.Scan.FRESH : CacheReport.Scan.CHEAP;
    FamilyReport report = db.metrics().report();
    attempt.check(report.name().equals("default"), "the report of another family");
    attempt.check(report.tablesOnDisk().bytes() >= 0 && report.memtables().bytes() > 0, "a family without memory");
    BlobReport blobs = new BlobReport(1, ByteSize.kib(2), ByteSize.kib(1), ByteSize.kib(2));
    attempt.check(blobs.plus(report.blobs()).files() == report.blobs().files() + 1, "blobs that do not add up");
    attempt.check(report.blobs().amplification() >= 1
        && blobs.amplification() == 2, "files smaller than what they have");
    attempt.check(
        db.metrics().families().stream().anyMatch(each -> each.name().equals("default")), "no default family");
    for (CacheReport cache : db.metrics().caches(scan)) {
      long summed = 0;
      for (CacheReport.Role role : CacheReport.Role.values()) {
        summed += cache.share(role).count();
      }
      attempt.check(summed == cache.total().count() && cache.scans() > 0, "entries that do not add up");
    }
    attempt.allow(IllegalStateException.class, ".* has no block cache that can be looked through: .*");
    attempt.check(db.metrics().cache(scan).capacity().bytes() >= 0, "a cache without a size");
  }

  private static void profile(Attempt attempt) {
    RocksDb db = attempt.use(attempt.world.anySlot(attempt.random).database);
    byte[] key = ClientBytes.key(attempt.client.number, attempt.random.nextInt(ClientBytes.KEYS));
    attempt.allow(IllegalStateException.class, "a virtual thread has no counts of its own: .*");
    attempt.allow(Code.INCOMPLETE);
    Profile profile = Profile.of(attempt.oneOf(List.of(Profile.Level.values())), () -> db.get(key));
    attempt.check(profile.counts().values().stream().allMatch(count -> count >= 0), "a count went back");
    attempt.check(profile.count(PerfCounter.GET_READ_BYTES) >= 0, "a count went back");
    attempt.check(!profile.elapsed().isNegative(), "time went back");
  }

  private static byte[] key(Attempt attempt, int number) {
    return ClientBytes.key(attempt.client.number, number);
  }

  private static byte[][] fill(RocksDb db, Attempt attempt) {
    byte[][] values = new byte[ROWS][];
    for (int i = 0; i < ROWS; i++) {
      values[i] = ClientBytes.value(attempt.random);
      db.put(key(attempt, i), values[i]);
    }
    db.flush();
    return values;
  }

  private static void cacheRows(Attempt attempt) {
    Path folder = attempt.world.newFolder();
    ByteSize size = ByteSize.kib(1L << attempt.random.nextInt(12));
    FamilyOptions options = FamilyOptions.defaults().enableBlobFiles(attempt.oneIn(2));
    Held<BlockCache> blobs = attempt.world.caches.any(attempt.random);
    if (blobs != null) {
      options = options.blobCache(attempt.touch(blobs));
    }
    try (RowCache rows = attempt.oneIn(2) ? RowCache.lru(size) : RowCache.lru(size, attempt.random.nextInt(13));
        RocksDb db = RocksDb.at(folder).options(DatabaseOptions.defaults().rowCache(rows)).defaults(options).open()) {
      byte[][] values = fill(db, attempt);
      for (int round = 0; round < 3; round++) {
        int changed = attempt.random.nextInt(ROWS);
        values[changed] = ClientBytes.value(attempt.random);
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

  /** Pins all values in a strict cache, which may become full. */
  private static void cacheStrictly(Attempt attempt) {
    Path folder = attempt.world.newFolder();
    attempt.allow(Code.ABORTED);
    try (BlockCache cache = BlockCache.strictLru(ByteSize.kib(16L << attempt.random.nextInt(8)));
        RocksDb db =
            RocksDb.at(folder).defaults(FamilyOptions.defaults().table(TableOptions.defaults().blockCache(cache)))
                .open()) {
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
