/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.firstuse;

import java.io.FileInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.System.Logger.Level;
import java.lang.foreign.Linker;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.rocksdbffm.Backups;
import org.rocksdbffm.BlockCache;
import org.rocksdbffm.ByteSize;
import org.rocksdbffm.CompactionFilter.Decision;
import org.rocksdbffm.DatabaseOptions;
import org.rocksdbffm.FamilyFiles.ExportedFamily.Transfer;
import org.rocksdbffm.FamilyOptions;
import org.rocksdbffm.Follower;
import org.rocksdbffm.KeyCodec;
import org.rocksdbffm.KeyRange;
import org.rocksdbffm.MemoryBudget;
import org.rocksdbffm.OptimisticTransactionDb;
import org.rocksdbffm.RateLimiter;
import org.rocksdbffm.Repair;
import org.rocksdbffm.RocksDb;
import org.rocksdbffm.RocksDbException;
import org.rocksdbffm.Scan;
import org.rocksdbffm.SstFileManager;
import org.rocksdbffm.StoredOptions;
import org.rocksdbffm.TableWriter;
import org.rocksdbffm.Transaction;
import org.rocksdbffm.TransactionDb;
import org.rocksdbffm.WriteBatch;
import org.rocksdbffm.internal.loader.NativeLibraryError;
import org.rocksdbffm.internal.loader.Warnings;
import org.rocksdbffm.reports.Profile;
import org.rocksdbffm.reports.StatisticsLevel;

/**
 * A program that uses parts of the library for the first time without free file descriptors or heap, and again with
 * them: the first use may fail with an exception that names the reason, and the second must succeed.
 */
final class FirstUseCase {
  private static final byte[] KEY = "key".getBytes();
  private static final int MOST_DESCRIPTORS = 400; // more than the limit of FirstUseTest
  private static final int LARGEST = 1 << 19;
  private static final String HEAP = "heap";

  /** A use of one part of the library, with a separate folder, and a database that was opened before. */
  private interface Use {
    void run(Path folder, RocksDb db) throws Exception;
  }

  private static final Map<String, Use> USES = new LinkedHashMap<>();

