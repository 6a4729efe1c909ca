/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.compat.jni;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.rocksdb.AbstractCompactionFilter;
import org.rocksdb.AbstractCompactionFilterFactory;
import org.rocksdb.AbstractEventListener;
import org.rocksdb.AbstractTableFilter;
import org.rocksdb.CompactionJobInfo;
import org.rocksdb.CompactionReason;
import org.rocksdb.FlushJobInfo;
import org.rocksdb.FlushOptions;
import org.rocksdb.InfoLogLevel;
import org.rocksdb.Logger;
import org.rocksdb.Options;
import org.rocksdb.ReadOptions;
import org.rocksdb.RemoveEmptyValueCompactionFilter;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksIterator;
import org.rocksdb.Status;
import org.rocksdb.TableProperties;
import org.rocksdb.WriteBatch;

/** Java callbacks, on threads of the engine and of the program. */
final class CallbackTest {
  @TempDir Path folder;

  @BeforeAll
  static void load() {
    RocksDB.loadLibrary();
  }

  private static byte[] bytes(String text) {
    return text.getBytes(UTF_8);
  }

  private static void flush(RocksDB db) throws Exception {
    try (FlushOptions options = new FlushOptions()) {
      db.flush(options);
    }
  }

  private RocksDB open(Options options) throws Exception {
    return RocksDB.open(options.setCreateIfMissing(true), folder.toString());
  }

  @Tag("oracle")
  @Test
  void aListenerIsToldOfACompactionAndWhatItWasAbout() throws Exception {
    List<String> told = new ArrayList<>();
    CountDownLatch done = new CountDownLatch(1);
    try (AbstractEventListener listener =
            new AbstractEventListener() {
              @Override
              public void onCompactionCompleted(RocksDB db, CompactionJobInfo info) {
                told.add(new String(info.columnFamilyName(), UTF_8));
                told.add(info.status().getCode().toString());
                told.add(info.inputFiles().size() + " to " + info.outputFiles().size());
                told.add(info.compactionReason().toString());
                told.add(info.tableProperties().size() + " tables");
                told.add(info.stats().numInputRecords() + " records");
                done.countDown();
              }
            };
        Options options = new Options().setListeners(List.of(listener)).setDisableAutoCompactions(true);
        RocksDB db = open(options)) {
      assertEquals(1, options.listeners().size());
      for (int i = 0; i < 2; i++) {
        db.put(bytes("a"), bytes("1"));
        db.put(bytes("b"), bytes("2"));
        flush(db);
      }
      db.compactRange();
      assertTrue(done.await(60, TimeUnit.SECONDS));
      assertEquals(
          List.of(
              "default",
              Status.Code.Ok.toString(),
              "2 to 1",
              CompactionReason.kManualCompaction.toString(),
              "3 tables",
              "4 records"),
          told);
    }
  }

  @Tag("oracle")
  @Test
  void whatAListenerThrowsChangesNothing() throws Exception {
    CountDownLatch called = new CountDownLatch(1);
    try (AbstractEventListener listener =
            new AbstractEventListener() {
              @Override
              public void onFlushCompleted(RocksDB db, FlushJobInfo info) {
                called.countDown();
                throw new IllegalStateException("a listener is broken");
              }
            };
        Options options = new Options().setListeners(List.of(listener));
        RocksDB db = open(options)) {
      db.put(bytes("a"), bytes("1"));
      flush(db);
      assertTrue(called.await(60, TimeUnit.SECONDS));
      assertEquals("1", new String(db.get(bytes("a")), UTF_8));
    }
  }

  @Tag("oracle")
  @Test
  void aLoggerGetsWhatIsAtItsLevel() throws Exception {
    Set<InfoLogLevel> levels = ConcurrentHashMap.newKeySet();
    Set<String> messages = ConcurrentHashMap.newKeySet();
    try (Logger logger =
            new Logger(InfoLogLevel.INFO_LEVEL) {
              @Override
              protected void log(InfoLogLevel level, String message) {
                levels.add(level);
                messages.add(message);
              }
            };
        Options options = new Options().setInfoLogLevel(InfoLogLevel.INFO_LEVEL)) {
      options.setLogger(logger);
      open(options).close();
      assertTrue(levels.contains(InfoLogLevel.INFO_LEVEL), levels.toString());
      assertFalse(levels.contains(InfoLogLevel.DEBUG_LEVEL), levels.toString());
      assertTrue(messages.stream().anyMatch(message -> message.contains("RocksDB version")), messages.toString());
      logger.setInfoLogLevel(InfoLogLevel.FATAL_LEVEL);
      assertEquals(InfoLogLevel.FATAL_LEVEL, logger.infoLogLevel());
    }
  }

  /** rocksdbjni crashes. */
  @Test
  void aFactoryMakesTheFilterOfACompaction() throws Exception {
    AtomicReference<AbstractCompactionFilter.Context> context = new AtomicReference<>();
    try (Filters factory = new Filters(context);
        Options options = new Options().setCompactionFilterFactory(factory);
        RocksDB db = open(options)) {
      db.put(bytes("empty"), new byte[0]);
      db.put(bytes("full"), bytes("1"));
      flush(db);
      db.compactRange();
      assertEquals("1", new String(db.get(bytes("full")), UTF_8));
      assertNull(db.get(bytes("empty")));
      assertTrue(context.get().isManualCompaction());
    }
  }

