/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.compat.options;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertThrowsExactly;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Properties;
import java.util.Random;
import org.rocksdb.BlockBasedTableConfig;
import org.rocksdb.BloomFilter;
import org.rocksdb.ColumnFamilyDescriptor;
import org.rocksdb.ColumnFamilyHandle;
import org.rocksdb.ColumnFamilyOptions;
import org.rocksdb.CompressionType;
import org.rocksdb.DBOptions;
import org.rocksdb.FlushOptions;
import org.rocksdb.LRUCache;
import org.rocksdb.OptimisticTransactionDB;
import org.rocksdb.Options;
import org.rocksdb.PlainTableConfig;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksIterator;
import org.rocksdb.Statistics;
import org.rocksdb.TickerType;
import org.rocksdb.TransactionDB;
import org.rocksdb.TransactionDBOptions;
import org.rocksdb.TtlDB;
import org.rocksdb.WriteBufferManager;

/** A program without knowledge of a memory budget, with its caches and write buffer managers. */
public final class SharedMemoryProgram {
  private static final int ROWS = 2000;
  private static final byte[] VALUE = new byte[10_000];

  private static final List<RocksDB> OPEN = new ArrayList<>();
  private static final List<ColumnFamilyHandle> FAMILIES = new ArrayList<>();

  private SharedMemoryProgram() {}

  public static void main(String[] arguments) throws Exception {
    RocksDB.loadLibrary();
    new Random(1).nextBytes(VALUE);
    switch (arguments[0]) {
      case "kinds" -> kinds();
      case "many" -> many();
      case "uncopied" -> {
        uncopied();
        many();
      }
      case "wrong" -> {
        for (String size : Arrays.asList(arguments).subList(1, arguments.length)) {
          System.setProperty(SharedMemory.PROPERTY, size);
          many();
        }
      }
      default -> throw new IllegalArgumentException(arguments[0]);
    }
    FAMILIES.forEach(ColumnFamilyHandle::close);
    OPEN.forEach(RocksDB::close);
  }

  /** Without a kind, copying fails, as it would without memory. */
  private static void uncopied() {
    try (Options options = new Options()) {
      for (int i = 0; i < 20; i++) {
        long its = options.getNativeHandle();
        assertThrowsExactly(NullPointerException.class, () -> BoundedOptions.of(null, its));
      }
    }
  }

  private static void many() throws RocksDBException {
    try (Options options = new Options().setCreateIfMissing(true)) {
      for (int i = 0; i < 9; i++) {
        OPEN.add(RocksDB.open(options, "db" + i));
      }
    } catch (RocksDBException | IllegalArgumentException e) {
      System.out.println(OPEN.size() + " opened, " + e);
    }
  }

  private static void kinds() throws RocksDBException {
    try (LRUCache cache = new LRUCache(64 << 20);
        LRUCache rows = new LRUCache(64 << 20);
        WriteBufferManager manager = new WriteBufferManager(64 << 20, cache);
        Statistics statistics = new Statistics();
        BloomFilter filter = new BloomFilter(10);
        Options tuned = options();
        Options uncached = options();
        Options plainTable = options().useFixedLengthPrefixExtractor(4);
        Options plain = options();
        TransactionDBOptions locks = new TransactionDBOptions();
        DBOptions database = new DBOptions().setCreateIfMissing(true).setCreateMissingColumnFamilies(true)) {
      tuned.setTableFormatConfig(new BlockBasedTableConfig().setBlockCache(cache).setFilterPolicy(filter)
          .setBlockSize(16 << 10));
      tuned.setRowCache(rows).setWriteBufferManager(manager).setStatistics(statistics);
      uncached.setTableFormatConfig(new BlockBasedTableConfig().setNoBlockCache(true));
      plainTable.setTableFormatConfig(new PlainTableConfig());

      RocksDB its = opened("default", RocksDB.open(plain, "default"));
      load(opened("tuned", RocksDB.open(tuned, "tuned")), null);
      load(opened("tuned too", RocksDB.open(tuned, "tuned-too")), null);
      load(opened("uncached", RocksDB.open(uncached, "uncached")), null);
      load(opened("locks", TransactionDB.open(plain, locks, "locks")), null);
      load(opened("optimistic", OptimisticTransactionDB.open(plain, "optimistic")), null);
      load(opened("ttl", TtlDB.open(plain, "ttl", 1000, false)), null);
      load(its, null);
      opened("read only", RocksDB.openReadOnly(plain, "default"));
      opened("secondary", RocksDB.openAsSecondary(plain, "default", "secondary"));
      families(database);
      OPEN.add(RocksDB.open(plainTable, "plain-table"));
      System.out.println("own caches: " + (cache.getUsage() + rows.getUsage() < 1 << 20));
      System.out.println("filter of the program: " + (statistics.getTickerCount(TickerType.BLOOM_FILTER_USEFUL) > 0));
      System.out.println("rows of the program's cache: " + statistics.getTickerCount(TickerType.ROW_CACHE_MISS));
    }
  }

