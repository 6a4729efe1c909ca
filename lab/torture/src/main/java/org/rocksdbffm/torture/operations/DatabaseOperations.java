/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.torture.operations;

import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import org.rocksdbffm.BlockCache;
import org.rocksdbffm.ByteSize;
import org.rocksdbffm.ColumnFamily;
import org.rocksdbffm.Compression;
import org.rocksdbffm.DatabaseFiles;
import org.rocksdbffm.DatabaseOptions;
import org.rocksdbffm.FamilyOptions;
import org.rocksdbffm.MemoryBudget;
import org.rocksdbffm.Pins;
import org.rocksdbffm.RateLimiter;
import org.rocksdbffm.RocksDb;
import org.rocksdbffm.RocksDbException;
import org.rocksdbffm.RocksDbException.Code;
import org.rocksdbffm.SstFileManager;
import org.rocksdbffm.TableFilter;
import org.rocksdbffm.TableOptions;
import org.rocksdbffm.reports.DatabaseEvent;
import org.rocksdbffm.reports.Histogram;
import org.rocksdbffm.reports.InfoLog;
import org.rocksdbffm.reports.Statistics;
import org.rocksdbffm.reports.StatisticsLevel;
import org.rocksdbffm.reports.Ticker;
import org.rocksdbffm.torture.world.Attempt;
import org.rocksdbffm.torture.world.ClientBytes;
import org.rocksdbffm.torture.world.FamilyModel;
import org.rocksdbffm.torture.world.Held;
import org.rocksdbffm.torture.world.Operation;
import org.rocksdbffm.torture.world.Slot;
import org.rocksdbffm.torture.world.World;
import org.rocksdbffm.torture.world.WrongAnswer;

/** Opens, closes and destroys databases, and reads their properties. */
public final class DatabaseOperations {
  static final List<Operation> ALL =
      List.of(
          new Operation("closeDatabase", 6, DatabaseOperations::close),
          new Operation("openDatabase", 150, DatabaseOperations::open),
          new Operation("openReadOnly", 4, DatabaseOperations::openReadOnly),
          new Operation("openFresh", 2, DatabaseOperations::openFresh),
          new Operation("openTwice", 2, DatabaseOperations::openTwice),
          new Operation("destroyOpen", 2, DatabaseOperations::destroyOpen),
          new Operation("askDatabase", 40, DatabaseOperations::ask),
          new Operation("watch", 10, DatabaseOperations::watch),
          new Operation("setDatabaseOptions", 3, DatabaseOperations::setOptions),
          new Operation("flushWal", 10, DatabaseOperations::flushWal),
          new Operation("resume", 3, DatabaseOperations::resume),
          new Operation("openCache", 10, DatabaseOperations::openCache),
          new Operation("useCache", 30, DatabaseOperations::useCache),
          new Operation("closeCache", 8, DatabaseOperations::closeCache));

  private static final int REFUSALS = 40;
  private static final int TRIES_TO_SETTLE = 50;
  private static final Duration TIME_TO_SETTLE = Duration.ofSeconds(10);

  private DatabaseOperations() {}

  private static void close(Attempt attempt) {
    attempt.world.anySlot(attempt.random).database.close(attempt.world.tally);
  }

  /** Reopens a closed database. Replaces it with a new one if objects keep it in use for too long. */
  private static void open(Attempt attempt) {
    Slot slot = attempt.world.anySlot(attempt.random);
    if (!slot.database.isClosed() || !slot.opening.tryLock()) {
      return;
    }
    try {
      if (slot.database.isClosed()) {
        reopen(slot, attempt);
      }
    } finally {
      slot.opening.unlock();
    }
  }

  private static void reopen(Slot slot, Attempt attempt) {
    attempt.world.letGoOfClosed(slot.database);
    attempt.client.releaseObjects();
    attempt.allow(Code.BUSY);
    slot.refusals++;
    if (slot.refusals % 8 == 0) {
      System.gc(); // an automatic arena retains a pinned value of the database
    }
    if (slot.refusals > REFUSALS) {
      attempt.world.renew(slot);
      return;
    }
    Held<AutoCloseable> limit = attempt.world.limits.any(attempt.random);
    RocksDb db =
        RocksDb.at(slot.store.folder).options(database(limit, attempt)).defaults(families(limit, attempt)).open();
    slot.refusals = 0;
    Set<String> there = new HashSet<>();
    db.families().forEach(family -> there.add(family.name()));
    Set<String> lost = new HashSet<>();
    for (FamilyModel family : slot.store.families.values()) {
      if (family.state == FamilyModel.State.THERE && !there.contains(family.name)) {
        lost.add(family.name);
      }
    }
    attempt.world.opened(slot, db);
    attempt.check(lost.isEmpty(), "families are lost: " + lost);
  }

