/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.compat.misuse;

import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import org.rocksdb.AbstractComparator;
import org.rocksdb.AbstractTraceWriter;
import org.rocksdb.ColumnFamilyDescriptor;
import org.rocksdb.ColumnFamilyHandle;
import org.rocksdb.ColumnFamilyOptions;
import org.rocksdb.ComparatorOptions;
import org.rocksdb.CompressionOptions;
import org.rocksdb.CompressionType;
import org.rocksdb.DBOptions;
import org.rocksdb.Env;
import org.rocksdb.HashSkipListMemTableConfig;
import org.rocksdb.HyperClockCache;
import org.rocksdb.LRUCache;
import org.rocksdb.MutableColumnFamilyOptions;
import org.rocksdb.OperationType;
import org.rocksdb.Options;
import org.rocksdb.PlainTableConfig;
import org.rocksdb.Priority;
import org.rocksdb.RateLimiter;
import org.rocksdb.ReadOptions;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksIterator;
import org.rocksdb.Slice;
import org.rocksdb.SstFileReader;
import org.rocksdb.ThreadStatus;
import org.rocksdb.TraceOptions;
import org.rocksdb.Transaction;
import org.rocksdb.TransactionDB;
import org.rocksdb.TransactionDBOptions;
import org.rocksdb.TransactionOptions;
import org.rocksdb.WriteBatch;
import org.rocksdb.WriteBatchWithIndex;
import org.rocksdb.WriteOptions;

/**
 * A hostile program: single calls that ended the process, hung, or had a wrong effect, because of a value that the
 * engine does not check. Prints how each call ended.
 */
final class WrongArguments {
  private WrongArguments() {}

  /** Makes a call in an empty folder. */
  interface Case {
    void run(String folder) throws Exception;
  }

  private static void compress(String folder, CompressionOptions compression) throws RocksDBException {
    try (compression;
        Options options = created().setCompressionType(CompressionType.ZLIB_COMPRESSION)) {
      RocksDB.open(options.setCompressionOptions(compression), folder).close();
    }
  }

  private static void openWith(String folder, String text) throws RocksDBException {
    Properties properties = new Properties();
    properties.put(text.substring(0, text.indexOf('=')), text.substring(text.indexOf('=') + 1));
    try (DBOptions options = DBOptions.getDBOptionsFromProps(properties).setCreateIfMissing(true);
        ColumnFamilyOptions family = new ColumnFamilyOptions()) {
      open(folder, options, family);
    }
  }

  private static void openWithFamily(String folder, String text) throws RocksDBException {
    Properties properties = new Properties();
    properties.put(text.substring(0, text.indexOf('=')), text.substring(text.indexOf('=') + 1));
    try (DBOptions options = new DBOptions().setCreateIfMissing(true);
        ColumnFamilyOptions family = ColumnFamilyOptions.getColumnFamilyOptionsFromProps(properties)) {
      open(folder, options, family);
    }
  }

  private static void open(String folder, DBOptions options, ColumnFamilyOptions family) throws RocksDBException {
    List<ColumnFamilyDescriptor> families = List.of(new ColumnFamilyDescriptor(RocksDB.DEFAULT_COLUMN_FAMILY, family));
    List<ColumnFamilyHandle> handles = new ArrayList<>();
    RocksDB.open(options, folder, families, handles).close();
  }

  /** Values that do not harm the engine, but are not supported here. */
  static Map<String, Case> unsupported() {
    Map<String, Case> all = new LinkedHashMap<>();
    all.put("level of a compression", folder -> compress(folder, new CompressionOptions().setLevel(23)));
    all.put("strategy", folder -> compress(folder, new CompressionOptions().setStrategy(5)));
    all.put("maxDictBytes", folder -> compress(folder, new CompressionOptions().setMaxDictBytes(-1)));
    all.put("zstdMaxTrainBytes", folder ->
        compress(folder, new CompressionOptions().setZStdMaxTrainBytes(Integer.MIN_VALUE)));
    all.put("format_version of a text", folder ->
        openWithFamily(folder, "block_based_table_factory={format_version=99}"));
    all.put("unordered_write", folder ->
        RocksDB.open(created().setUnorderedWrite(true).setManualWalFlush(true), folder));
    all.put("table_factory", folder -> RocksDB.open(created().setTableFormatConfig(new PlainTableConfig()), folder));
    all.put("max_write_buffer_number", folder -> change(folder, "max_write_buffer_number=0"));
    all.put("level0_stop_writes_trigger", folder -> change(folder, "level0_stop_writes_trigger=1"));
    return all;
  }

  /** Values that existing programs use. */
  private static Map<String, Case> used() {
    return Map.of(
        "unordered_write of another", folder -> RocksDB.open(created().setUnorderedWrite(true), folder),
        "inplace_update_support", folder -> RocksDB.open(
            created().setInplaceUpdateSupport(true).setAllowConcurrentMemtableWrite(false), folder));
  }

