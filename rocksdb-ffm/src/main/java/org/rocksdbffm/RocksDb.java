/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm;

import static java.util.Objects.requireNonNull;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.rocksdbffm.internal.db.Database;
import org.rocksdbffm.internal.db.NativeFamily;
import org.rocksdbffm.internal.files.Checkpoint;
import org.rocksdbffm.internal.files.NativeLog;
import org.rocksdbffm.internal.folder.FolderPath;
import org.rocksdbffm.internal.metrics.CacheText;
import org.rocksdbffm.internal.metrics.FamilyFigures;
import org.rocksdbffm.internal.opening.DatabaseOpener;
import org.rocksdbffm.internal.options.DatabaseKind;
import org.rocksdbffm.internal.options.table.OptionText;
import org.rocksdbffm.internal.read.ReadPath;
import org.rocksdbffm.internal.transaction.NativeIndexedBatch;
import org.rocksdbffm.internal.upkeep.FileWork;
import org.rocksdbffm.internal.upkeep.Flushes;
import org.rocksdbffm.internal.upkeep.LiveOptions;

/**
 * An open database, and the key space of its default column family. Its owner closes it. Thread-safe.
 *
 * <pre>{@code
 * try (RocksDb db = RocksDb.open(Path.of("/data/orders"))) {
 *   db.put(key, value);
 *   byte[] copy = db.get(key);
 *   try (PinnedValue pinned = db.getPinned(key)) {
 *     use(pinned.segment()); // the engine's own bytes
 *   }
 * }
 * }</pre>
 */
public sealed class RocksDb extends KeySpace implements AutoCloseable permits TransactionalDb {
  /** The name of the column family that every database has. */
  public static final String DEFAULT_COLUMN_FAMILY = NativeFamily.DEFAULT;

  static final Options CREATE = Options.defaults().createIfMissing(true);

  private final Path folder;
  private final Database database;
  private final NativeFamily defaultFamily;
  private final FamilyRegistry families;

  RocksDb(Opened opened) {
    super(
        ReadPath.of(opened.families.getFirst(), opened.readDefaults, null),
        ReadOptions.defaults(),
        opened.writeDefaults);
    this.folder = opened.folder;
    this.database = opened.database;
    this.defaultFamily = opened.families.getFirst();
    this.families = new FamilyRegistry(opened);
  }

  /**
   * Opens a database with all the column families that it has, and creates it if it does not exist.
   *
   * @param folder where it lives
   * @return the database, which the caller <em>owns</em> and must close
   */
  public static RocksDb open(Path folder) {
    return open(folder, CREATE);
  }

  /**
   * Opens a database with all the column families that it has.
   *
   * @param folder where it lives
   * @param options for the database and for each of its column families
   * @return the database, which the caller <em>owns</em> and must close
   */
  public static RocksDb open(Path folder, Options options) {
    return Opening.of(DatabaseKind.PLAIN, folder, options, null).into(RocksDb::new);
  }

  /**
   * Opens a database with column families that have options of their own. All that it has must be named;
   * {@link #columnFamilies(Path)} lists them.
   *
   * @param folder where it lives
   * @param options for the database as a whole, and for the default column family unless that is named too
   * @param columnFamilies the options of each column family, by name
   * @return the database, which the caller <em>owns</em> and must close
   */
  public static RocksDb open(Path folder, Options options, Map<String, Options> columnFamilies) {
    return Opening.of(DatabaseKind.PLAIN, folder, options, requireNonNull(columnFamilies, "columnFamilies")).into(RocksDb::new);
  }

  /**
   * Opens a database for reading alone, with all the column families that it has. Others may have it open: it is read as
   * it was at one moment, and a {@link Follower} reads it at later ones, too.
   *
   * @param folder where it lives
   * @return the database, which the caller <em>owns</em> and must close
   */
  public static RocksDb openReadOnly(Path folder) {
    return openReadOnly(folder, Options.defaults());
  }

