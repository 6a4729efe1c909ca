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
  private final Follower lender; // which closes it; null if a user owns it

  RocksDb(Opened opened) {
    this(opened, null);
  }

  RocksDb(Opened opened, Follower lender) {
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
   * Opens a database with all the column families that it has, and creates it if it does not exist.
   *
   * @param folder where it lives
   * @return the database, which the caller <em>owns</em> and must close
   */
  public static RocksDb open(Path folder) {
    return at(folder).open();
  }

  /**
   * Begins to say how a database is to be opened: with which options, and whether for reading or for transactions.
   *
   * @param folder where it lives
   * @return an opening, with the engine's defaults
   */
  public static Opening at(Path folder) {
    return Opening.at(folder);
  }

  /**
   * Lists the column families of a database, which need not be open.
   *
   * @param folder where it lives
   * @return their names
   */
  public static List<String> families(Path folder) {
    return FamilyNames.in(FolderPath.of(folder));
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
    return Destruction.run(FolderPath.of(folder));
  }

  /**
   * A column family of this database.
   *
   * @param name its name
   * @return the family, which the database <em>owns</em>
   */
  public ColumnFamily family(String name) {
    return families.named(name);
  }

  /**
   * All column families of this database.
   *
   * @return the families, which the database <em>owns</em>
   */
  public List<ColumnFamily> families() {
    return families.all();
  }

  /**
   * Creates a column family. If the disk has no room for the options, this fails, but the family is there.
   *
   * @param name a name that the database has not yet
   * @param options for the family
   * @return the family, which the database <em>owns</em>
   */
  public ColumnFamily createFamily(String name, FamilyOptions options) {
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
  public List<ColumnFamily> createFamilies(Map<String, FamilyOptions> families) {
    return this.families.createAll(families);
  }

  /**
   * A column family of this database, created unless it is there. Threads that ask for one at once get the same.
   *
   * @param name its name
   * @param options for a family that is created; one that is there keeps its own
   * @return the family, which the database <em>owns</em>
   */
  public ColumnFamily familyOrCreate(String name, FamilyOptions options) {
    return families.namedOrCreated(name, options);
  }

  /**
   * Creates a column family of the files of another one, which was exported in this process. Where the process ends
   * meanwhile, the database may have the family without any row: drop it then, and import again.
   *
   * @param name a name that the database has not yet
   * @param options for the family: with the order and the merge operator of the exported one, and at least its levels
   * @param exported of any database; it stays
   * @param transfer whether its files are copied or moved
   * @return the family, which the database <em>owns</em>
   */
  public ColumnFamily importFamily(String name, FamilyOptions options, FamilyFiles.ExportedFamily exported, FamilyFiles.ExportedFamily.Transfer transfer) {
    Views.familyName("name", requireNonNull(name, "name"));
    return families.imported(name, options, requireNonNull(exported, "exported").export(), requireNonNull(transfer, "transfer") == FamilyFiles.ExportedFamily.Transfer.MOVE);
  }

  /**
   * Drops a column family: from now on the database does without it. An open family can still be read
   * until it is closed; its files are deleted then.
   *
   * @param family of this database, not the default one
   */
  public void dropFamily(ColumnFamily family) {
    families.drop(family);
  }

  /**
   * Makes a batch that is read above the database until it is written.
   *
   * @return an empty batch, which the caller <em>owns</em> and must close
   */
  public IndexedBatch indexedBatch() {
    return LeakWatch.owner(NativeIndexedBatch.make(database), made -> new IndexedBatch(source, path, made));
  }

  /**
   * The folder that the database lives in.
   *
   * @return an absolute path
   */
  public Path path() {
    return folder;
  }

  /** {@return the files of the database, and of its default column family} */
  @Override
  public DatabaseFiles files() {
    StackRoom.require(); // a class that is initialized at the end of a stack stays unusable
    return new DatabaseFiles(database, defaultFamily, this);
  }

  /** {@return figures of the database, and of its default column family} */
  @Override
  public DatabaseMetrics metrics() {
    StackRoom.require(); // a class that is initialized at the end of a stack stays unusable
    return new DatabaseMetrics(this, defaultFamily, families);
  }

  /** {@return the values that are pinned in the database} */
  public Pins pins() {
    StackRoom.require(); // a class that is initialized at the end of a stack stays unusable
    return new Pins(database.pins());
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
   * Changes options of the database as a whole while it is open. An option that is not supported is refused by name,
   * and there is no way past: {@link DatabaseOptions#unchecked} is for an opening.
   *
   * @param options the engine's names of options that can be changed, with their values
   */
  public void setDatabaseOptions(Map<String, String> options) {
    LiveOptions.setDatabaseOptions(database, OptionText.copy(options));
  }

  /**
   * Closes the database; idempotent, from any thread. New calls are refused at once, those in progress are
   * waited for; then snapshots, cursors, scans and column families are closed, and the engine's database
   * with them.
   *
   * <p>Values that are still pinned stay readable. As long as there are any, the engine keeps the database:
   * its files are locked, and opening it again fails, until the last one is released, which then takes the
   * time of the close. The same goes for a view of a large row that another thread has open.
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
