/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.compat.jni;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import org.rocksdb.AbstractCompactionFilter;
import org.rocksdb.AbstractCompactionFilterFactory;
import org.rocksdb.AbstractComparator;
import org.rocksdb.AbstractEventListener;
import org.rocksdb.AbstractTableFilter;
import org.rocksdb.AbstractTraceWriter;
import org.rocksdb.AbstractTransactionNotifier;
import org.rocksdb.AbstractWalFilter;
import org.rocksdb.ComparatorOptions;
import org.rocksdb.FlushJobInfo;
import org.rocksdb.FlushOptions;
import org.rocksdb.InfoLogLevel;
import org.rocksdb.Logger;
import org.rocksdb.Options;
import org.rocksdb.ReadOptions;
import org.rocksdb.RemoveEmptyValueCompactionFilter;
import org.rocksdb.ReusedSynchronisationType;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksIterator;
import org.rocksdb.Slice;
import org.rocksdb.Snapshot;
import org.rocksdb.TableProperties;
import org.rocksdb.TraceOptions;
import org.rocksdb.Transaction;
import org.rocksdb.TransactionDB;
import org.rocksdb.TransactionDBOptions;
import org.rocksdb.WriteBatch;
import org.rocksdb.WriteOptions;

/**
 * Makes the engine call Java in all its ways, and reports which calls arrived. Loaded by several class loaders, so it
 * uses only {@code org.rocksdb} and the JDK.
 */
public final class EveryCallback {
  private static final int ROWS = 20;

  private final Map<String, Integer> heard = new ConcurrentHashMap<>();
  private final String folder;

  private EveryCallback(String folder) {
    this.folder = folder;
  }

  /**
   * Returns the kinds of calls that arrived, in one line, with the number of calls where the number is always the same.
   */
  public static String use(String folder) throws Exception {
    RocksDB.loadLibrary();
    EveryCallback all = new EveryCallback(folder);
    all.database();
    all.walFilter();
    all.transaction();
    all.batch();
    return new TreeMap<>(all.heard).toString();
  }

  /** Uses only the callbacks that do not crash rocksdbjni. */
  public static String useSome(String folder) throws Exception {
    RocksDB.loadLibrary();
    EveryCallback some = new EveryCallback(folder);
    try (Logger logger = some.logger();
        Options options = new Options().setCreateIfMissing(true).setLogger(logger);
        RocksDB db = RocksDB.open(options, folder)) {
      some.fill(db);
      some.filtered(db);
      some.put("map property", db.getMapProperty("rocksdb.cfstats").isEmpty() ? 0 : 1);
    }
    some.batch();
    return new TreeMap<>(some.heard).toString();
  }

  private void put(String what, int much) {
    heard.put(what, much);
  }