  /**
   * Opens a database for reading alone, with all the column families that it has.
   *
   * @param folder where it lives
   * @param options for the database and for each of its column families
   * @return the database, which the caller <em>owns</em> and must close
   */
  public static RocksDb openReadOnly(Path folder, Options options) {
    return Opening.of(DatabaseKind.FOR_READING, folder, options, null).into(RocksDb::new);
  }

  /**
   * Opens a database for reading alone, with some or all of its column families.
   *
   * @param folder where it lives
   * @param options for the database as a whole, and for the default column family unless that is named too
   * @param columnFamilies the options of each column family, by name
   * @return the database, which the caller <em>owns</em> and must close
   */
  public static RocksDb openReadOnly(Path folder, Options options, Map<String, Options> columnFamilies) {
    return Opening.of(DatabaseKind.FOR_READING, folder, options, requireNonNull(columnFamilies, "columnFamilies")).into(RocksDb::new);
  }

  /**
   * Lists the column families of a database, which need not be open.
   *
   * @param folder where it lives
   * @return their names
   */
  public static List<String> columnFamilies(Path folder) {
    return DatabaseOpener.families(FolderPath.of(folder));
  }

  /**
   * Deletes a database, which must not be open, with all its files, which are those in its folder that have names of the
   * engine's. A folder that is not there is no failure; one without a database is refused, and so is one that leads to
   * another folder by a symbolic link. Files of other names stay, and so do logs elsewhere ({@code wal_dir}) if it is not
   * known whose they are.
   *
   * @param folder where it lives
   * @return what is left: nothing if the folder is gone
   */
  public static List<Path> destroy(Path folder) {
    return DatabaseOpener.destroy(FolderPath.of(folder));
  }

  /**
   * A column family of this database.
   *
   * @param name its name
   * @return the family, which the database <em>owns</em>
   */
  public ColumnFamily columnFamily(String name) {
    return families.named(name);
  }

  /**
   * All column families of this database.
   *
   * @return the families, which the database <em>owns</em>
   */
  public List<ColumnFamily> columnFamilies() {
    return families.all();
  }

  /**
   * Creates a column family. If the disk has no room for the options, this fails, but the family is there.
   *
   * @param name a name that the database has not yet
   * @param options for the family
   * @return the family, which the database <em>owns</em>
   */
  public ColumnFamily createColumnFamily(String name, Options options) {
    return families.create(name, options);
  }

  /**
   * Creates many column families. Those with equal options are created by one call of the engine, which writes all
   * options of the database to a file each time: one by one, a thousand families take minutes. If it fails, those that
   * were created before are there.
   *
   * @param families the options of each, by names that the database has not yet
   * @return the families in the order of the map, which the database <em>owns</em>
   */
  public List<ColumnFamily> createColumnFamilies(Map<String, Options> families) {
    return this.families.createAll(families);
  }

  /**
   * A column family of this database, created unless it is there. Threads that ask for one at once get the same.
   *
   * @param name its name
   * @param options for a family that is created; one that is there keeps its own
   * @return the family, which the database <em>owns</em>
   */
  public ColumnFamily columnFamilyOrCreate(String name, Options options) {
    return families.namedOrCreated(name, options);
  }

  /**
   * Creates a column family of the files of another one, which was exported in this process. Where the process ends
   * meanwhile, the database may have the family without any row: drop it then, and import again.
   *
   * @param name a name that the database has not yet
   * @param options for the family: with the order and the merge operator of the exported one, and at least its levels
   * @param exported of any database; it stays
   * @param move whether its files are linked and lose their names in its folder, and not copied; another import of them
   *     fails then
   * @return the family, which the database <em>owns</em>
   */
  public ColumnFamily importColumnFamily(String name, Options options, ExportedFamily exported, boolean move) {
    Views.familyName("name", requireNonNull(name, "name"));
    return families.imported(name, options, requireNonNull(exported, "exported").export(), move);
  }