  private static DatabaseOptions database(Held<AutoCloseable> limit, Attempt attempt) {
    DatabaseOptions options = DatabaseOptions.defaults();
    if (attempt.oneIn(2)) {
      options = options.statistics(attempt.oneOf(List.of(StatisticsLevel.values())));
    }
    if (attempt.oneIn(4)) {
      options = options.resumeWithRoom(ByteSize.mib(1));
    }
    options = logged(limited(options, limit, attempt), attempt);
    return attempt.oneIn(2) ? options : options.listener(event -> receive(event, attempt.world));
  }

  private static FamilyOptions families(Held<AutoCloseable> limit, Attempt attempt) {
    FamilyOptions options =
        World.OPTIONS.writeBufferSize(ByteSize.kib(64L << attempt.random.nextInt(5)))
            .compression(attempt.oneOf(List.of(Compression.values())));
    TableOptions table = TableOptions.defaults().blockSize(ByteSize.kib(1L << attempt.random.nextInt(5)));
    boolean isBounded = limit != null && limit.object instanceof MemoryBudget;
    Held<BlockCache> cache = isBounded ? null : attempt.world.caches.any(attempt.random);
    if (cache != null && attempt.oneIn(2)) {
      table = table.blockCache(attempt.touch(cache));
    }
    if (attempt.oneIn(2)) {
      table = table.filter(attempt.oneIn(2) ? TableFilter.bloom(10) : TableFilter.ribbon(8))
          .cacheIndexAndFilterBlocks(true);
    }
    options = options.table(table);
    if (cache != null && attempt.oneIn(2)) {
      options = options.blobCache(attempt.touch(cache)).enableBlobFiles(attempt.oneIn(2));
    }
    return options;
  }

  private static DatabaseOptions logged(DatabaseOptions options, Attempt attempt) {
    return switch (attempt.random.nextInt(4)) {
      case 0 -> options.infoLog(InfoLog.none());
      case 1 -> options.infoLog((level, text) ->
          receive(new DatabaseEvent.FlushEnded("", text, ByteSize.kib(1), Duration.ZERO, false, false), attempt.world));
      default -> options;
    };
  }

  /** Receives an event, uses a database, and sometimes throws; the engine must not wait for the listener or fail. */
  private static void receive(DatabaseEvent event, World world) {
    if (event instanceof DatabaseEvent.FlushEnded flush && flush.fileName().hashCode() % 64 == 0) {
      throw new IllegalStateException("a listener of the torture throws this now and then");
    }
    Slot slot = world.slots.getFirst();
    try {
      slot.database.object.contains(ClientBytes.key(0, 0));
    } catch (IllegalStateException closed) {
      return;
    }
  }

  private static DatabaseOptions limited(DatabaseOptions options, Held<AutoCloseable> limit, Attempt attempt) {
    if (limit == null) {
      return options;
    }
    return switch (attempt.touch(limit)) {
      case MemoryBudget budget -> options.memoryBudget(budget, 1 + attempt.random.nextInt(4));
      case RateLimiter limiter -> options.rateLimiter(limiter);
      case SstFileManager manager -> options.sstFileManager(manager);
      case AutoCloseable other -> throw new AssertionError(other);
    };
  }

