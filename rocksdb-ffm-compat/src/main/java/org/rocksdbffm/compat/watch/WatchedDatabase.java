/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.compat.watch;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.lang.foreign.MemorySegment;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import org.rocksdb.ColumnFamilyHandle;
import org.rocksdb.OptimisticTransactionDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.TransactionDB;
import org.rocksdbffm.compat.lifetime.Closing;
import org.rocksdbffm.compat.lifetime.Guard;
import org.rocksdbffm.compat.lifetime.Lifecycle;
import org.rocksdbffm.compat.lifetime.OpenObjects;
import org.rocksdbffm.compat.membership.MappedFamilies;
import org.rocksdbffm.compat.membership.Membership;
import org.rocksdbffm.compat.support.FamilyHandles;
import org.rocksdbffm.internal.call.Call;
import org.rocksdbffm.internal.jfr.FlightRecords;
import org.rocksdbffm.internal.watch.OpenDatabase;
import org.rocksdbffm.internal.watch.OpenDatabases;
import org.rocksdbffm.internal.watch.OpenStatistics;

/**
 * A database of the drop-in, as seen by Flight Recorder events and metrics. Contains the column families of which the
 * program has open handles. Thread-safe.
 */
public final class WatchedDatabase implements OpenDatabase, Lifecycle {
  static {
    OpenDatabases.countObjectsBy(
        taker -> OpenObjects.counts().forEach((name, count) -> taker.take(name, count, 0)));
  }

  /** The system property that names a store for archives. Without it, no class of archives is loaded. */
  static final String ARCHIVE = "org.rocksdbffm.compat.archive";

  private static final boolean IS_ARCHIVED = System.getProperty(ARCHIVE) != null;

  /** Databases that the engine has opened, by pointer, until their Java objects exist. */
  private static final Map<Long, Opening> OPENED = new ConcurrentHashMap<>();

  private final Guard guard;
  private final String path;
  private final OpenStatistics statistics; // null if the database has no statistics
  private final Archives archive; // null if the database is not archived
  private final Family defaults = new Family(null, 0, "default");

  // Families by handle, to call the engine once for each. Guarded by the map's monitor.
  private final Map<Guard, Family> known = new HashMap<>();

  private record Opening(String path, OpenStatistics statistics, boolean isArchived) {}

  private WatchedDatabase(Guard guard, Opening opening) {
    this.guard = guard;
    this.path = opening.path;
    this.statistics = opening.statistics;
    this.archive = opening.isArchived ? Archives.start(guard, opening.path) : null;
  }

  /**
   * Records the path of an opened database, and whether the program can write it; takes ownership of options with its
   * statistics, 0 for none.
   */
  public static void isAt(long pointer, String path, boolean isWritable, long options) {
    OpenStatistics statistics = options == 0 ? null : new OpenStatistics(MemorySegment.ofAddress(options));
    Opening opening = new Opening(path, statistics, isWritable && IS_ARCHIVED);
    Opening failed = OPENED.put(pointer, opening); // left by an opening that failed later
    if (failed != null && failed.statistics != null) {
      failed.statistics.close();
    }
  }

  /** Throws if a database that is opened for writing is to be archived, and cannot be. */
  public static void requireArchive() throws RocksDBException {
    if (IS_ARCHIVED) {
      Archives.require();
    }
  }

  /** Creates the watched database for a guard that has received its pointer. */
  public static void opened(Guard guard) {
    Opening opening = OPENED.remove(guard.pointer());
    WatchedDatabase watched =
        new WatchedDatabase(
            guard, opening == null ? new Opening(Membership.path(guard.pointer()), null, false) : opening);
    guard.lives(watched);
    OpenDatabases.add(watched);
  }

  /** An action with an open handle of a column family. */
  public interface FamilyUse {
    void use(long family) throws RocksDBException;
  }

  /** Runs an action with the column family of an ID, if the database has an open handle of it. */
  public static void useFamily(long db, int number, FamilyUse use) throws RocksDBException {
    for (Guard handle : at(db).handles()) {
      try (Call _ = handle.enter()) {
        if (FamilyHandles.number(handle.pointer()) == number) {
          use.use(handle.pointer());
          return;
        }
      } catch (IllegalStateException closed) {
        continue;
      }
    }
  }