  /**
   * Drops a column family: from now on the database does without it. An open family can still be read
   * until it is closed; its files are deleted then.
   *
   * @param columnFamily of this database, not the default one
   */
  public void dropColumnFamily(ColumnFamily columnFamily) {
    families.drop(columnFamily);
  }

  /**
   * Makes a copy of the database as it is now, which can be opened like any other. On the same disk, its tables are links to
   * those of this one and take no room until this one does without them. The memtables are written to files first. If
   * it is cut off, nothing is there under the name of the copy. A database whose logs are elsewhere ({@code wal_dir}) has
   * them in the copy's folder: the copy is opened with {@link Options#replaceStored replaceStored("wal_dir")}.
   *
   * @param folder does not exist, or is empty; beside it, a folder of its name with {@code .tmp} behind is in use meanwhile
   */
  public void checkpoint(Path folder) {
    Checkpoint.create(database, FolderPath.of(folder));
  }

  /**
   * Makes a batch that is read above the database until it is written.
   *
   * @return an empty batch, which the caller <em>owns</em> and must close
   */
  public IndexedBatch indexedBatch() {
    NativeIndexedBatch made = NativeIndexedBatch.make(database);
    try {
      return new IndexedBatch(source, path, made);
    } catch (Throwable e) {
      made.close();
      throw e;
    }
  }

  /**
   * The folder that the database lives in.
   *
   * @return an absolute path
   */
  public Path path() {
    return folder;
  }

  /**
   * The number by which the database is told from those that were created elsewhere. Checkpoints and restored backups have
   * that of the database that they are copies of.
   *
   * @return the text of the file IDENTITY
   */
  public String identity() {
    return FileWork.identity(database);
  }

  /**
   * The table files that the database has at the moment, of all column families.
   *
   * @return the files
   */
  public List<LiveFile> liveFiles() {
    return FileWork.live(database).stream().map(LiveFile::of).toList();
  }

  /** {@return the files of the database as a whole, and the work that it does on them by itself} */
  public DatabaseFiles files() {
    return new DatabaseFiles(database);
  }

  /**
   * Reads all table files and looks at the checksums of their blocks; throws {@link RocksDbException} if one is damaged.
   */
  public void verifyChecksums() {
    FileWork.verifyChecksums(database);
  }

  /**
   * Waits until no flush and no compaction is due any more.
   *
   * @param timeout how long at most, after which this throws {@link RocksDbException} with the code TIMED_OUT
   * @param flush whether to write the memtables to files before
   */
  public void waitForCompact(Duration timeout, boolean flush) {
    if (requireNonNull(timeout, "timeout").isNegative() || timeout.isZero()) {
      throw new IllegalArgumentException("timeout: " + timeout + ", but it is longer than nothing");
    }
    FileWork.waitForCompact(database, timeout, flush);
  }

  /**
   * Reads from the log what is written from a number on.
   *
   * @param sequenceNumber of the first write that is wanted; {@link #latestSequenceNumber} plus 1 for those to come
   * @return a reader, which the caller <em>owns</em> and must close
   */
  public LogReader logSince(long sequenceNumber) {
    if (sequenceNumber < 0) {
      throw new IllegalArgumentException("sequenceNumber: " + sequenceNumber + " is below zero");
    }
    return new LogReader(NativeLog.open(database, sequenceNumber), database.token());
  }

  /** The database behind this, for the other classes of this package. */
  Database database() {
    return database;
  }

  /**
   * Flushes all column families, and waits for it: at one moment of the database, if it has {@code atomic_flush}.
   */
  public void flushAll() {
    flushAll(FlushOptions.defaults());
  }

  /**
   * Flushes all column families.
   *
   * @param options for all of them
   */
  public void flushAll(FlushOptions options) {
    requireNonNull(options, "options");
    Flushes.flush(database, families.natives(), options.waitForFlush(), options.allowWriteStall());
  }

  /**
   * Writes what is buffered of the log to its file.
   *
   * @param sync whether to wait until the disk has it
   */
  public void flushWal(boolean sync) {
    Flushes.flushWal(database, sync);
  }

