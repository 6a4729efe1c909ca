/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.shape;

import java.lang.invoke.MethodHandles;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.rocksdbffm.Backup;
import org.rocksdbffm.Backups;
import org.rocksdbffm.BlockCache;
import org.rocksdbffm.ByteSize;
import org.rocksdbffm.ColumnFamily;
import org.rocksdbffm.Columns;
import org.rocksdbffm.CompactOptions;
import org.rocksdbffm.CompactionFilter;
import org.rocksdbffm.Cursor;
import org.rocksdbffm.DatabaseOptions;
import org.rocksdbffm.EncryptionKeys;
import org.rocksdbffm.EntityCodec;
import org.rocksdbffm.Expiry;
import org.rocksdbffm.FamilyFiles;
import org.rocksdbffm.FamilyOptions;
import org.rocksdbffm.FifoCompaction;
import org.rocksdbffm.FlushOptions;
import org.rocksdbffm.Follower;
import org.rocksdbffm.KeyCodec;
import org.rocksdbffm.KeyRange;
import org.rocksdbffm.KeyWriter;
import org.rocksdbffm.MemoryBudget;
import org.rocksdbffm.MergeOperator;
import org.rocksdbffm.OptimisticTransactionDb;
import org.rocksdbffm.PinnedValue;
import org.rocksdbffm.Pins;
import org.rocksdbffm.PrefixExtractor;
import org.rocksdbffm.RateLimiter;
import org.rocksdbffm.ReadOptions;
import org.rocksdbffm.Repair;
import org.rocksdbffm.RocksDb;
import org.rocksdbffm.RocksDbException;
import org.rocksdbffm.RowCache;
import org.rocksdbffm.Scan;
import org.rocksdbffm.SstFileManager;
import org.rocksdbffm.StoredOptions;
import org.rocksdbffm.TableFilter;
import org.rocksdbffm.TableOptions;
import org.rocksdbffm.TableReader;
import org.rocksdbffm.TableWriter;
import org.rocksdbffm.Transaction;
import org.rocksdbffm.TransactionDb;
import org.rocksdbffm.TransactionOptions;
import org.rocksdbffm.TransactionRetryException;
import org.rocksdbffm.TransactionalDb;
import org.rocksdbffm.TypedReader;
import org.rocksdbffm.UniversalCompaction;
import org.rocksdbffm.WriteBatch;
import org.rocksdbffm.WriteOptions;
import org.rocksdbffm.reports.CacheReport;
import org.rocksdbffm.reports.DatabaseEvent;
import org.rocksdbffm.reports.Histogram;
import org.rocksdbffm.reports.InfoLog;
import org.rocksdbffm.reports.Profile;
import org.rocksdbffm.reports.StatisticsLevel;

/**
 * A database with one open object of each public type that has instances. The row {@code key} has a large value, and
 * the row {@code small} a small one. Closing this closes all created objects.
 */
final class Specimens implements AutoCloseable {
  static final int LARGE = 100_000;

  final RocksDb db;
  private final Path folder;
  final ColumnFamily family;
  private final Deque<AutoCloseable> made = new ArrayDeque<>();

  Specimens(Path folder) {
    this.folder = folder;
    db = RocksDb.at(folder).options(DatabaseOptions.defaults().statistics(StatisticsLevel.TICKERS)).open();
    family = db.createFamily("family", FamilyOptions.defaults());
    for (KeyWriter writer : List.of(db, family)) {
      writer.put("key".getBytes(), new byte[LARGE]);
      writer.put("small".getBytes(), "value".getBytes());
    }
    db.flush();
    family.flush();
  }

  /** Creates an open object of a type, positioned at a row if it has rows. */
  Object of(Class<?> type) {
    Object specimen = make(type);
    if (specimen instanceof AutoCloseable closeable && specimen != db) {
      made.push(closeable);
    }
    return specimen;
  }

  /** Returns a type's simple name, preceded by the enclosing class if two types have that name. */
  private static String name(Class<?> type) {
    String name = type.getSimpleName();
    return Set.of("Options", "Level").contains(name) ? type.getDeclaringClass().getSimpleName() + "." + name : name;
  }