  /** Opens a database read-only; while it is closed, other clients cannot open it. */
  private static void openReadOnly(Attempt attempt) {
    Slot slot = attempt.world.anySlot(attempt.random);
    if (!slot.opening.tryLock()) {
      return;
    }
    try {
      boolean alone = slot.database.isClosed();
      if (!alone) {
        attempt.allow(Code.IO_ERROR); // files may be deleted during opening
        attempt.allow(Code.CORRUPTION);
        attempt.allow(Code.INVALID_ARGUMENT);
      }
      boolean named = attempt.oneIn(2);
      Path folder = slot.store.folder;
      try (RocksDb db = alone ? openWhenSettled(folder, named) : openForReading(folder, named)) {
        byte[] key = ClientBytes.key(attempt.client.number, attempt.random.nextInt(ClientBytes.KEYS));
        byte[] value = db.get(key);
        if (alone && !slot.store.hasUnloggedWrites) { // pinned values prevent the flush of unlogged writes
          byte[] expected =
              slot.store.family(RocksDb.DEFAULT_COLUMN_FAMILY).of(attempt.client.number).get(key);
          attempt.check(expected, value, "read-only");
        }
        attempt.allow(Code.INVALID_ARGUMENT);
        attempt.allow(Code.NOT_SUPPORTED);
        db.put(key, key);
        throw new WrongAnswer("a database that is open for reading alone was written to");
      }
    } finally {
      slot.opening.unlock();
    }
  }

  private static RocksDb openForReading(Path folder, boolean named) {
    return named
        ? RocksDb.at(folder).defaults(World.OPTIONS).openReadOnly()
        : RocksDb.at(folder).defaults(World.OPTIONS).family(RocksDb.DEFAULT_COLUMN_FAMILY, World.OPTIONS)
            .openReadOnly();
  }

  /** Retries while files are deleted: pinned values keep a closed database in use, and its compactions continue. */
  private static RocksDb openWhenSettled(Path folder, boolean named) {
    for (int i = 0; ; i++) {
      try {
        return openForReading(folder, named);
      } catch (RocksDbException e) {
        if (i == TRIES_TO_SETTLE || !e.getMessage().contains("No such file")) {
          throw e;
        }
        LockSupport.parkNanos(TIME_TO_SETTLE.toNanos() / TRIES_TO_SETTLE);
      }
    }
  }

  private static void openFresh(Attempt attempt) {
    Path folder = attempt.world.newFolder();
    byte[] key = ClientBytes.key(attempt.client.number, 3);
    try (RocksDb db =
        attempt.oneIn(2) ? RocksDb.open(folder) : RocksDb.at(folder).mustNotExist().families(Map.of()).open()) {
      db.put(key, key);
      if (attempt.oneIn(2)) {
        db.flush();
      }
    }
    attempt.check(
        RocksDb.families(folder).equals(List.of(RocksDb.DEFAULT_COLUMN_FAMILY)), "families of a fresh database");
    try (RocksDb db = RocksDb.at(folder).mustExist().onlyNamed().openReadOnly()) {
      attempt.check(key, db.get(key), "in a fresh database");
    }
    RocksDb.destroy(folder);
  }

  private static void openTwice(Attempt attempt) {
    Held<RocksDb> database = attempt.world.anySlot(attempt.random).database;
    if (!database.mayBeClosed()) {
      attempt.allow(Code.BUSY);
      Slot slot = attempt.world.slots.stream().filter(each -> each.database == database).findFirst().orElse(null);
      if (slot == null || !slot.opening.tryLock()) {
        return;
      }
      try (RocksDb second = RocksDb.at(slot.store.folder).defaults(World.OPTIONS).open()) {
        attempt.check(database.mayBeClosed(), "one folder was opened twice");
        attempt.check(second.pins().count() == 0, "pins of what was just opened");
      } finally {
        slot.opening.unlock();
      }
    }
  }

  private static void destroyOpen(Attempt attempt) {
    Slot slot = attempt.world.anySlot(attempt.random);
    if (!slot.opening.tryLock()) {
      return;
    }
    try {
      Held<RocksDb> database = slot.database;
      if (!database.mayBeClosed()) {
        attempt.allow(Code.BUSY);
        // Destroys the database during a get, because a call in flight prevents a concurrent close, and a snapshot does
        // not.
        attempt
            .touch(database)
            .get(
                ClientBytes.key(attempt.client.number, 0),
                ignored -> {
                  RocksDb.destroy(slot.store.folder);
                  throw new WrongAnswer("an open database was destroyed");
                });
      }
    } finally {
      slot.opening.unlock();
    }
  }

