/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm;

import static java.util.Objects.requireNonNull;

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
import org.rocksdbffm.internal.files.FolderMoment;
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
 * Says how a database is to be opened, and opens it. Immutable: each method returns an opening of its own.
 *
 * <pre>{@code
 * RocksDb db = RocksDb.at(folder)
 *     .options(DatabaseOptions.defaults().maxBackgroundJobs(4))
 *     .defaults(FamilyOptions.defaults().compression(Compression.ZSTD))
 *     .family("orders", FamilyOptions.defaults().prefixExtractor(PrefixExtractor.fixed(8)))
 *     .open();
 * }</pre>
 *
 * <p>The database is opened with all the column families that it has. If it does not exist it is created, and so is each
 * family that is named here: unless it {@link #mustExist}, or is opened for reading alone.
 */
public final class Opening {
  private static final int ATTEMPTS = 50; // while another process changes the files
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
   * Sets the options of the database as a whole.
   *
   * @param options take the place of those before
   * @return the changed opening
   */
  public Opening options(DatabaseOptions options) {
    return new Opening(folder, requireNonNull(options, "options"), defaults, named, presence, onlyNamed);
  }

  /**
   * Sets the options of all column families that are not named, the default one among them.
   *
   * @param options take the place of those before
   * @return the changed opening
   */
  public Opening defaults(FamilyOptions options) {
    return new Opening(folder, this.options, requireNonNull(options, "options"), named, presence, onlyNamed);
  }

  /**
   * Names a column family, which has options of its own.
   *
   * @param name its name
   * @param options of this family
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
   * @param families the options of each, by its name
   * @return the changed opening
   */
  public Opening families(Map<String, FamilyOptions> families) {
    Opening changed = this;
    for (var family : requireNonNull(families, "families").entrySet()) {
      String name = requireNonNull(family.getKey(), "families: a name is null");
      Views.familyName("families", name);
      FamilyOptions its = requireNonNull(family.getValue(), () -> "families: the options of " + name + " are null");
      changed = changed.family(name, its);
    }
    return changed;
  }

  /**
   * Opens the named column families alone, and the default one. A database that is opened for writing has all.
   *
   * @return the changed opening, which is for reading
   */
  public Opening onlyNamed() {
    return new Opening(folder, options, defaults, named, presence, true);
  }

  /**
   * Fails if the database does not exist, or a named column family does not.
   *
   * @return the changed opening
   */
  public Opening mustExist() {
    return new Opening(folder, options, defaults, named, Presence.MUST_EXIST, onlyNamed);
  }

  /**
   * Fails if the database exists.
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
   */
  public RocksDb open() {
    return into(DatabaseKind.PLAIN, Map.of(), RocksDb::new);
  }

  /**
   * Opens the database for reading alone. Others may have it open: it is read as it was at one moment.
   *
   * @return the database, which the caller <em>owns</em> and must close
   */
  public RocksDb openReadOnly() {
    return into(DatabaseKind.FOR_READING, Map.of(), RocksDb::new);
  }

  /**
   * Opens the database for reading alone, at one moment and at later ones. With {@link #onlyNamed}, catching up fails when a
   * named family was dropped.
   *
   * @return the follower, which the caller <em>owns</em> and must close
   */
  public Follower openFollower() {
    return new Follower(this);
  }

  /**
   * Opens the database for transactions that lock what they write.
   *
   * @return the database, which the caller <em>owns</em> and must close
   */
  public TransactionDb openTransactional() {
    return openTransactional(TransactionDb.LockOptions.defaults());
  }

  /**
   * Opens the database for transactions that lock what they write.
   *
   * @param locks options of its locks
   * @return the database, which the caller <em>owns</em> and must close
   */
  public TransactionDb openTransactional(TransactionDb.LockOptions locks) {
    return into(DatabaseKind.LOCKING, requireNonNull(locks, "locks").settings, TransactionDb::new);
  }

  /**
   * Opens the database for transactions that find conflicts when they commit.
   *
   * @return the database, which the caller <em>owns</em> and must close
   */
  public OptimisticTransactionDb openOptimistic() {
    return into(DatabaseKind.OPTIMISTIC, Map.of(), OptimisticTransactionDb::new);
  }

  @Override
  public String toString() {
    return "opening of " + folder + " with " + options + ", families " + defaults + named + (presence == Presence.EITHER ? "" : ", " + presence);
  }

  /** Opens it, and hands it to the object that users get; closes it if that cannot be made. */
  <T> T into(DatabaseKind kind, Map<LockSetting, Long> locks, Function<Opened, T> maker) {
    FolderPath path = FolderPath.of(folder);
    if (onlyNamed && !kind.isForReading()) {
      throw new IllegalStateException("onlyNamed: " + path + " is opened for writing, and so with all its column families");
    }
    if (presence == Presence.MUST_NOT_EXIST && kind.isForReading()) {
      throw new IllegalStateException("mustNotExist: " + path + " is opened for reading, and so must exist");
    }
    Opened opened = kind.isForReading() ? atOneMoment(path) : opened(path, kind, locks, null);
    return LeakWatch.owner(opened.database, its -> maker.apply(opened));
  }

  /**
   * Opens it again if another database object has changed its files meanwhile: it may have deleted a log whose rows were not
   * in tables yet when the MANIFEST was read, of which the engine says nothing, and a table, of which it does.
   */
  private Opened atOneMoment(FolderPath path) {
    for (int i = 0; i < ATTEMPTS; i++) {
      FolderMoment before = moment(null);
      try {
        Opened opened = withStoredLogs(path).opened(path, DatabaseKind.FOR_READING, Map.of(), before);
        if (before.lastsUntil(moment(before))) {
          return opened;
        }
        opened.database.close();
      } catch (RocksDbException e) {
        if (before.equals(moment(before))) {
          throw e;
        }
      }
    }
    throw Status.parse("Operation failed. Try again.: its files were changed during each opening", "opening " + path);
  }

  /** Names the log folder of the writer, unless the options name one. */
  private Opening withStoredLogs(FolderPath path) {
    FolderMoment.Folders given = folders();
    if (given.logs() != null || given.replacesStored() || !StoredDatabase.isIn(path.path())) {
      return this;
    }
    Path logs = settled(path, () -> LogFolder.toRead(path.path()));
    return logs.equals(path.path()) ? this : options(options.option(StoredDatabase.WAL_DIR, logs));
  }

  /** The present state of the files; an earlier state saves work, and may be null. */
  FolderMoment moment(FolderMoment before) {
    return FolderMoment.of(folders(), before);
  }

  /** The folders that this opening names. */
  FolderMoment.Folders folders() {
    Path own = folder.toAbsolutePath();
    Path logs = NativeOptions.logFolder(own, options.settings());
    Set<Path> tables = new LinkedHashSet<>(defaults.tableFolders());
    named.values().forEach(its -> tables.addAll(its.tableFolders()));
    boolean replaces = options.replaced().contains(StoredDatabase.WAL_DIR);
    return new FolderMoment.Folders(own, logs.equals(own) ? null : logs, replaces, List.copyOf(tables));
  }

  /** Whether an open database opens some files only when they are read. */
  boolean opensFilesLate(Database database) {
    return options.settings().containsKey("max_open_files")
        || database.families().stream().anyMatch(family -> family.longProperty(BLOB_FILES).orElse(1) > 0);
  }

  private Opened opened(FolderPath path, DatabaseKind kind, Map<LockSetting, Long> locks, FolderMoment moment) {
    StoredDatabase stored = settled(path, () -> StoredDatabase.in(path.path(), options.settings()));
    Map<String, FamilyOptions> families = families(path, stored);
    DatabaseOptions ofDatabase = present(kind);
    if (stored != null) {
      for (var taken : settled(path, () -> stored.requireWhole(kind, options.replaced())).entrySet()) {
        ofDatabase = ofDatabase.set(taken.getKey(), taken.getValue()); // the engine has written it
      }
      families.replaceAll((name, its) -> with(its, settled(path, () -> stored.requireFamily(its.ofFamily(name), true))));
    }
    FamilyOptions ofDefault = families.get(NativeFamily.DEFAULT);
    try (Request request = new Request(path, kind, locks, ofDefault.toNative(kind, ofDatabase))) {
      addFamilies(request, ofDefault, families);
      Database database = DatabaseOpener.open(request);
      try {
        return new Opened(path.path(), database, moment);
      } catch (Throwable e) {
        database.close();
        throw e;
      }
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

  /** The options of all families that are to be opened. */
  private Map<String, FamilyOptions> families(FolderPath path, StoredDatabase stored) {
    Map<String, FamilyOptions> families = new LinkedHashMap<>();
    families.put(NativeFamily.DEFAULT, defaults);
    if (stored != null && !onlyNamed) {
      List<String> known = stored.families();
      (known == null ? FamilyNames.in(path) : known).forEach(name -> families.put(name, defaults));
    }
    families.putAll(named);
    return families;
  }

  private static FamilyOptions with(FamilyOptions options, Map<String, String> taken) {
    FamilyOptions settled = options;
    for (var its : taken.entrySet()) {
      settled = settled.with(its.getKey(), its.getValue(), true); // the engine has written it
    }
    return settled;
  }

  /**
   * The engine makes a block cache along with options: families with the same ones share it, as they do when created. They
   * are known by identity: to compare records for the first time keeps their class loader alive in the JDK.
   */
  private void addFamilies(Request request, FamilyOptions ofDefault, Map<String, FamilyOptions> families) {
    Map<FamilyOptions, NativeOptions> alike = new IdentityHashMap<>(Map.of(ofDefault, request.options()));
    families.forEach((name, options) -> {
      NativeOptions its = alike.get(options);
      if (its == null) {
        its = request.own(options.toNative(request.kind(), request.options().memory()));
        if (!its.isOrderedInJava()) { // each of those lets its own family compact once all are open
          alike.put(options, its);
        }
      }
      request.add(name, its);
    });
  }
}