  private Object make(Class<?> type) {
    return switch (name(type)) {
      case "RocksDb" -> db;
      case "ColumnFamily" -> family;
      case "KeySpace" -> family.with(ReadOptions.defaults());
      case "KeyReader" -> keep(db.snapshot()).of(family);
      case "Snapshot" -> family.snapshot();
      case "Cursor", "Row" -> {
        Cursor cursor = family.cursor();
        cursor.first();
        yield cursor;
      }
      case "Scan" -> {
        Scan scan = family.scan(KeyRange.all());
        scan.next();
        yield scan;
      }
      case "AsyncWriter" -> family.asyncWriter(Runnable::run, 1);
      case "AsyncReader" -> family.async(Runnable::run, 1);
      case "MultiGet" -> family.multiGet().add("key".getBytes());
      case "Entity" -> family.entities().get("key".getBytes());
      case "EntityReader" -> family.entities();
      case "Columns" -> new Columns();
      case "PinnedValue" -> family.getPinned("key".getBytes());
      case "PinnedValues" -> family.multiGet().add("key".getBytes()).get();
      case "View" ->
          type == PinnedValue.View.class
              ? keep(family.getPinned("key".getBytes())).view()
              : keep(family.multiGet().add("key".getBytes()).get()).view();
      case "Follower" -> Follower.open(db.path());
      case "LogReader" -> db.files().logSince(db.files().latestSequenceNumber() + 1);
      case "LiveFile" -> db.files().live().getFirst();
      case "DatabaseFiles" -> db.files();
      case "Hold" -> db.files().hold();
      case "FamilyFiles" -> family.files();
      case "DatabaseMetrics" -> db.metrics();
      case "FamilyMetrics" -> family.metrics();
      case "Pins" -> db.pins();
      case "HeldFile" -> keep(db.files().hold()).files().getFirst();
      case "LogFile" -> db.files().logs().getFirst();
      case "FamilyFiles.Level" -> family.files().levels().getFirst();
      case "Pause" -> db.files().pauseManualCompactions();
      case "Repair" -> new Repair(List.of(), 0);
      case "CompactionOptions" -> FamilyFiles.CompactionOptions.defaults();
      case "SizeOptions" -> FamilyFiles.SizeOptions.defaults();
      case "TableWriter" -> tableWriter();
      case "TableFile" -> tableFile();
      case "TableReader" -> TableReader.of(db.files().live().getFirst().path());
      case "Properties" -> db.files().properties(KeyRange.all()).values().iterator().next();
      case "ExportedFamily" ->
          family.files().export(folder.resolveSibling("exported" + made.size() + "-" + System.nanoTime()));
      case "IngestOptions" -> FamilyFiles.IngestOptions.defaults();
      case "Backups" -> backups();
      case "Backup" -> new Backup(1, Instant.EPOCH, ByteSize.kib(1), 1, "");
      case "Backups.Options" -> Backups.Options.defaults();
      case "Progress" -> new Backups.Progress(ByteSize.kib(1), ByteSize.kib(2), Duration.ofSeconds(1));
      case "TransactionDb", "TransactionalDb" -> TransactionDb.open(another());
      case "OptimisticTransactionDb" -> OptimisticTransactionDb.open(another());
      case "Transaction" -> keep(TransactionDb.open(another())).begin();
      case "TransactionKeys" -> {
        TransactionDb keys = keep(TransactionDb.open(another()));
        yield keep(keys.begin()).in(keys.createFamily("family", FamilyOptions.defaults()));
      }
      case "IndexedBatch" -> db.indexedBatch();
      case "IndexedBatchKeys" -> keep(db.indexedBatch()).in(family);
      case "TransactionOptions" -> TransactionOptions.defaults();
      case "LockOptions" -> TransactionDb.LockOptions.defaults();
      case "RetryPolicy" -> TransactionalDb.RetryPolicy.defaults();
      case "TransactionRetryException" -> givenUp();
      case "BlockCache" -> BlockCache.lru(ByteSize.mib(1));
      case "RowCache" -> RowCache.lru(ByteSize.mib(1));
      case "MemoryBudget" -> MemoryBudget.of(ByteSize.mib(8));
      case "RateLimiter" -> RateLimiter.of(ByteSize.mib(1));
      case "RateLimiter.Options" -> RateLimiter.Options.of(ByteSize.mib(2));
      case "SstFileManager" -> SstFileManager.create();
      case "EncryptionKeys" -> EncryptionKeys.ofFile(folder.resolve("keys"));
      case "EncryptionKeys.Key", "Key" -> new EncryptionKeys.Key("k1", new byte[32]);
      case "StoragePath" -> new FamilyOptions.StoragePath(folder, ByteSize.gib(1));
      case "WriteBatch" -> new WriteBatch();
      case "KeyWriter" -> new WriteBatch().in(family);
      case "DatabaseOptions" -> DatabaseOptions.defaults();
      case "FamilyOptions" -> FamilyOptions.defaults();
      case "Opening" -> RocksDb.at(folder.resolve("opening"));
      case "TableOptions" -> TableOptions.defaults();
      case "ReadOptions" -> ReadOptions.defaults();
      case "WriteOptions" -> WriteOptions.defaults();
      case "CompactOptions" -> CompactOptions.defaults();
      case "FlushOptions" -> FlushOptions.defaults();
      case "KeyCodec", "ValueCodec" -> KeyCodec.int32();
      case "EntityCodec" -> EntityCodec.of(MethodHandles.lookup(), PublicApi.Sample.class);
      case "TypedKeys" -> family.typed(KeyCodec.int64(), KeyCodec.bytes());
      case "TypedWriter" -> new WriteBatch().in(family.typed(KeyCodec.int64(), KeyCodec.bytes()));
      case "TypedReader" -> keep(db.snapshot()).typed(KeyCodec.int64(), KeyCodec.bytes());
      case "Entry" -> new TypedReader.Entry<>(1L, "value");
      case "Part" -> KeyCodec.int32().of(value -> 1);
      case "KeyRange" -> KeyRange.all();
      case "UniversalCompaction" -> UniversalCompaction.defaults();
      case "FifoCompaction" -> FifoCompaction.defaults();
      case "Expiry" -> Expiry.after(Duration.ofDays(1));
      case "Limits" -> Pins.Limits.none();
      case "ByteSize" -> ByteSize.kib(1);
      case "TableFilter" -> TableFilter.bloom(10);
      case "MergeOperator" -> MergeOperator.max();
      case "PrefixExtractor" -> PrefixExtractor.fixed(1);
      case "Compaction" -> new CompactionFilter.Compaction(true, false);
      case "Decision" -> CompactionFilter.Decision.KEEP;
      case "Statistics" -> db.metrics().statistics();
      case "Distribution" -> db.metrics().statistics().distribution(Histogram.DB_GET_MICROS);
      case "MemoryReport" -> db.metrics().memory();
      case "FamilyReport" -> db.metrics().report();
      case "BlobReport" -> db.metrics().report().blobs();
      case "CacheUse" -> db.metrics().report().blockCache().orElseThrow();
      case "CacheReport" -> db.metrics().cache(CacheReport.Scan.CHEAP);
      case "Share" -> db.metrics().cache(CacheReport.Scan.CHEAP).total();
      case "Profile" -> Profile.of(Profile.Level.COUNTS, () -> db.get("key".getBytes()));
      case "DatabaseEvent", "FlushStarted" -> new DatabaseEvent.FlushStarted("default");
      case "MemtableSealed" -> new DatabaseEvent.MemtableSealed("default", 1, 0);
      case "FileIngested" -> new DatabaseEvent.FileIngested("default", "/rows.sst", "000001.sst", 1);
      case "FlushEnded" ->
          new DatabaseEvent.FlushEnded("default", "000001.sst", ByteSize.kib(1), Duration.ZERO, false, false);
      case "CompactionStarted" -> new DatabaseEvent.CompactionStarted("default", 0, 1, 1);
      case "CompactionEnded" ->
          new DatabaseEvent.CompactionEnded(
              "default", 0, 1, 1, 1, ByteSize.kib(1), ByteSize.kib(1), Duration.ZERO, Optional.empty());
      case "BackgroundError" ->
          new DatabaseEvent.BackgroundError(DatabaseEvent.Work.FLUSH, failure());
      case "WritesResumed" -> new DatabaseEvent.WritesResumed(Duration.ofSeconds(1));
      case "StallChanged" ->
          new DatabaseEvent.StallChanged("default", DatabaseEvent.Stall.NONE, DatabaseEvent.Stall.DELAYED);
      case "Dropped" -> new DatabaseEvent.Dropped(1);
      case "InfoLog" -> InfoLog.none();
      case "DatabaseHealth" -> db.metrics().health();
      case "StoredOptions" -> new StoredOptions(DatabaseOptions.defaults(), Map.of());
      default -> {
        if (type.isEnum()) {
          yield type.getEnumConstants()[0];
        }
        throw new AssertionError("no specimen of " + type);
      }
    };
  }

