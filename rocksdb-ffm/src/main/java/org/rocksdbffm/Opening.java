/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.nio.file.Path;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.rocksdbffm.internal.call.Status;
import org.rocksdbffm.internal.db.Database;
import org.rocksdbffm.internal.db.NativeFamily;
import org.rocksdbffm.internal.files.FolderState;
import org.rocksdbffm.internal.folder.FolderPath;
import org.rocksdbffm.internal.folder.LogFolder;
import org.rocksdbffm.internal.folder.Refused;
import org.rocksdbffm.internal.folder.StoredDatabase;
import org.rocksdbffm.internal.leak.LeakWatch;
import org.rocksdbffm.internal.opening.DatabaseOpener;
import org.rocksdbffm.internal.opening.FamilyNames;
import org.rocksdbffm.internal.opening.Request;
import org.rocksdbffm.internal.options.DatabaseKind;
import org.rocksdbffm.internal.settings.LockSetting;
import org.rocksdbffm.internal.settings.NativeOptions;

/**
 * Options of an opening, and the opening itself. Immutable: each method returns a changed opening.
 *
 * <pre>{@code
 * RocksDb db = RocksDb.at(folder)
 *     .options(DatabaseOptions.defaults().maxBackgroundJobs(4))
 *     .defaults(FamilyOptions.defaults().compression(Compression.ZSTD))
 *     .family("orders", FamilyOptions.defaults().prefixExtractor(PrefixExtractor.fixed(8)))
 *     .open();
 * }</pre>
 *
 * <p>The database is opened with all its column families. If it does not exist it is created, and so is each family
 * that is named here, unless {@link #mustExist} is set, or it is opened read-only.
 */
public final class Opening {
  private static final int ATTEMPTS = 50; // if another process changes the files
  private static final String BLOB_FILES = "rocksdb.num-blob-files";

  private final Path folder;
  private final DatabaseOptions options;
  private final FamilyOptions defaults;
  private final Map<String, FamilyOptions> named;
  private final Presence presence;
  private final boolean onlyNamed;

  private enum Presence {
    EITHER,
    MUST_EXIST,
    MUST_NOT_EXIST
  }

  private Opening(
      Path folder,
      DatabaseOptions options,
      FamilyOptions defaults,
      Map<String, FamilyOptions> named,
      Presence presence,
      boolean onlyNamed) {
    this.folder = folder;
    this.options = options;
    this.defaults = defaults;
    this.named = named;
    this.presence = presence;
    this.onlyNamed = onlyNamed;
  }

  static Opening at(Path folder) {
    return new Opening(
        requireNonNull(folder, "folder"), DatabaseOptions.defaults(), FamilyOptions.defaults(), Map.of(), Presence.EITHER, false);
  }

  /**
   * Sets the database options.
   *
   * @param options replace earlier ones
   * @return the changed opening
   */
  public Opening options(DatabaseOptions options) {
    return new Opening(folder, requireNonNull(options, "options"), defaults, named, presence, onlyNamed);
  }

  /**
   * Sets the options of all column families that are not named, including the default one.
   *
   * @param options replace earlier ones
   * @return the changed opening
   */
  public Opening defaults(FamilyOptions options) {
    return new Opening(folder, this.options, requireNonNull(options, "options"), named, presence, onlyNamed);
  }

  /**
   * Names a column family with separate options.
   *
   * @param name the name of the column family
   * @param options the options of the column family
   * @return the changed opening
   */
  public Opening family(String name, FamilyOptions options) {
    requireNonNull(name, "name");
    Views.familyName("name", name);
    Map<String, FamilyOptions> more = new LinkedHashMap<>(named);
    more.put(name, requireNonNull(options, "options"));
    return new Opening(folder, this.options, defaults, more, presence, onlyNamed);
  }

  /**
   * Names column families, as {@link #family} does.
   *
   * @param families the options by name
   * @return the changed opening
   */
  public Opening families(Map<String, FamilyOptions> families) {
    Opening changed = this;
    for (var family : requireNonNull(families, "families").entrySet()) {
      String name = requireNonNull(family.getKey(), "families: a name is null");
      Views.familyName("families", name);
      FamilyOptions familyOptions =
          requireNonNull(family.getValue(), () -> "families: the options of " + name + " are null");
      changed = changed.family(name, familyOptions);
    }
    return changed;
  }

  /**
   * Opens only the named column families and the default one. Only for reading: a database that is opened for writing
   * needs all families.
   *
   * @return the changed opening
   */
  public Opening onlyNamed() {
    return new Opening(folder, options, defaults, named, presence, true);
  }

  /**
   * Makes the opening fail if the database, or a named column family, does not exist.
   *
   * @return the changed opening
   */
  public Opening mustExist() {
    return new Opening(folder, options, defaults, named, Presence.MUST_EXIST, onlyNamed);
  }

  /**
   * Makes the opening fail if the database exists.
   *
   * @return the changed opening
   */
  public Opening mustNotExist() {
    return new Opening(folder, options, defaults, named, Presence.MUST_NOT_EXIST, onlyNamed);
  }