  private static void ask(Attempt attempt) {
    Held<RocksDb> held = attempt.world.anySlot(attempt.random).database;
    RocksDb db = attempt.touch(held);
    attempt.check(db.pins().count() >= 0, "a negative count of pins");
    attempt.check(db.pins().size().bytes() >= 0, "a negative number of pinned bytes");
    attempt.check(db.pins().oldest().stream().noneMatch(Duration::isNegative), "a pin of the future");
    db.pins().limit(
        attempt.oneIn(2)
            ? Pins.Limits.none()
            : Pins.Limits.none().maxBytes(ByteSize.mib(1 << 20)).warnAge(Duration.ofDays(1)));
    attempt.check(db.toString().startsWith("database "), "its name");
    List<ColumnFamily> families = db.families();
    attempt.check(families.stream().anyMatch(family -> family.name().equals("default")), "no default family");
    attempt.check(db.family(RocksDb.DEFAULT_COLUMN_FAMILY).id() == 0, "the default family's number");
    attempt.allow(IllegalArgumentException.class, "name: .* has no column family 'nowhere'.*");
    if (attempt.oneIn(4)) {
      db.family("nowhere");
    }
    attempt.use(held);
    long before = db.files().latestSequenceNumber();
    attempt.check(before <= db.files().latestSequenceNumber(), "the sequence went back");
  }

  private static String statisticsText(RocksDb db) {
    String text = db.metrics().property("rocksdb.options-statistics");
    return text == null ? "" : text;
  }

  private static void watch(Attempt attempt) {
    RocksDb db = attempt.use(attempt.world.anySlot(attempt.random).database);
    attempt.check(db.metrics().memory().total().bytes() > 0, "no memory is used");
    attempt.allow(IllegalStateException.class, "database .* counts nothing: open it with .*");
    Statistics before = attempt.oneIn(2) ? db.metrics().statistics() : Statistics.parse(statisticsText(db));
    Statistics during = db.metrics().statistics().since(before);
    attempt.check(during.counts().values().stream().allMatch(count -> count >= 0), "a count went back");
    attempt.check(during.count(Ticker.NUMBER_KEYS_READ) >= 0, "a count went back");
    attempt.check(during.distribution(Histogram.BYTES_PER_READ).count() >= 0, "a histogram went back");
    attempt.check(during.distributions().size() == Histogram.values().length, "a histogram is missing");
  }

  private static void setOptions(Attempt attempt) {
    Map<String, String> options = Map.of("max_open_files", String.valueOf(50 + attempt.random.nextInt(100)));
    attempt.use(attempt.world.anySlot(attempt.random).database).setDatabaseOptions(options);
  }

  /** Resumes writes although no failure has stopped them: the call must have no effect. */
  private static void resume(Attempt attempt) {
    attempt.use(attempt.world.anySlot(attempt.random).database).resume();
  }

  private static void flushWal(Attempt attempt) {
    DatabaseFiles files = attempt.use(attempt.world.anySlot(attempt.random).database).files();
    if (attempt.oneIn(20)) {
      files.syncWal();
    } else {
      files.flushWal();
    }
  }

  private static void openCache(Attempt attempt) {
    ByteSize capacity = ByteSize.kib(1L << attempt.random.nextInt(12));
    ByteSize entry = ByteSize.bytes(256L << attempt.random.nextInt(8));
    BlockCache cache =
        switch (attempt.random.nextInt(6)) {
          case 0 -> BlockCache.lru(capacity, attempt.random.nextInt(13));
          case 1 -> BlockCache.hyperClock(capacity, entry);
          case 2 -> BlockCache.hyperClock(capacity, entry, attempt.random.nextInt(13));
          case 3, 4 -> BlockCache.lru(capacity);
          default -> BlockCache.hyperClock(capacity);
        };
    attempt.world.add(attempt.world.caches, new Held<>(cache), attempt);
  }

  private static void useCache(Attempt attempt) {
    Held<BlockCache> held = attempt.world.caches.any(attempt.random);
    if (held == null) {
      return;
    }
    BlockCache cache = attempt.use(held);
    attempt.check(cache.usage().bytes() >= 0, "usage");
    attempt.check(cache.pinnedUsage().bytes() >= 0, "pinned usage");
    if (attempt.oneIn(4)) {
      cache.capacity(ByteSize.kib(1L << attempt.random.nextInt(12)));
    }
    attempt.check(cache.capacity().bytes() > 0, "capacity");
  }

  private static void closeCache(Attempt attempt) {
    Held<BlockCache> held = attempt.world.caches.any(attempt.random);
    if (held != null) {
      held.close(attempt.world.tally);
    }
  }
}