  /** Whether a database is a TransactionDB or an OptimisticTransactionDB. */
  public static boolean hasTransactions(long db) {
    Guard guard = at(db).guard;
    return guard.isOfType(TransactionDB.class) || guard.isOfType(OptimisticTransactionDB.class);
  }

  private static WatchedDatabase at(long db) {
    for (OpenDatabase open : OpenDatabases.all()) {
      if (open instanceof WatchedDatabase watched && watched.guard.pointer() == db) {
        return watched;
      }
    }
    throw new AssertionError("no database is open at 0x" + Long.toHexString(db));
  }

  @Override
  public void closing() {
    if (archive != null) {
      archive.stop();
    }
  }

  @Override
  public void freed() {
    OpenDatabases.remove(this);
  }

  /** Waits for the engine's background work; then destroys the handles that the program has closed. */
  @Override
  public void endUses(Runnable end) {
    Closing.ofDatabase(
        guard.name(),
        () -> {
          end.run();
          MappedFamilies.destroyClosed(guard);
        });
  }

  /** Destroys the database, and records an event if a recording is running. */
  @Override
  public void destroy(Runnable destruction) {
    long began = FlightRecords.begin();
    destruction.run();
    if (statistics != null) {
      statistics.close();
    }
    FlightRecords.closed(path, began, 0);
  }

  @Override
  public String path() {
    return path;
  }

  @Override
  public List<Family> families() {
    List<Guard> handles = handles();
    Map<Integer, Family> found = new TreeMap<>(Map.of(0, defaults)); // a family may have several handles
    synchronized (known) {
      known.keySet().retainAll(Set.copyOf(handles));
      for (Guard handle : handles) {
        Family family = known.computeIfAbsent(handle, this::family);
        if (family != null) {
          found.putIfAbsent(family.number, family);
        }
      }
    }
    return List.copyOf(found.values());
  }

  private List<Guard> handles() {
    return guard.children().stream()
        .filter(child -> child.isOfType(ColumnFamilyHandle.class) && !child.isClosing())
        .toList();
  }

  /** Returns the family of a handle; null if the handle was closed. */
  private Family family(Guard handle) {
    try (Call _ = handle.enter()) {
      long pointer = handle.pointer();
      return new Family(handle, FamilyHandles.number(pointer), new String(FamilyHandles.name(pointer), UTF_8));
    } catch (IllegalStateException closed) {
      return null;
    }
  }

  @Override
  public double[] statistics(int[] tickers, int[] histograms) {
    try (Call _ = guard.enter()) {
      return statistics == null ? new double[0] : statistics.read(tickers, histograms);
    }
  }

  @Override
  public boolean isUsedBy(long handle) {
    return guard.isAnnouncedAs(handle);
  }

  /** The current call keeps the family open. */
  @Override
  public String familyUsedBy(long handle) {
    for (Guard family : handles()) {
      if (family.isAnnouncedAs(handle)) {
        return new String(FamilyHandles.name(family.pointer()), UTF_8);
      }
    }
    return null;
  }

  /** A column family with a handle of the program, or the default one without a handle. */
  final class Family implements OpenDatabase.Family {
    private final Guard handle;
    private final int number;
    private final String name;

    private Family(Guard handle, int number, String name) {
      this.handle = handle;
      this.number = number;
      this.name = name;
    }

    @Override
    public String name() {
      return name;
    }

    @Override
    public Map<String, String> properties(Collection<String> names) {
      Map<String, String> known = new HashMap<>();
      try (Call call = enter()) {
        names.forEach(
            name ->
                known.computeIfAbsent(name, text -> RawProperties.text(call, guard.pointer(), pointer(), text)));
      }
      return known;
    }

    private long pointer() {
      return handle == null ? 0 : handle.pointer();
    }

    /** Enters a call that keeps the database and the handle open. */
    private Call enter() {
      Call call = guard.enter();
      try {
        if (handle != null) {
          handle.alsoUsedBy(call);
        }
        return call;
      } catch (Throwable e) {
        call.exit();
        throw e;
      }
    }
  }
}
