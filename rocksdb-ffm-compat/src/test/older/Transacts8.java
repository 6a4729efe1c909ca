/* Licensed under the Apache License, Version 2.0; see LICENSE. */
import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.ArrayList;
import java.util.List;
import org.rocksdb.AccessHint;
import org.rocksdb.ColumnFamilyDescriptor;
import org.rocksdb.ColumnFamilyHandle;
import org.rocksdb.ColumnFamilyOptions;
import org.rocksdb.CompressionType;
import org.rocksdb.DBOptions;
import org.rocksdb.DBOptionsInterface;
import org.rocksdb.EnvOptions;
import org.rocksdb.HistogramType;
import org.rocksdb.InfoLogLevel;
import org.rocksdb.Logger;
import org.rocksdb.OptimisticTransactionDB;
import org.rocksdb.ReadOptions;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.Statistics;
import org.rocksdb.TickerType;
import org.rocksdb.Transaction;
import org.rocksdb.WriteOptions;

/** A program of the time of rocksdbjni 8: optimistic transactions over two families, whose buffers are maintained. */
public class Transacts8 {
  /** Options that own their logger, as some clients' options do. */
  private static final class Owning extends DBOptions {
    private int loggers;

    Owning(DBOptions options) {
      super(options);
    }

    public DBOptions setLogger(Logger logger) {
      loggers++;
      return super.setLogger(logger);
    }
  }

  public static void main(String[] folders) throws RocksDBException {
    RocksDB.loadLibrary();
    try (Statistics statistics = new Statistics();
        DBOptions options = tuned(new DBOptions()).setStatistics(statistics);
        ColumnFamilyOptions family = family();
        Logger logger = silent(options);
        Owning owning = new Owning(options);
        DBOptions copy = new DBOptions(owning.setLogger(logger));
        EnvOptions env = new EnvOptions(copy)) {
      System.out.println(
          copy.accessHintOnCompactionStart() + " " + copy.randomAccessMaxBufferSize() + " "
              + env.setRandomAccessMaxBufferSize(5).randomAccessMaxBufferSize() + " "
              + new ColumnFamilyOptions(family).maxWriteBufferNumberToMaintain() + " " + owning.loggers);
      List<ColumnFamilyDescriptor> families =
          List.of(
              new ColumnFamilyDescriptor(RocksDB.DEFAULT_COLUMN_FAMILY, family),
              new ColumnFamilyDescriptor("more".getBytes(UTF_8), family));
      List<ColumnFamilyHandle> handles = new ArrayList<>();
      try (OptimisticTransactionDB db = OptimisticTransactionDB.open(copy, folders[0] + "/db", families, handles)) {
        transact(db, handles.get(1));
        handles.forEach(ColumnFamilyHandle::close);
      }
      System.out.println(
          statistics.getTickerCount(TickerType.NUMBER_BLOCK_NOT_COMPRESSED) + " "
              + statistics.getHistogramData(HistogramType.BYTES_COMPRESSED).getSum());
    }
  }

  private static <T extends DBOptionsInterface<T>> T tuned(T options) {
    return options
        .setCreateIfMissing(true)
        .setCreateMissingColumnFamilies(true)
        .setAccessHintOnCompactionStart(AccessHint.WILLNEED)
        .setSkipCheckingSstFileSizesOnDbOpen(false);
  }

  private static ColumnFamilyOptions family() {
    return new ColumnFamilyOptions()
        .setMaxWriteBufferNumberToMaintain(4)
        .setWriteBufferSize(1 << 20)
        .setCompressionType(CompressionType.LZ4_COMPRESSION);
  }

  private static Logger silent(DBOptions options) {
    return new Logger(options) {
      @Override
      protected void log(InfoLogLevel level, String message) {}
    };
  }

  private static void transact(OptimisticTransactionDB db, ColumnFamilyHandle family) throws RocksDBException {
    byte[] key = "key".getBytes(UTF_8);
    try (WriteOptions write = new WriteOptions();
        ReadOptions read = new ReadOptions(true, true).setManaged(true);
        Transaction first = db.beginTransaction(write);
        Transaction second = db.beginTransaction(write)) {
      System.out.println(read.managed() + " " + (first.getForUpdate(read, family, key, true) == null));
      first.put(family, key, "first".getBytes(UTF_8));
      second.put(family, key, "second".getBytes(UTF_8));
      first.commit();
      try {
        second.commit();
      } catch (RocksDBException e) {
        System.out.println(e.getStatus().getCode());
      }
      System.out.println(new String(db.get(family, key), UTF_8));
    }
  }
}