  private static void families(DBOptions database) throws RocksDBException {
    Properties text = new Properties();
    text.setProperty("block_based_table_factory", "{block_cache=64M;block_size=16384}");
    try (ColumnFamilyOptions parsed = ColumnFamilyOptions.getColumnFamilyOptionsFromProps(text);
        ColumnFamilyOptions options = new ColumnFamilyOptions()) {
      RocksDB db =
          opened(
              "families",
              RocksDB.open(
                  database,
                  "families",
                  List.of(
                      new ColumnFamilyDescriptor(RocksDB.DEFAULT_COLUMN_FAMILY, options),
                      new ColumnFamilyDescriptor("parsed".getBytes(UTF_8), parsed)),
                  FAMILIES));
      FAMILIES.add(db.createColumnFamily(new ColumnFamilyDescriptor("later".getBytes(UTF_8), parsed)));
      FAMILIES.add(db.createColumnFamily(new ColumnFamilyDescriptor("a\0b".getBytes(UTF_8), options)));
      for (ColumnFamilyHandle family : FAMILIES) {
        System.out.println("family: " + db.getProperty(family, "rocksdb.block-cache-capacity"));
        load(db, family);
      }
    }
  }

  private static Options options() {
    return new Options().setCreateIfMissing(true).setCompressionType(CompressionType.NO_COMPRESSION);
  }

  private static RocksDB opened(String name, RocksDB db) throws RocksDBException {
    OPEN.add(db);
    System.out.println(name + ": " + db.getProperty("rocksdb.block-cache-capacity"));
    return db;
  }

  /** Writes twenty megabytes. */
  private static void load(RocksDB db, ColumnFamilyHandle chosen) throws RocksDBException {
    ColumnFamilyHandle family = chosen == null ? db.getDefaultColumnFamily() : chosen;
    for (int i = 0; i < ROWS; i++) {
      db.put(family, key(i), VALUE);
    }
    requireBounded(db, family);
    try (FlushOptions flush = new FlushOptions()) {
      db.flush(flush, family);
    }
    try (RocksIterator rows = db.newIterator(family)) {
      for (rows.seekToFirst(); rows.isValid(); rows.next()) {
        require(Arrays.equals(rows.value(), VALUE), "a value");
      }
      requireBounded(db, family);
    }
    for (int i = 0; i < ROWS; i++) {
      require(Arrays.equals(db.get(family, key(i)), VALUE), "a row");
      require(db.get(family, key(i + ROWS)) == null, "no row");
    }
    requireBounded(db, family);
  }

  private static byte[] key(int number) {
    return "key%05d".formatted(number * 7919 % 100_003).getBytes(UTF_8);
  }

  private static void requireBounded(RocksDB db, ColumnFamilyHandle family) throws RocksDBException {
    long usage = db.getLongProperty(family, "rocksdb.block-cache-usage");
    require(usage <= 64 << 20, usage + " bytes");
    long memtables = 0;
    for (RocksDB its : OPEN) {
      memtables += its.getAggregatedLongProperty("rocksdb.size-all-mem-tables");
    }
    require(memtables <= 36 << 20, memtables + " bytes of memtables");
  }

  private static void require(boolean holds, String what) {
    if (!holds) {
      throw new AssertionError(what);
    }
  }
}