  static {
    USES.put("open", (folder, _) -> RocksDb.open(folder.resolve("db")).close());
    USES.put("cache", (_, _) -> BlockCache.lru(ByteSize.mib(1)).close());
    USES.put("budget", (folder, _) -> openWithBudget(folder));
    USES.put("limits", (_, _) -> {
      RateLimiter.of(ByteSize.mib(1)).close();
      SstFileManager.create().close();
    });
    USES.put("checkpoint", (folder, db) -> db.files().checkpoint(folder.resolve("copy")));
    USES.put("backup", (folder, db) -> {
      try (Backups backups = Backups.open(folder.resolve("backups"))) {
        backups.create(db, "note");
        backups.verify(backups.list().getFirst().id());
        backups.restoreLatest(folder.resolve("restored"));
      }
    });
    USES.put("repair", (folder, db) -> {
      db.files().checkpoint(folder.resolve("copy"));
      Repair.of(folder.resolve("copy"));
    });
    USES.put("destroy", (folder, db) -> {
      db.files().checkpoint(folder.resolve("copy"));
      RocksDb.destroy(folder.resolve("copy"));
    });
    USES.put("table", (folder, db) -> {
      try (TableWriter table = TableWriter.create(folder.resolve("table"), FamilyOptions.defaults())) {
        table.put(KEY, KEY);
        table.finish();
      }
      db.files().ingest(folder.resolve("table"));
    });
    USES.put("follower", (_, db) -> {
      try (Follower follower = Follower.open(db.path())) {
        follower.catchUp();
        follower.read(reader -> reader.get(KEY));
      }
    });
    USES.put("stored", (_, db) -> {
      StoredOptions.load(db.path());
      RocksDb.families(db.path());
    });
    USES.put("export", (folder, db) -> {
      try (var exported = db.files().export(folder.resolve("export"))) {
        db.importFamily("imported", FamilyOptions.defaults(), exported, Transfer.COPY);
      }
    });
    USES.put("hold", (_, db) -> {
      try (var hold = db.files().holdWithLogs()) {
        hold.files().getFirst().open().close();
      }
    });
    USES.put("log", (_, db) -> {
      try (var log = db.files().logSince(2)) {
        while (log.next()) {
          log.batch();
        }
      }
    });
    USES.put("metrics",
        (_, db) -> db.metrics().toString().concat(db.metrics().memory() + "" + db.metrics().families()));
    USES.put("statistics", (folder, _) -> {
      try (RocksDb db =
          RocksDb.at(folder.resolve("db")).options(DatabaseOptions.defaults().statistics(StatisticsLevel.ALL)).open()) {
        db.metrics().statistics();
      }
    });
    USES.put("typed", (_, db) -> db.typed(KeyCodec.uuid(), KeyCodec.string()).put(new UUID(1, 2), "value"));
    USES.put("order",
        (folder, _) ->
            openWith(folder, FamilyOptions.defaults().keyOrder("mine", (a, b) -> Long.compare(a.size(), b.size()))));
    USES.put("merge",
        (folder, _) -> openWith(folder, FamilyOptions.defaults().mergeOperator("mine", (_, _, all) -> KEY)));
    USES.put("filter",
        (folder, _) ->
            openWith(folder, FamilyOptions.defaults().compactionFilter("mine", _ -> (_, _, _) -> Decision.KEEP)));
    USES.put("listener", (folder, _) -> openWith(folder, DatabaseOptions.defaults().listener(_ -> {})));
    USES.put("transaction", (folder, _) -> {
      try (TransactionDb db = TransactionDb.open(folder.resolve("db")); Transaction transaction = db.begin()) {
        transaction.put(KEY, KEY);
        transaction.commit();
      }
    });
    USES.put("optimistic", (folder, _) -> {
      try (OptimisticTransactionDb db = OptimisticTransactionDb.open(folder.resolve("db"))) {
        db.inTransaction(transaction -> transaction.put(KEY, KEY));
      }
    });
    USES.put("batches", (_, db) -> {
      try (var indexed = db.indexedBatch()) {
        indexed.put(KEY, KEY);
        indexed.write();
      }
      db.write(WriteBatch.from(java.lang.foreign.MemorySegment.ofArray(new byte[12])));
    });
    USES.put("reads", (_, db) -> {
      try (Scan scan = db.scan(KeyRange.prefix(KEY)); var cursor =
          db.cursor(); var values = db.multiGet().add(KEY).get(); var snapshot = db.snapshot()) {
        scan.next();
        cursor.first();
        snapshot.getPinned(KEY).close();
      }
    });
    USES.put("profile", (_, db) -> Profile.of(Profile.Level.COUNTS, () -> db.get(KEY)));
    USES.put("families", (_, db) -> db.dropFamily(db.createFamily("new", FamilyOptions.defaults())));
    USES.put("pause", (_, db) -> db.files().pauseWork(Duration.ofDays(1)).close());
    USES.put("compact", (_, db) -> {
      db.put(KEY, KEY);
      db.flush();
      db.compact(KeyRange.all());
    });
    USES.put("warning", (_, _) -> Warnings.log(Level.WARNING, "a warning", null));
  }

  private FirstUseCase() {}

  /** Returns the uses that need no open database, so that they can be the first use of the library. */
  static List<String> usesWithoutDatabase() {
    return List.of("open", "cache", "budget", "limits", "statistics", "order", "merge", "filter", "listener",
        "transaction", "warning");
  }

  private static List<String> uses() {
    return List.copyOf(USES.keySet());
  }

  private static void openWithBudget(Path folder) {
    try (MemoryBudget budget = MemoryBudget.of(ByteSize.mib(8))) {
      openWith(folder, DatabaseOptions.defaults().memoryBudget(budget));
    }
  }

  private static void openWith(Path folder, FamilyOptions options) {
    use(RocksDb.at(folder.resolve("db")).defaults(options).open());
  }

  private static void openWith(Path folder, DatabaseOptions options) {
    use(RocksDb.at(folder.resolve("db")).options(options).open());
  }

  private static void use(RocksDb opened) {
    try (RocksDb db = opened) {
      db.put(KEY, KEY);
      db.flush();
      db.compact(KeyRange.all());
    }
  }