  private void count(String what) {
    heard.merge(what, 1, Integer::sum);
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private void database() throws RocksDBException {
    try (Logger logger = logger();
        AbstractComparator comparator = comparator();
        AbstractEventListener listener = listener();
        Filters filters = new Filters(this);
        Options options =
            new Options()
                .setCreateIfMissing(true)
                .setLogger(logger)
                .setComparator(comparator)
                .setListeners(List.of(listener))
                .setMergeOperatorName("stringappend")
                .setCompactionFilterFactory(filters);
        AbstractTraceWriter trace = traceWriter();
        RocksDB db = RocksDB.open(options, folder)) {
      db.startTrace(new TraceOptions(), trace);
      fill(db);
      db.endTrace();
      filtered(db);
      db.compactRange();
      put("live files", db.getLiveFilesMetaData().size());
      put("listeners", options.listeners().size());
      put("map property", db.getMapProperty("rocksdb.cfstats").isEmpty() ? 0 : 1);
      put("table properties", db.getPropertiesOfAllTables().size());
    }
  }

  private void fill(RocksDB db) throws RocksDBException {
    for (int i = 0; i < ROWS; i++) {
      db.put(bytes("key " + i), bytes("value"));
    }
    try (FlushOptions flush = new FlushOptions()) {
      db.flush(flush);
    }
  }

  private Logger logger() {
    return new Logger(InfoLogLevel.INFO_LEVEL) {
      @Override
      protected void log(InfoLogLevel level, String message) {
        put("logger", level == null || message.isEmpty() ? 0 : 1);
      }
    };
  }

  private AbstractComparator comparator() {
    ComparatorOptions options =
        new ComparatorOptions().setReusedSynchronisationType(ReusedSynchronisationType.THREAD_LOCAL);
    return new AbstractComparator(options) {
      @Override
      public String name() {
        return "bytes as they are";
      }

      @Override
      public int compare(ByteBuffer a, ByteBuffer b) {
        put("comparator", 1);
        return a.compareTo(b);
      }
    };
  }

  private AbstractEventListener listener() {
    return new AbstractEventListener() {
      @Override
      public void onFlushCompleted(RocksDB db, FlushJobInfo info) {
        put("listener", info.getColumnFamilyName().equals("default") ? 1 : 0);
      }
    };
  }

  private static final class Filters extends AbstractCompactionFilterFactory<RemoveEmptyValueCompactionFilter> {
    private final EveryCallback all;

    Filters(EveryCallback all) {
      this.all = all;
    }

    @Override
    public RemoveEmptyValueCompactionFilter createCompactionFilter(AbstractCompactionFilter.Context context) {
      all.put("filter factory", 1);
      return new RemoveEmptyValueCompactionFilter();
    }

    @Override
    public String name() {
      return "removes empty values";
    }
  }

  private AbstractTraceWriter traceWriter() {
    return new AbstractTraceWriter() {
      @Override
      public void write(Slice slice) {
        put("trace writer", slice.size() > 0 ? 1 : 0);
      }

      @Override
      public void closeWriter() {}

      @Override
      public long getFileSize() {
        return 0;
      }
    };
  }

  private void filtered(RocksDB db) {
    try (AbstractTableFilter filter =
            new AbstractTableFilter() {
              @Override
              public boolean filter(TableProperties properties) {
                return properties.getNumEntries() > 0;
              }
            };
        ReadOptions options = new ReadOptions().setTableFilter(filter);
        RocksIterator rows = db.newIterator(options)) {
      for (rows.seekToFirst(); rows.isValid(); rows.next()) {
        count("rows of filtered tables");
      }
    }
  }

  private void walFilter() throws RocksDBException {
    try (WalRecords filter = new WalRecords(this);
        Options options = new Options().setCreateIfMissing(true)) {
      try (RocksDB db = RocksDB.open(options, folder + ".wal")) {
        db.put(bytes("a"), bytes("1"));
      }
      options.setWalFilter(filter);
      try (RocksDB db = RocksDB.open(options, folder + ".wal")) {
        put("row of the log", db.get(bytes("a")).length);
      }
    }
  }

  private static final class WalRecords extends AbstractWalFilter {
    private final EveryCallback all;

    WalRecords(EveryCallback all) {
      this.all = all;
    }

    @Override
    public void columnFamilyLogNumberMap(Map<Integer, Long> logs, Map<String, Integer> families) {
      all.put("wal filter's families", families.size());
    }

    @Override
    public LogRecordFoundResult logRecordFound(long log, String file, WriteBatch batch, WriteBatch changed) {
      all.put("wal filter", batch.count());
      return LogRecordFoundResult.CONTINUE_UNCHANGED;
    }

    @Override
    public String name() {
      return "looks at the log";
    }
  }

  private void transaction() throws RocksDBException {
    try (AbstractTransactionNotifier notifier =
            new AbstractTransactionNotifier() {
              @Override
              public void snapshotCreated(Snapshot snapshot) {
                put("notifier", 1);
              }
            };
        Options options = new Options().setCreateIfMissing(true);
        TransactionDBOptions transactions = new TransactionDBOptions();
        TransactionDB db = TransactionDB.open(options, transactions, folder + ".transactions");
        WriteOptions write = new WriteOptions();
        Transaction transaction = db.beginTransaction(write)) {
      transaction.setSnapshotOnNextOperation(notifier);
      transaction.put(bytes("a"), bytes("1"));
      transaction.commit();
    }
  }

  private void batch() throws RocksDBException {
    try (WriteBatch batch = new WriteBatch();
        WriteBatch.Handler handler = new Puts(this)) {
      batch.put(bytes("a"), bytes("1"));
      batch.put(bytes("b"), bytes("2"));
      batch.iterate(handler);
    }
  }

  private static final class Puts extends WriteBatch.Handler {
    private final EveryCallback all;

    Puts(EveryCallback all) {
      this.all = all;
    }

    @Override
    public void put(int family, byte[] key, byte[] value) {
      put(key, value);
    }

    @Override
    public void put(byte[] key, byte[] value) {
      all.count("puts in the batch");
    }

    @Override
    public void merge(int family, byte[] key, byte[] value) {}

    @Override
    public void merge(byte[] key, byte[] value) {}

    @Override
    public void delete(int family, byte[] key) {}

    @Override
    public void delete(byte[] key) {}

    @Override
    public void singleDelete(int family, byte[] key) {}

    @Override
    public void singleDelete(byte[] key) {}

    @Override
    public void deleteRange(int family, byte[] from, byte[] until) {}

    @Override
    public void deleteRange(byte[] from, byte[] until) {}

    @Override
    public void logData(byte[] blob) {}

    @Override
    public void putBlobIndex(int family, byte[] key, byte[] value) {}

    @Override
    public void markBeginPrepare() {}

    @Override
    public void markEndPrepare(byte[] id) {}

    @Override
    public void markNoop(boolean emptyBatch) {}

    @Override
    public void markRollback(byte[] id) {}

    @Override
    public void markCommit(byte[] id) {}

    @Override
    public void markCommitWithTimestamp(byte[] id, byte[] timestamp) {}
  }
}