  private static RocksDbException failure() {
    return new RocksDbException(
        RocksDbException.Code.IO_ERROR, RocksDbException.SubCode.NONE, RocksDbException.Severity.HARD, "IO error: ");
  }

  private Path another() {
    return folder.resolveSibling("another" + made.size() + "-" + System.nanoTime());
  }

  private TransactionRetryException givenUp() {
    byte[] key = "key".getBytes();
    TransactionOptions impatient = TransactionOptions.defaults().lockTimeout(Duration.ZERO);
    try (TransactionDb contended = TransactionDb.open(another());
        Transaction holder = contended.begin()) {
      holder.put(key, key);
      contended.callInTransaction(TransactionalDb.RetryPolicy.never(), impatient,
          transaction -> transaction.getForUpdate(key));
      throw new AssertionError("the key was not locked");
    } catch (TransactionRetryException e) {
      return e;
    }
  }

  private TableWriter tableWriter() {
    return TableWriter.create(
        folder.resolveSibling("table" + made.size() + "-" + System.nanoTime() + ".sst"),
        FamilyOptions.defaults().mergeOperator(MergeOperator.max()));
  }

  private TableWriter.TableFile tableFile() {
    try (TableWriter table = tableWriter()) {
      table.put("key".getBytes(), "value".getBytes());
      return table.finish();
    }
  }

  /** Creates a folder with the backups 1 and 2. */
  private Backups backups() {
    Backups backups = Backups.open(folder.resolveSibling("backups" + made.size() + "-" + System.nanoTime()));
    backups.create(db);
    backups.create(db);
    return backups;
  }

  private <T extends AutoCloseable> T keep(T closeable) {
    made.push(closeable);
    return closeable;
  }

  @Override
  public void close() throws Exception {
    for (AutoCloseable each : made) {
      each.close();
    }
    db.close();
  }
}