  /**
   * Arguments: the missing resource (a number of free descriptors, or heap), whether the library is loaded before, and
   * the uses.
   */
  public static void main(String[] arguments) throws Exception {
    boolean isWarm = arguments[1].equals("warm");
    Map<String, String> wrong = new LinkedHashMap<>();
    for (String name : arguments.length == 2 ? uses() : Arrays.asList(arguments).subList(2, arguments.length)) {
      RocksDb db = isWarm ? database(name + 1) : null;
      Throwable first =
          firstUse(arguments[0], USES.get(name), Files.createDirectories(Path.of(name).toAbsolutePath()), db);
      if (!isExpected(first)) {
        wrong.put(name + " first", text(first));
      }
      try (RocksDb another = database(name + 2)) {
        USES.get(name).run(Files.createDirectories(Path.of(name + "-later").toAbsolutePath()), another);
      } catch (Throwable e) {
        wrong.put(name + " later", text(e));
      }
      if (db != null) {
        db.close();
      }
    }
    addLost(wrong);
    wrong.forEach((use, thrown) -> System.out.println("WRONG " + use + ": " + thrown));
    System.out.println("done");
  }

  private static RocksDb database(String name) {
    RocksDb db = RocksDb.open(Path.of(name + "-db").toAbsolutePath());
    db.put(KEY, KEY);
    db.flush();
    db.put(KEY, new byte[1 << 17]);
    return db;
  }

  private static Throwable firstUse(String missing, Use use, Path folder, RocksDb db) throws IOException {
    if (!missing.startsWith(HEAP)) {
      return withDescriptors(Integer.parseInt(missing), use, folder, db);
    }
    try {
      return inFullHeap(Integer.parseInt(missing.substring(HEAP.length())), use, folder, db);
    } catch (OutOfMemoryError e) { // the test itself needs heap
      return e;
    } finally {
      System.gc(); // otherwise an allocation may fail although heap is free again
    }
  }

  private static Throwable withDescriptors(int free, Use use, Path folder, RocksDb db) throws IOException {
    List<FileInputStream> files = new ArrayList<>();
    try {
      while (files.size() < MOST_DESCRIPTORS) {
        files.add(new FileInputStream("/proc/self/status"));
      }
      throw new AssertionError("there are more descriptors than there should be");
    } catch (IOException none) {
      for (int i = 0; i < free; i++) {
        files.removeLast().close();
      }
      return thrownBy(use, folder, db);
    } finally {
      for (FileInputStream file : files) {
        file.close();
      }
    }
  }

  /** Runs a use in a heap that is full except for some KiB. */
  private static Throwable inFullHeap(int free, Use use, Path folder, RocksDb db) {
    byte[][] room = new byte[free][1 << 10];
    Object hoard = null;
    for (int size = LARGEST; size > 8; size /= 2) {
      try {
        while (true) {
          hoard = new Object[] {hoard, new byte[size]};
        }
      } catch (OutOfMemoryError full) {
        continue;
      }
    }
    room = null;
    Throwable thrown = thrownBy(use, folder, db);
    java.lang.ref.Reference.reachabilityFence(hoard);
    return thrown;
  }

  private static Throwable thrownBy(Use use, Path folder, RocksDb db) {
    try {
      use.run(folder, db);
      return null;
    } catch (Throwable e) {
      return e;
    }
  }

  private static boolean isExpected(Throwable thrown) {
    return thrown == null
        || thrown instanceof RocksDbException
        || thrown instanceof NativeLibraryError
        || thrown instanceof OutOfMemoryError
        || thrown instanceof UncheckedIOException
        || thrown instanceof IOException;
  }

  private static String text(Throwable thrown) {
    StackTraceElement[] stack = thrown.getStackTrace();
    return thrown + " at " + Arrays.toString(Arrays.copyOf(stack, Math.min(8, stack.length)))
        + (thrown.getCause() == null ? "" : " by " + thrown.getCause());
  }

  /**
   * Adds the parts of the JDK that the library uses, and that cannot be used any more because their initialization has
   * failed.
   */
  private static void addLost(Map<String, String> wrong) {
    Map<String, Use> parts = new LinkedHashMap<>();
    parts.put("digests", (_, _) -> MessageDigest.getInstance("MD5"));
    parts.put("lookup", (_, _) -> Linker.nativeLinker().defaultLookup().findOrThrow("getpid"));
    parts.put("loggers", (_, _) -> System.getLogger("another").log(Level.INFO, "logged"));
    parts.put("channels", (_, _) -> java.nio.channels.ServerSocketChannel.open().close());
    parts.put("class path", (_, _) -> Class.forName("org.rocksdbffm.firstuse.LastOnClassPath"));
    parts.put("processes", (_, _) -> new ProcessBuilder("true").start().waitFor(1, TimeUnit.MINUTES));
    parts.forEach((part, use) -> {
      Throwable thrown = thrownBy(use, null, null);
      if (thrown != null) {
        wrong.put("the JDK's " + part, text(thrown));
      }
    });
  }
}