  static Map<String, Case> fatal() {
    Map<String, Case> all = new LinkedHashMap<>();
    all.put("capacity", folder -> new HyperClockCache(-1, 0, 6, true));
    all.put("numShardBits", folder -> new LRUCache(1000, 30).getPinnedUsage());
    all.put("highPriPoolRatio", folder -> new LRUCache(1000, 4, false, 0.7, 0.7).getPinnedUsage());
    all.put("priority of a queue", folder -> Env.getDefault().getThreadPoolQueueLen(Priority.TOTAL));
    all.put("priority of reads", folder -> Env.getDefault().lowerThreadPoolIOPriority(Priority.TOTAL));
    all.put("number of threads", folder -> Env.getDefault().setBackgroundThreads(Integer.MAX_VALUE, Priority.LOW));
    all.put("reserved_bytes", folder -> new WriteBatch(-1));
    all.put("reservedBytes", folder -> new WriteBatchWithIndex(new Backward(), -1, true));
    all.put("serialized", folder -> new WriteBatch(new byte[3]).count());
    all.put("windowBits", folder -> compress(folder, new CompressionOptions().setWindowBits(15)));
    all.put("num_levels of a file's reader", folder -> {
      try (Options options = new Options().setNumLevels(-3)) {
        new SstFileReader(options).close();
      }
    });
    all.put("num_levels of a style", folder -> {
      try (ColumnFamilyOptions options = new ColumnFamilyOptions().setNumLevels(-3)) {
        options.optimizeLevelStyleCompaction();
      }
    });
    all.put("num_levels of a text", folder -> openWith(folder, "num_levels=100000"));
    all.put("max_background_jobs of a text", folder -> openWith(folder, "max_background_jobs=100k"));
    all.put("no thread", folder -> Env.getDefault().setBackgroundThreads(0, Priority.LOW));
    all.put("rateBytesPerSecond", folder -> new RateLimiter(0));
    all.put("rateBytesPerSecond too small", folder -> new RateLimiter(1).request(1));
    all.put("bytesPerSecond", folder -> new RateLimiter(100).setBytesPerSecond(0));
    all.put("targetSize", folder -> {
      try (TransactionDB db = transactional(folder)) {
        db.setDeadlockInfoBufferSize(Integer.MAX_VALUE);
      }
    });
    all.put("path", folder -> transactional(""));
    all.put("property", folder -> {
      try (RocksDB db = RocksDB.open(folder)) {
        db.getProperty("rocksdb.num-files-at-level2147483648");
      }
    });
    all.put("i", folder -> ThreadStatus.getOperationPropertyName(OperationType.OP_COMPACTION, -2));
    all.put("keyLength", folder -> {
      try (TransactionDB db = transactional(folder)) {
        db.delete(new byte[3], 7, -2);
      }
    });
    all.put("keyOffset", folder -> {
      try (RocksDB db = RocksDB.open(folder)) {
        db.put(new byte[0], new byte[1]);
        try {
          db.delete(new byte[5], 7, 0);
        } finally {
          require(db.get(new byte[0]) != null);
        }
      }
    });
    all.put("height", folder -> new Options().setMemTableConfig(new HashSkipListMemTableConfig().setHeight(0)));
    all.put("readaheadSize", folder -> new ReadOptions().setReadaheadSize(1L << 40));
    all.put("numStripes", folder -> TransactionDB.open(
        new Options().setCreateIfMissing(true), new TransactionDBOptions().setNumStripes(Long.MAX_VALUE), folder));
    all.put("deadlockDetectDepth", folder -> {
      try (TransactionDB db = transactional(folder);
          TransactionOptions deep =
              new TransactionOptions().setDeadlockDetect(true).setDeadlockDetectDepth(Long.MAX_VALUE);
          Transaction holder = db.beginTransaction(new WriteOptions())) {
        holder.put(new byte[1], new byte[1]);
        db.beginTransaction(new WriteOptions(), deep).put(new byte[1], new byte[1]);
      }
    });
    addOptions(all);
    addKept(all);
    return all;
  }

  private static void addOptions(Map<String, Case> all) {
    all.put("table_cache_numshardbits", folder -> RocksDB.open(created().setTableCacheNumshardbits(64), folder));
    all.put("max_background_jobs", folder -> RocksDB.open(created().setMaxBackgroundJobs(Integer.MAX_VALUE), folder));
    all.put("num_levels", folder -> RocksDB.open(new Options(created().setNumLevels(-1)), folder));
    all.put("a family's num_levels", folder -> {
      try (RocksDB db = RocksDB.open(folder); Options options = created().setNumLevels(1 << 20)) {
        db.createColumnFamily(
            new ColumnFamilyDescriptor(new byte[1], new org.rocksdb.ColumnFamilyOptions(options)));
      }
    });
  }