  /**
   * The number of the last write.
   *
   * @return the sequence number
   */
  public long latestSequenceNumber() {
    return database.latestSequenceNumber();
  }

  /**
   * Changes options of the database as a whole while it is open. An option that is not supported is refused by name,
   * and there is no way past: {@link Options#unchecked} is for an opening.
   *
   * @param options the engine's names of options that can be changed, with their values
   */
  public void setDatabaseOptions(Map<String, String> options) {
    LiveOptions.setDatabaseOptions(database, OptionText.copy(options));
  }

  /**
   * All that the engine has counted since the opening, for once a second and not for each call: it is a text of 20 KB.
   *
   * @return the counts of this moment
   * @throws IllegalStateException if the database was opened without {@link Options#statistics}
   */
  public Statistics statistics() {
    return Statistics.of(defaultFamily);
  }

  /**
   * Whether the database takes writes, and how its flushes and compactions keep up. It asks by a write of nothing, which
   * does not wait, and is a record of some 20 bytes in the log: for once a second and not for each call.
   *
   * <p>After a failure such as that of a full disk, the engine tries by itself whether it can go on. A refusal that stays
   * when the cause is mended ends with the next opening.
   *
   * @return the state of this moment
   */
  public Health health() {
    database.requireOpen(); // and a stack with room for a class that is used for the first time
    return Health.of(this, defaultFamily, families.natives());
  }

  /**
   * Figures of all column families that are open.
   *
   * @return for each what {@link #report} tells of one
   */
  public List<FamilyReport> familyReports() {
    database.requireOpen();
    return FamilyFigures.ofAll(families.natives(), family -> FamilyReport.of(FamilyFigures.of(family)));
  }

  /**
   * The kinds of entries in the block caches of all column families that are open, each cache once. Families without a
   * block cache are left out.
   *
   * @param scan how old the answers may be
   * @return for each cache what {@link #cacheReport} tells of one
   */
  public List<CacheReport> cacheReports(CacheScan scan) {
    String property = requireNonNull(scan, "scan").property();
    database.requireOpen();
    return CacheReport.eachOnce(FamilyFigures.ofAll(families.natives(), family -> CacheText.of(family, property)));
  }

  /**
   * The memory that the database uses.
   *
   * @return what all families use at the moment, by kind
   */
  public MemoryReport memory() {
    return MemoryReport.of(families.natives(), pinnedBytes());
  }

  /**
   * How many values are pinned in the database at the moment.
   *
   * @return the count of pinned values and multi-gets that were not released
   */
  public long pinCount() {
    return database.pins().count();
  }

  /**
   * How many bytes the values have that are pinned in the database at the moment. The engine may keep more for them: a
   * whole block of its cache for one of the block's values.
   *
   * @return the sum of their sizes
   */
  public long pinnedBytes() {
    return database.pins().bytes();
  }

  /**
   * How long the oldest pinned value has been so, among those that are watched: one in 1024, or all of them when there
   * is a limit to their age or all leaks are looked for.
   *
   * @return its age, if any is watched
   */
  public Optional<Duration> oldestPin() {
    return database.pins().oldestAge();
  }

  /**
   * Limits how much may be pinned, and for how long. It counts from now on; what is pinned stays.
   *
   * @param limits replace those there were
   */
  public void limitPins(PinLimits limits) {
    requireNonNull(limits, "limits").apply(database.pins());
  }

  /**
   * Closes the database; idempotent, from any thread. New calls are refused at once, those in progress are
   * waited for; then snapshots, cursors, scans and column families are closed, and the engine's database
   * with them.
   *
   * <p>Values that are still pinned stay readable. As long as there are any, the engine keeps the database:
   * its files are locked, and opening it again fails, until the last one is released, which then takes the
   * time of the close. The same goes for a view of a large row that another thread has open.
   */
  @Override
  public void close() {
    database.close();
  }

  @Override
  public String toString() {
    return database.handle().name();
  }
}
