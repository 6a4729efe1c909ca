/* Licensed under the Apache License, Version 2.0; see LICENSE. */
import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.File;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.rocksdb.AccessHint;
import org.rocksdb.BackupEngine;
import org.rocksdb.BackupEngineOptions;
import org.rocksdb.BlockBasedTableConfig;
import org.rocksdb.ColumnFamilyDescriptor;
import org.rocksdb.DBOptions;
import org.rocksdb.Env;
import org.rocksdb.FlushOptions;
import org.rocksdb.HistogramType;
import org.rocksdb.InfoLogLevel;
import org.rocksdb.LRUCache;
import org.rocksdb.Logger;
import org.rocksdb.Options;
import org.rocksdb.OptionsUtil;
import org.rocksdb.ReadOptions;
import org.rocksdb.RestoreOptions;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksIterator;
import org.rocksdb.Statistics;
import org.rocksdb.TickerType;
import org.rocksdb.WriteBatch;
import org.rocksdb.WriteOptions;

/** A program of the time of rocksdbjni 7: tuned options, a batch, statistics, and a backup that is restored. */
public class BacksUp7 {
  private static final AtomicInteger MESSAGES = new AtomicInteger();

  public static void main(String[] folders) throws RocksDBException {
    RocksDB.loadLibrary();
    String folder = folders[0];
    new File(folder, "backups").mkdir();
    try (LRUCache compressed = new LRUCache(1 << 20);
        Statistics statistics = new Statistics();
        Options options = tuned(new Options(), statistics, compressed);
        Logger logger = counting(options)) {
      options.setLogger(logger);
      System.out.println(
          options.accessHintOnCompactionStart() + " " + options.randomAccessMaxBufferSize() + " "
              + options.skipCheckingSstFileSizesOnDbOpen() + " " + options.maxWriteBufferNumberToMaintain());
      try (RocksDB db = RocksDB.open(options, folder + "/db")) {
        write(db);
        scan(db);
        backUp(db, folder);
        db.disableFileDeletions();
        db.disableFileDeletions();
        db.enableFileDeletions(true);
        System.out.println("deletions " + db.getProperty("rocksdb.is-file-deletions-enabled"));
      }
      count(statistics);
      System.out.println("logged " + (MESSAGES.get() > 0));
    }
    restore(folder);
    readOptions(folder);
  }

  private static Options tuned(Options options, Statistics statistics, LRUCache compressed) {
    BlockBasedTableConfig table =
        new BlockBasedTableConfig().setBlockCacheCompressed(compressed).setBlockCacheCompressedNumShardBits(2);
    System.out.println(
        "compressed " + table.blockCacheCompressedSize() + " " + table.blockCacheCompressedNumShardBits());
    return options
        .setCreateIfMissing(true)
        .setStatistics(statistics)
        .setAccessHintOnCompactionStart(AccessHint.SEQUENTIAL)
        .setRandomAccessMaxBufferSize(1 << 16)
        .setSkipCheckingSstFileSizesOnDbOpen(true)
        .setMaxWriteBufferNumberToMaintain(2)
        .setTableFormatConfig(table);
  }

  private static Logger counting(Options options) {
    return new Logger(options) {
      @Override
      protected void log(InfoLogLevel level, String message) {
        MESSAGES.incrementAndGet();
      }
    };
  }

  private static void write(RocksDB db) throws RocksDBException {
    try (WriteBatch batch = new WriteBatch(); WriteOptions write = new WriteOptions()) {
      for (int i = 0; i < 100; i++) {
        batch.put(("key" + (100 + i)).getBytes(UTF_8), ("value" + i).getBytes(UTF_8));
      }
      batch.delete("key150".getBytes(UTF_8));
      db.write(write, batch);
    }
    try (FlushOptions flush = new FlushOptions()) {
      db.flush(flush);
    }
  }

  private static void scan(RocksDB db) {
    int rows = 0;
    try (ReadOptions read = new ReadOptions().setManaged(false); RocksIterator iterator = db.newIterator(read)) {
      for (iterator.seekToFirst(); iterator.isValid(); iterator.next()) {
        rows++;
      }
      System.out.println("rows " + rows + " " + read.managed());
    }
  }

  private static void backUp(RocksDB db, String folder) throws RocksDBException {
    try (BackupEngineOptions to = new BackupEngineOptions(folder + "/backups");
        BackupEngine engine = BackupEngine.open(Env.getDefault(), to)) {
      engine.createNewBackup(db, true);
      System.out.println("backups " + engine.getBackupInfo().size());
    }
  }

  private static void restore(String folder) throws RocksDBException {
    try (BackupEngineOptions from = new BackupEngineOptions(folder + "/backups");
        BackupEngine engine = BackupEngine.open(Env.getDefault(), from);
        RestoreOptions restore = new RestoreOptions(false)) {
      engine.restoreDbFromLatestBackup(folder + "/restored", folder + "/restored", restore);
    }
    try (RocksDB db = RocksDB.openReadOnly(folder + "/restored")) {
      System.out.println("restored " + new String(db.get("key199".getBytes(UTF_8)), UTF_8));
    }
  }

  private static void readOptions(String folder) throws RocksDBException {
    List<ColumnFamilyDescriptor> families = new ArrayList<>();
    try (DBOptions options = new DBOptions()) {
      OptionsUtil.loadLatestOptions(folder + "/db", Env.getDefault(), options, families);
      System.out.println("families " + families.size() + " " + options.createIfMissing());
    }
  }

  private static void count(Statistics statistics) {
    Map<TickerType, Long> counts = new EnumMap<>(TickerType.class);
    for (TickerType ticker : TickerType.values()) {
      if (ticker != TickerType.TICKER_ENUM_MAX) {
        counts.put(ticker, statistics.getTickerCount(ticker));
      }
    }
    System.out.println(
        "written " + (counts.get(TickerType.BYTES_WRITTEN) > 0) + " " + counts.get(TickerType.NO_ITERATORS));
    System.out.println(age(TickerType.WRITE_TIMEDOUT) + " " + age(TickerType.BYTES_READ));
    System.out.println(
        "stalled " + statistics.getHistogramData(HistogramType.STALL_L0_SLOWDOWN_COUNT).getAverage() + " "
            + HistogramType.valueOf("BLOB_DB_GC_MICROS"));
  }

  private static String age(TickerType ticker) {
    switch (ticker) {
      case NO_FILE_CLOSES:
      case WRITE_TIMEDOUT:
        return "old";
      case BYTES_READ:
        return "of today";
      default:
        return "another";
    }
  }
}