  private static void addKept(Map<String, Case> all) {
    all.put("a trace writer twice", folder -> {
      try (RocksDB one = RocksDB.open(folder + "/one"); RocksDB two = RocksDB.open(folder + "/two")) {
        Trace writer = new Trace();
        one.startTrace(new TraceOptions(), writer);
        two.startTrace(new TraceOptions(), writer);
      }
    });
    all.put("clip a secondary", folder -> {
      try (RocksDB db = RocksDB.open(folder + "/first")) {
        db.put(new byte[1], new byte[1]);
        List<ColumnFamilyHandle> families = new ArrayList<>();
        try (RocksDB secondary =
            RocksDB.openAsSecondary(
                new DBOptions(),
                folder + "/first",
                folder + "/second",
                List.of(new ColumnFamilyDescriptor(RocksDB.DEFAULT_COLUMN_FAMILY)),
                families)) {
          secondary.clipColumnFamily(families.getFirst(), new byte[] {0}, new byte[] {5});
        }
      }
    });
    all.put("a batch of bytes that names a family", folder -> {
      try (TransactionDB db =
          transactional(folder); Transaction transaction = db.beginTransaction(new WriteOptions())) {
        byte[] bytes = {0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 5, 89, 1, 'k', 1, 'v'}; // a put into the family with ID 89
        transaction.rebuildFromWriteBatch(new WriteBatch(bytes));
      }
    });
    all.put("a named transaction whose commit fails, begun again", folder -> {
      try (TransactionDB db = transactional(folder)) {
        ColumnFamilyHandle family = db.createColumnFamily(new ColumnFamilyDescriptor("f".getBytes()));
        Transaction transaction = db.beginTransaction(new WriteOptions());
        transaction.setName("named");
        transaction.put(family, new byte[1], new byte[1]);
        db.dropColumnFamily(family);
        family.close();
        try {
          transaction.commit();
        } catch (RocksDBException e) {
          db.beginTransaction(new WriteOptions(), transaction);
        }
      }
    });
    all.put("an iterator whose family's handle is closed", folder -> {
      try (TransactionDB db = transactional(folder);
          org.rocksdb.ColumnFamilyOptions merging =
              new org.rocksdb.ColumnFamilyOptions().setMergeOperatorName("stringappend");
          WriteOptions options = new WriteOptions()) {
        ColumnFamilyHandle family = db.createColumnFamily(new ColumnFamilyDescriptor("f".getBytes(), merging));
        try (Transaction transaction = db.beginTransaction(options);
            ReadOptions reading = new ReadOptions()) {
          transaction.merge(family, "a".getBytes(), "1".getBytes());
          RocksIterator rows = transaction.getIterator(reading, family);
          family.close();
          rows.seekToFirst();
          require(new String(rows.value()).equals("1"));
          throw new IllegalStateException("read");
        }
      }
    });
  }

  private static Options created() {
    return new Options().setCreateIfMissing(true);
  }

  private static TransactionDB transactional(String folder) throws RocksDBException {
    return TransactionDB.open(created(), new TransactionDBOptions(), folder);
  }

  private static void change(String folder, String option) throws RocksDBException {
    try (RocksDB db = RocksDB.open(folder)) {
      db.setOptions(MutableColumnFamilyOptions.parse(option).build());
    }
  }

  private static void require(boolean holds) {
    if (!holds) {
      throw new AssertionError();
    }
  }

  private static final class Trace extends AbstractTraceWriter {
    @Override
    public void write(Slice slice) {}

    @Override
    public void closeWriter() {}

    @Override
    public long getFileSize() {
      return 0;
    }
  }

  private static final class Backward extends AbstractComparator {
    Backward() {
      super(new ComparatorOptions());
    }

    @Override
    public String name() {
      return "backward";
    }

    @Override
    public int compare(ByteBuffer a, ByteBuffer b) {
      return b.compareTo(a);
    }
  }

  public static void main(String[] arguments) throws Exception {
    RocksDB.loadLibrary();
    Map<String, Case> cases = new LinkedHashMap<>(fatal());
    cases.putAll(unsupported());
    if (arguments.length > 0) {
      cases.putAll(used());
      cases.keySet().retainAll(List.of(arguments));
    }
    for (var its : cases.entrySet()) {
      System.out.println(its.getKey() + ": " + outcome(its.getValue()));
    }
  }

  private static String outcome(Case its) throws Exception {
    String folder = Files.createDirectories(Files.createTempDirectory(Path.of(""), "case").resolve("db")).toString();
    try {
      its.run(folder);
      return "returned";
    } catch (IllegalArgumentException | IllegalStateException | IndexOutOfBoundsException
        | UnsupportedOperationException e) {
      return "refused, " + e.getMessage();
    } catch (Throwable e) {
      return "threw " + e;
    }
  }
}