  /**
   * Opens the database.
   *
   * @return the database, which the caller <em>owns</em> and must close
   * @throws RocksDbException if the database cannot be opened
   * @throws IllegalArgumentException if an option is unknown or not supported
   */
  public RocksDb open() {
    return into(DatabaseKind.PLAIN, Map.of(), RocksDb::new);
  }

  /**
   * Opens the database read-only. Other processes may have the database open; reads see the database's state at this
   * opening. The WAL is read in the writer's {@code wal_dir}, as by a {@link Follower}.
   *
   * @return the database, which the caller <em>owns</em> and must close
   * @throws RocksDbException if the database cannot be opened
   * @throws IllegalArgumentException if an option is unknown or not supported
   */
  public RocksDb openReadOnly() {
    return into(DatabaseKind.FOR_READING, Map.of(), RocksDb::new);
  }

  /**
   * Opens a follower, which reads the database at one point in time, and later ones. With {@link #onlyNamed}, a
   * catch-up fails if a named family was dropped.
   *
   * @return the follower, which the caller <em>owns</em> and must close
   * @throws RocksDbException if the database cannot be opened
   * @throws IllegalArgumentException if an option is unknown or not supported
   */
  public Follower openFollower() {
    return new Follower(this);
  }

  /**
   * Opens the database with pessimistic transactions, which lock the keys that they write.
   *
   * @return the database, which the caller <em>owns</em> and must close
   * @throws RocksDbException if the database cannot be opened
   * @throws IllegalArgumentException if an option is unknown or not supported
   */
  public TransactionDb openTransactional() {
    return openTransactional(TransactionDb.LockOptions.defaults());
  }

  /**
   * Opens the database with pessimistic transactions, which lock the keys that they write.
   *
   * @param locks options of the locks
   * @return the database, which the caller <em>owns</em> and must close
   * @throws RocksDbException if the database cannot be opened
   * @throws IllegalArgumentException if an option is unknown or not supported
   */
  public TransactionDb openTransactional(TransactionDb.LockOptions locks) {
    return into(DatabaseKind.LOCKING, requireNonNull(locks, "locks").settings, TransactionDb::new);
  }

  /**
   * Opens the database with optimistic transactions, which detect conflicts at the commit.
   *
   * @return the database, which the caller <em>owns</em> and must close
   * @throws RocksDbException if the database cannot be opened
   * @throws IllegalArgumentException if an option is unknown or not supported
   */
  public OptimisticTransactionDb openOptimistic() {
    return into(DatabaseKind.OPTIMISTIC, Map.of(), OptimisticTransactionDb::new);
  }

  @Override
  public String toString() {
    String text = options.toString() + defaults;
    return "opening of " + folder
        + (text.isEmpty() ? "" : " with " + text)
        + (named.isEmpty() ? "" : ", families " + named)
        + (presence == Presence.EITHER ? "" : ", " + presence);
  }

  /** Opens the database, and creates the user's object; closes the database if that fails. */
  <T> T into(DatabaseKind kind, Map<LockSetting, Long> locks, Function<DatabaseParts, T> maker) {
    FolderPath path = FolderPath.of(folder);
    if (onlyNamed && !kind.isForReading()) {
      throw new IllegalStateException("onlyNamed: " + path + " is opened for writing, and so with all its column families");
    }
    if (presence == Presence.MUST_NOT_EXIST && kind.isForReading()) {
      throw new IllegalStateException("mustNotExist: " + path + " is opened for reading, and so must exist");
    }
    DatabaseParts opened =
        options.withKeys(() -> kind.isForReading() ? atOnePoint(path) : opened(path, path.real(), kind, locks, null));
    try {
      return maker.apply(opened);
    } catch (Throwable e) {
      opened.database.closeForgotten();
      throw e;
    }
  }

  /**
   * Opens the database again if its files were changed concurrently: the writer may have deleted a WAL file whose rows
   * were not in tables when the MANIFEST was read, which the engine does not report, or a table, which it reports.
   */
  private DatabaseParts atOnePoint(FolderPath path) {
    for (int i = 0; i < ATTEMPTS; i++) {
      FolderState before = currentState(null);
      try {
        FolderPath real = FolderPath.of(before.folder());
        DatabaseParts opened =
            withStoredLogs(path, real).opened(path, real, DatabaseKind.FOR_READING, Map.of(), before);
        if (before.lastsUntil(currentState(before))) {
          return opened;
        }
        opened.database.close();
      } catch (RocksDbException e) {
        if (before.equals(currentState(before))) {
          throw e;
        }
      }
    }
    throw Status.parse("Operation failed. Try again.: its files were changed during each opening", "opening " + path);
  }