  private static final class Filters extends AbstractCompactionFilterFactory<RemoveEmptyValueCompactionFilter> {
    private final AtomicReference<AbstractCompactionFilter.Context> context;

    Filters(AtomicReference<AbstractCompactionFilter.Context> context) {
      this.context = context;
    }

    @Override
    public RemoveEmptyValueCompactionFilter createCompactionFilter(AbstractCompactionFilter.Context its) {
      context.set(its);
      return new RemoveEmptyValueCompactionFilter();
    }

    @Override
    public String name() {
      return "removes empty values";
    }
  }

  @Tag("oracle")
  @Test
  void aTableFilterDecidesWhichTablesAreRead() throws Exception {
    AtomicReference<TableProperties> seen = new AtomicReference<>();
    try (Options options = new Options();
        RocksDB db = open(options);
        ReadOptions reading = new ReadOptions();
        AbstractTableFilter filter =
            new AbstractTableFilter() {
              @Override
              public boolean filter(TableProperties properties) {
                seen.set(properties);
                return properties.getNumEntries() > 1;
              }
            }) {
      db.put(bytes("a"), bytes("1"));
      flush(db);
      db.put(bytes("b"), bytes("1"));
      db.put(bytes("c"), bytes("1"));
      flush(db);
      reading.setTableFilter(filter);
      List<String> keys = new ArrayList<>();
      try (RocksIterator rows = db.newIterator(reading)) {
        for (rows.seekToFirst(); rows.isValid(); rows.next()) {
          keys.add(new String(rows.key(), UTF_8));
        }
      }
      assertEquals(List.of("b", "c"), keys);
      assertNotNull(seen.get().getComparatorName());
    }
  }

  @Tag("oracle")
  @Test
  void aHandlerIsShownWhatIsInABatchAndStopsWhereItSays() throws Exception {
    List<String> shown = new ArrayList<>();
    try (WriteBatch batch = new WriteBatch();
        WriteBatch.Handler handler = new ShownHandler(shown)) {
      batch.put(bytes("a"), bytes("1"));
      batch.merge(bytes("b"), bytes("2"));
      batch.delete(bytes("c"));
      batch.singleDelete(bytes("d"));
      batch.deleteRange(bytes("e"), bytes("f"));
      batch.putLogData(bytes("log"));
      batch.put(bytes("stop"), bytes("3"));
      batch.put(bytes("never shown"), bytes("4"));
      batch.iterate(handler);
    }
    assertEquals(
        List.of("put a=1", "merge b=2", "delete c", "single delete d", "delete e to f", "log log", "put stop=3"),
        shown);
  }

  private static final class ShownHandler extends WriteBatch.Handler {
    private final List<String> shown;

    ShownHandler(List<String> shown) {
      this.shown = shown;
    }

    private static String text(byte[] bytes) {
      return new String(bytes, UTF_8);
    }

    @Override
    public boolean shouldContinue() {
      return !shown.contains("put stop=3");
    }

    @Override
    public void put(int family, byte[] key, byte[] value) {
      put(key, value);
    }

    @Override
    public void put(byte[] key, byte[] value) {
      shown.add("put " + text(key) + "=" + text(value));
    }

    @Override
    public void merge(int family, byte[] key, byte[] value) {
      merge(key, value);
    }

    @Override
    public void merge(byte[] key, byte[] value) {
      shown.add("merge " + text(key) + "=" + text(value));
    }

    @Override
    public void delete(int family, byte[] key) {
      delete(key);
    }

    @Override
    public void delete(byte[] key) {
      shown.add("delete " + text(key));
    }

    @Override
    public void singleDelete(int family, byte[] key) {
      singleDelete(key);
    }

    @Override
    public void singleDelete(byte[] key) {
      shown.add("single delete " + text(key));
    }

    @Override
    public void deleteRange(int family, byte[] from, byte[] until) {
      deleteRange(from, until);
    }

    @Override
    public void deleteRange(byte[] from, byte[] until) {
      shown.add("delete " + text(from) + " to " + text(until));
    }

    @Override
    public void logData(byte[] blob) {
      shown.add("log " + text(blob));
    }

    @Override
    public void putBlobIndex(int family, byte[] key, byte[] value) {
      throw new AssertionError();
    }

    @Override
    public void markBeginPrepare() {
      throw new AssertionError();
    }

    @Override
    public void markEndPrepare(byte[] id) {
      throw new AssertionError();
    }

    @Override
    public void markNoop(boolean emptyBatch) {
      throw new AssertionError();
    }

    @Override
    public void markRollback(byte[] id) {
      throw new AssertionError();
    }

    @Override
    public void markCommit(byte[] id) {
      throw new AssertionError();
    }

    @Override
    public void markCommitWithTimestamp(byte[] id, byte[] timestamp) {
      throw new AssertionError();
    }
  }
}
