/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm;

import static java.util.Objects.requireNonNull;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.rocksdbffm.internal.db.Database;
import org.rocksdbffm.internal.db.NativeFamily;
import org.rocksdbffm.internal.folder.Destruction;
import org.rocksdbffm.internal.folder.FolderPath;
import org.rocksdbffm.internal.foreign.StackRoom;
import org.rocksdbffm.internal.leak.LeakWatch;
import org.rocksdbffm.internal.opening.FamilyNames;
import org.rocksdbffm.internal.options.table.OptionText;
import org.rocksdbffm.internal.read.ReadPath;
import org.rocksdbffm.internal.transaction.NativeIndexedBatch;
import org.rocksdbffm.internal.upkeep.DiskRecovery;
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

  private final Path folder;
  private final Database database;
  private final NativeFamily defaultFamily;
  private final FamilyRegistry families;
  private final Follower lender; // the follower that closes this database; null if the program owns it

  RocksDb(DatabaseParts opened) {
    this(opened, null);
  }

  RocksDb(DatabaseParts opened, Follower lender) {
    super(
        ReadPath.of(opened.families.getFirst(), opened.readDefaults, null),
        ReadOptions.defaults(),
        opened.writeDefaults);
    this.folder = opened.folder;
    this.database = opened.database;
    this.defaultFamily = opened.families.getFirst();
    this.families = new FamilyRegistry(opened);
    this.lender = lender;
  }

  /**
   * Opens a database with all its column families, and creates it if it does not exist.
   *
   * @param folder the database folder
   * @return the database, which the caller <em>owns</em> and must close
   * @throws RocksDbException if the database cannot be opened
   */
  public static RocksDb open(Path folder) {
    return at(folder).open();
  }

  /**
   * Opens a database read-only, as {@link Opening#openReadOnly} does with the engine's defaults.
   *
   * @param folder the database folder, which must exist
   * @return the database, which the caller <em>owns</em> and must close
   * @throws RocksDbException if the database cannot be opened
   */
  public static RocksDb openReadOnly(Path folder) {
    return at(folder).openReadOnly();
  }

  /**
   * Returns an opening, on which options, read-only access or transactions can be chosen.
   *
   * @param folder the database folder
   * @return an opening with the engine's defaults
   */
  public static Opening at(Path folder) {
    return Opening.at(folder);
  }

  /**
   * Lists the column families of a database, which need not be open.
   *
   * @param folder the database folder
   * @return their names
   * @throws RocksDbException if there is no database, or it cannot be read
   */
  public static List<String> families(Path folder) {
    return FamilyNames.in(FolderPath.of(folder));
  }

  /**
   * Deletes a database, which must not be open: all files in its folder with names that the engine uses. A missing
   * folder is no failure; a folder without a database is refused, and so is a symbolic link to another folder. Other
   * files stay, and so does the WAL in another folder ({@code wal_dir}) if its owner is unknown.
   *
   * @param folder the database folder
   * @return the files that are left; empty if the folder was deleted
   * @throws RocksDbException if the folder is in use, or contains no database
   */
  public static List<Path> destroy(Path folder) {
    return Destruction.run(FolderPath.of(folder));
  }

  /**
   * Returns a column family of this database.
   *
   * @param name the name of the column family
   * @return the family, which the database <em>owns</em>
   * @throws IllegalArgumentException if there is no such column family
   */
  public ColumnFamily family(String name) {
    return families.named(name);
  }

  /**
   * Returns all column families of this database.
   *
   * @return the families, which the database <em>owns</em>
   */
  public List<ColumnFamily> families() {
    return families.all();
  }

  /**
   * Creates a column family. If the disk has no space for the options, this fails, but the family exists.
   *
   * @param name a name that the database does not have yet
   * @param options the options of the column family
   * @return the family, which the database <em>owns</em>
   * @throws IllegalArgumentException if an option is not supported
   * @throws RocksDbException if the engine fails, or the database is read-only (NOT_SUPPORTED)
   * @throws IllegalStateException if the database is closed
   */
  public ColumnFamily createFamily(String name, FamilyOptions options) {
    return families.create(name, options);
  }

  /**
   * Creates many column families. Families with equal options are created by one engine call, because each call writes
   * all options of the database to a file: a thousand calls would take minutes. After a failure, some of the families
   * may exist.
   *
   * @param families the options by name; the database must not have these names yet
   * @return the families in the order of the map, which the database <em>owns</em>
   * @throws IllegalArgumentException if an option is not supported
   * @throws RocksDbException if the engine fails, or the database is read-only (NOT_SUPPORTED)
   * @throws IllegalStateException if the database is closed
   */
  public List<ColumnFamily> createFamilies(Map<String, FamilyOptions> families) {
    return this.families.createAll(families);
  }

  /**
   * Returns a column family of this database, and creates it if it does not exist. Concurrent calls with one name
   * return the same family.
   *
   * @param name the name of the column family
   * @param options the options of a family that is created; an existing family keeps its options
   * @return the family, which the database <em>owns</em>
   * @throws IllegalArgumentException if an option is not supported
   * @throws RocksDbException if the engine fails, or the database is read-only (NOT_SUPPORTED)
   * @throws IllegalStateException if the database is closed
   */
  public ColumnFamily familyOrCreate(String name, FamilyOptions options) {
    return families.namedOrCreated(name, options);
  }

  /**
   * Creates a column family from the files of an export in this process. If the process ends during the import, the
   * database may have the family without rows: then drop it, and import again.
   *
   * @param name a name that the database does not have yet
   * @param options the options of the column family: with the comparator and the merge operator of the exported family,
   *     and at least as many levels
   * @param exported an export of any database; not closed by this
   * @param transfer whether its files are copied or moved
   * @return the family, which the database <em>owns</em>
   * @throws RocksDbException if the files do not match the options, or the engine fails
   * @throws IllegalStateException if the database or the export is closed
   */
  public ColumnFamily importFamily(String name, FamilyOptions options, FamilyFiles.ExportedFamily exported, FamilyFiles.ExportedFamily.Transfer transfer) {
    Views.familyName("name", requireNonNull(name, "name"));
    return families.imported(name, options, requireNonNull(exported, "exported").export(), requireNonNull(transfer, "transfer") == FamilyFiles.ExportedFamily.Transfer.MOVE);
  }

  /**
   * Drops a column family. While it is open it can still be read; its files are deleted when it is closed.
   *
   * @param family a family of this database, but not the default one
   * @throws IllegalArgumentException if the column family belongs to another database
   * @throws RocksDbException if the engine fails, or the database is read-only (NOT_SUPPORTED)
   * @throws IllegalStateException if the database is closed, or a prepared transaction has written to the column family
   */
  public void dropFamily(ColumnFamily family) {
    families.drop(family);
  }

  /**
   * Creates an indexed batch, which can be read before it is written.
   *
   * @return an empty batch, which the caller <em>owns</em> and must close
   * @throws IllegalStateException if the database is closed
   */
  public IndexedBatch indexedBatch() {
    return LeakWatch.owner(NativeIndexedBatch.make(database), made -> new IndexedBatch(this, made));
  }

  /**
   * Returns the database folder.
   *
   * @return an absolute path
   */
  public Path path() {
    return folder;
  }

  /** {@return the files of the database and of its default column family} */
  @Override
  public DatabaseFiles files() {
    StackRoom.require(); // a class whose initialization overflows the stack stays unusable
    return new DatabaseFiles(database, defaultFamily, this);
  }

  /** {@return metrics of the database and of its default column family} */
  @Override
  public DatabaseMetrics metrics() {
    StackRoom.require(); // a class whose initialization overflows the stack stays unusable
    return new DatabaseMetrics(this, defaultFamily, families);
  }

  /** {@return the pinned values of the database} */
  public Pins pins() {
    StackRoom.require(); // a class whose initialization overflows the stack stays unusable
    return new Pins(database.pins());
  }

  /** Returns the internal database, for other classes of this package. */
  Database database() {
    return database;
  }

  /**
   * Flushes all column families, and waits for it; atomically if {@code atomic_flush} is set. Skips families that are
   * dropped concurrently.
   *
   * @throws RocksDbException if the engine fails, or the database is read-only (NOT_SUPPORTED)
   * @throws IllegalStateException if the database is closed, or its background work is paused
   */
  public void flushAll() {
    flushAll(FlushOptions.defaults());
  }

  /**
   * Flushes all column families.
   *
   * @param options options of the flush
   * @throws RocksDbException if the engine fails, or the database is read-only (NOT_SUPPORTED)
   * @throws IllegalStateException if the database is closed, or its background work is paused
   */
  public void flushAll(FlushOptions options) {
    requireNonNull(options, "options");
    Flushes.flush(database, families.natives(), options.waitForFlush(), options.allowWriteStall());
  }

  /**
   * Resumes writes that the engine refuses since a failure, after its cause was removed; does nothing if they are not
   * refused. The engine retries some failures itself, and refuses this during its attempts; for a full disk, see
   * {@link DatabaseOptions#resumeWithRoom}.
   *
   * @throws RocksDbException with the failure if it still lasts, or is permanent, so that the database must be opened
   *     again; with the code BUSY while the engine itself tries to resume
   * @throws IllegalStateException if the database is closed, or its background work is paused
   */
  public void resume() {
    DiskRecovery.resume(database);
  }

  /**
   * Changes database options of the open database. Options that are not supported are refused;
   * {@link DatabaseOptions#unchecked} applies only to an opening.
   *
   * @param options new values by the engine's names of options that can be changed
   * @throws IllegalArgumentException if an option is unknown, or cannot be changed to this value
   * @throws RocksDbException if the engine fails, or the database is read-only (NOT_SUPPORTED)
   * @throws IllegalStateException if the database is closed
   */
  public void setDatabaseOptions(Map<String, String> options) {
    LiveOptions.setDatabaseOptions(database, OptionText.copy(options));
  }

  /**
   * Closes the database; idempotent, from any thread. Refuses new calls immediately, and waits for calls in progress;
   * then closes snapshots, cursors, scans and column families, and the engine's database.
   *
   * <p>Pinned values stay readable. While there are any, the engine keeps the database open: its files are locked, and
   * it cannot be opened again, until the last of them is released, which then takes the time of the close. The same
   * applies to a view of a large row that another thread has open.
   *
   * @throws IllegalStateException if the database is borrowed from {@link Follower#read}; only the follower closes it
   */
  @Override
  public void close() {
    if (lender != null) {
      throw new IllegalStateException(this + " is borrowed from a follower: close the follower (Follower.close)");
    }
    database.close();
  }

  @Override
  public String toString() {
    return database.handle().name();
  }
}