  /** Returns the opening with the writer's WAL folder, unless the options set one. */
  private Opening withStoredLogs(FolderPath path, FolderPath real) {
    FolderState.Folders given = folders();
    if (given.logs() != null || given.replacesStored() || !StoredDatabase.isIn(real.path())) {
      return this;
    }
    Path logs = settled(path, () -> LogFolder.toRead(real.path()));
    return logs.equals(real.path()) ? this : options(options.option(StoredDatabase.WAL_DIR, logs));
  }

  /** Returns the current state of the files; {@code before} is an earlier state that saves work, or null. */
  FolderState state(FolderState before) {
    return options.withKeys(() -> currentState(before));
  }

  private FolderState currentState(FolderState before) {
    return FolderState.of(folders(), before);
  }

  /** Returns the folders that the options name. */
  FolderState.Folders folders() {
    Path own = folder.toAbsolutePath();
    Path logs = NativeOptions.logFolder(own, options.settings());
    Set<Path> tables = new LinkedHashSet<>(defaults.tableFolders());
    named.values().forEach(familyOptions -> tables.addAll(familyOptions.tableFolders()));
    boolean replaces = options.replaced().contains(StoredDatabase.WAL_DIR);
    return new FolderState.Folders(own, logs.equals(own) ? null : logs, replaces, List.copyOf(tables));
  }

  /** Whether an open database may open some files only when they are read. */
  boolean opensFilesLate(Database database) {
    return options.settings().containsKey("max_open_files")
        || database.families().stream().anyMatch(family -> family.longProperty(BLOB_FILES).orElse(1) > 0);
  }

  private DatabaseParts opened(
      FolderPath path, FolderPath real, DatabaseKind kind, Map<LockSetting, Long> locks, FolderState state) {
    StoredDatabase stored = stored(path, real);
    Map<String, FamilyOptions> families = families(real, stored);
    DatabaseOptions ofDatabase = present(kind);
    if (stored != null) {
      for (var taken : settled(path, () -> stored.requireWhole(kind, options.replaced())).entrySet()) {
        ofDatabase = ofDatabase.set(taken.getKey(), taken.getValue()); // a value that the engine has written
      }
      for (var family : families.entrySet()) {
        FamilyOptions given = family.getValue();
        family.setValue(with(given, settled(path, () -> stored.requireFamily(given.ofFamily(family.getKey()), true))));
      }
    }
    FamilyOptions ofDefault = families.get(NativeFamily.DEFAULT);
    try (Request request = new Request(path, real, kind, locks, ofDefault.toNative(kind, ofDatabase))) {
      addFamilies(request, ofDefault, families);
      Database database = DatabaseOpener.open(request);
      try {
        return new DatabaseParts(path.path(), database, state);
      } catch (Throwable e) {
        database.close();
        throw e;
      }
    }
  }

  private StoredDatabase stored(FolderPath path, FolderPath real) {
    try {
      return StoredDatabase.in(real.path(), options.settings());
    } catch (IOException e) {
      throw Refused.toUser("opening " + path, e);
    }
  }

  private DatabaseOptions present(DatabaseKind kind) {
    if (kind.isForReading() || presence == Presence.MUST_EXIST) {
      return options;
    }
    DatabaseOptions created = options.set("create_if_missing", "true");
    created = named.isEmpty() ? created : created.set("create_missing_column_families", "true");
    return presence == Presence.EITHER ? created : created.set("error_if_exists", "true");
  }

  private static <T> T settled(FolderPath path, Refused.Step<T> step) {
    return Refused.settled("opening " + path, step);
  }

  /** Returns the options of all families to open. */
  private Map<String, FamilyOptions> families(FolderPath path, StoredDatabase stored) {
    Map<String, FamilyOptions> families = new LinkedHashMap<>();
    families.put(NativeFamily.DEFAULT, defaults);
    if (stored != null && !onlyNamed) {
      List<String> known = stored.families();
      for (String name : known == null ? FamilyNames.in(path) : known) {
        families.put(name, defaults);
      }
    }
    families.putAll(named);
    return families;
  }

  private static FamilyOptions with(FamilyOptions options, Map<String, String> taken) {
    FamilyOptions settled = options;
    for (var entry : taken.entrySet()) {
      settled = settled.with(entry.getKey(), entry.getValue(), true); // a value that the engine has written
    }
    return settled;
  }

  /**
   * RocksDB creates a block cache with the options, so families with the same options object share one, as when they
   * are created. Options are compared by identity: the JDK keeps a record's class loader alive after the first
   * {@code equals}.
   */
  private void addFamilies(Request request, FamilyOptions ofDefault, Map<String, FamilyOptions> families) {
    Map<FamilyOptions, NativeOptions> alike = new IdentityHashMap<>(Map.of(ofDefault, request.options()));
    for (var family : families.entrySet()) {
      NativeOptions made = alike.get(family.getValue());
      if (made == null) {
        made = request.own(family.getValue().toNative(request.kind(), request.options().memory()));
        if (!made.isOrderedInJava()) { // each enables its family's compactions later
          alike.put(family.getValue(), made);
        }
      }
      request.add(family.getKey(), made);
    }
  }
}
