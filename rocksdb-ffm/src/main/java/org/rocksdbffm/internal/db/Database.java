/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.db;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.rocksdbffm.internal.c.RocksDbC;
import org.rocksdbffm.internal.call.Call;
import org.rocksdbffm.internal.call.CallTable;
import org.rocksdbffm.internal.call.CopyGate;
import org.rocksdbffm.internal.call.Handle;
import org.rocksdbffm.internal.call.Reentrance;
import org.rocksdbffm.internal.call.Status;
import org.rocksdbffm.internal.call.Uninterrupted;
import org.rocksdbffm.internal.callback.CallbackFrame;
import org.rocksdbffm.internal.callback.CallbackOwner;
import org.rocksdbffm.internal.callback.LogQueue;
import org.rocksdbffm.internal.exit.ProcessEnd;
import org.rocksdbffm.internal.folder.DatabaseFolders;
import org.rocksdbffm.internal.folder.FolderClaim;
import org.rocksdbffm.internal.folder.Refused;
import org.rocksdbffm.internal.foreign.Critical;
import org.rocksdbffm.internal.foreign.Memory;
import org.rocksdbffm.internal.jfr.FlightRecords;
import org.rocksdbffm.internal.leak.LiveObjects;
import org.rocksdbffm.internal.leak.ReachabilityToken;
import org.rocksdbffm.internal.options.DatabaseKind;
import org.rocksdbffm.internal.order.NativeComparator;
import org.rocksdbffm.internal.pin.PinLedger;
import org.rocksdbffm.internal.settings.MemoryShare;
import org.rocksdbffm.internal.settings.NativeOptions;
import org.rocksdbffm.internal.watch.OpenDatabase;
import org.rocksdbffm.internal.watch.OpenDatabases;
import org.rocksdbffm.internal.watch.OpenStatistics;

/**
 * An open database: <em>owns</em> the native one, its column families, and everything opened on it.
 * Thread-safe.
 *
 * <p>Closing refuses new calls at once, waits for those in flight, closes the children (iterators,
 * snapshots), and then destroys the native database - unless values are still pinned in it: then the
 * last one released does that, on the thread that releases it.
 */
public final class Database implements CallbackOwner, OpenDatabase, Parent {
  private static final long WEIGHT = 1 << 20; // memtables, tables, threads

  static {
    LiveObjects.PINS.countBy(Database::pinsOfAll);
    OpenDatabases.countObjectsBy(
        taker -> LiveObjects.report().forEach((kind, count) -> taker.take(kind.name(), count, kind.bytes())));
  }

  private final Handle handle;
  private final MemorySegment db;
  private final Path folder;
  private final DatabaseKind kind;
  private final FolderClaim claim; // until the engine has closed it
  private final Transactions transactions;
  private final List<NativeFamily> families = new ArrayList<>();
  private final Children children = new Children();
  private final PinLedger pins;
  private final WorkPauses pauses;
  private final CopyGate copies = new CopyGate();
  private final List<Thread> stopping = new ArrayList<>(1);
  private final List<Order> orders = new ArrayList<>();
  private final AtomicBoolean destroyed = new AtomicBoolean();
  private final ReachabilityToken reachability = new ReachabilityToken(this);

  private final Path logFolder;
  private final List<Path> paths;
  private final boolean cachesRows;

  // Its share of a memory budget; null for none.
  private final MemoryShare memory;

  // Of its messages; null for none.
  private final LogQueue log;

  // Null if it counts nothing.
  private final OpenStatistics statistics;

  // Whether it has ever had a family whose order is code in Java.
  private volatile boolean orderedInJava;

  // Set after the children were closed: from then on the last pin destroys.
  private volatile boolean abandoned;

  // Counted down when the engine was told to give up what it writes, after a callback stopped this database.
  private final CountDownLatch engineStopped = new CountDownLatch(1);

  /** A comparator in Java, or none, of which this database has a share for as long as it lives, unlike the family. */
  private record Order(String family, NativeComparator comparator) {}

  /** Takes over what the engine has opened, and shares of what it was opened with. */
  public Database(
      Path folder,
      MemorySegment db,
      DatabaseKind kind,
      FolderClaim claim,
      Transactions transactions,
      NativeOptions options) {
    CallTable.forgetEndedThreads();
    this.transactions = transactions;
    this.kind = kind;
    this.claim = claim;
    this.folder = folder;
    this.handle = new Handle("database " + folder);
    this.pauses = new WorkPauses(handle.name());
    this.db = db;
    this.logFolder = options.logFolder(folder);
    this.cachesRows = options.cachesRows();
    this.paths = options.paths();
    this.memory = options.memory() == null ? null : options.memory().share();
    this.pins = new PinLedger(handle.name(), memory);
    this.log = options.log() == null ? null : options.log().share();
    this.statistics = options.takeStatistics();
    OpenDatabases.add(this);
    LiveObjects.DATABASES.made();
  }

  private static long pinsOfAll() {
    return OpenDatabases.all().stream().mapToLong(OpenDatabase::pinCount).sum();
  }

  @Override
  public String path() {
    return folder.toString();
  }

  @Override
  public long pinCount() {
    return pins.count();
  }

  @Override
  public long pinnedBytes() {
    return pins.bytes();
  }

  @Override
  public double[] statistics(int[] tickers, int[] histograms) {
    try (Call _ = Call.enter(handle)) {
      return statistics == null ? new double[0] : statistics.read(tickers, histograms);
    }
  }

  @Override
  public boolean isUsedBy(long its) {
    return handle.is(its);
  }

  @Override
  public String familyUsedBy(long its) {
    return families().stream().filter(family -> family.isUsedBy(its)).findFirst().map(NativeFamily::name).orElse(null);
  }

  /** Refuses, as the engine would, what the engine would do in part, or not at all without a word. */
  public void requireWritable() {
    if (kind.isForReading()) {
      Status.fail("Not implemented: Not supported operation in read only mode.", name());
    }
  }

  /** Fails if this is closed, where nothing else is asked of the engine. */
  public void requireOpen() {
    Call.enter(handle).exit();
  }

  /** Held by all through which a user reaches this database. */
  public Object token() {
    return reachability.token();
  }

  @Override
  public long weight() {
    return WEIGHT;
  }

  @Override
  public Handle handle() {
    return handle;
  }

  public MemorySegment pointer() {
    return db;
  }

  /** Where it lives. */
  public Path folder() {
    return folder;
  }

  public DatabaseKind kind() {
    return kind;
  }

  public Transactions transactions() {
    return transactions;
  }

  /** Claims the folders of tables of a family before it is created. */
  public void claim(NativeOptions ofFamily) {
    Refused.settled(name(), () -> DatabaseFolders.add(folder, ofFamily.paths(), claim));
  }

  /** Work with an open database; an error of the engine's goes into the last. */
  public interface Work<T> {
    T run(MemorySegment db, Arena arena, MemorySegment error);
  }

  /** Runs the work within a call that uses this. */
  public <T> T within(Work<T> work) {
    return within(null, work, name());
  }

  /** Runs the work within a call that uses this; what it tries is for messages. */
  public <T> T within(Work<T> work, String tried) {
    return within(null, work, tried);
  }

  /** Work without a result. */
  public interface Action extends Work<Void> {
    void act(MemorySegment db, Arena arena, MemorySegment error);

    @Override
    default Void run(MemorySegment db, Arena arena, MemorySegment error) {
      act(db, arena, error);
      return null;
    }
  }

  /** Acts within a call that uses this. */
  public void run(Action action) {
    within(action);
  }

  <T> T within(NativeFamily family, Work<T> work, String tried) {
    Call call = Call.enter(handle);
    if (family != null) {
      call.alsoUse(family.handle(), null);
    }
    try (Arena arena = Arena.ofConfined()) {
      T result = work.run(db, arena, call.error);
      try {
        Status.check(call.error, tried);
      } finally {
        requireSound();
      }
      return result;
    } finally {
      call.exit();
    }
  }

  public long latestSequenceNumber() {
    try (Call _ = Call.enter(handle)) {
      return Critical.latestSequenceNumber(db.address());
    }
  }

  /** Where its logs are. */
  public Path logFolder() {
    return logFolder;
  }

  /** The folders of the tables of a family with such options; none for that of the database. */
  private List<Path> paths(NativeOptions ofFamily) {
    return ofFamily.paths().isEmpty() ? paths : ofFamily.paths();
  }

  /** The folder of the new tables of a family with such options. */
  public Path tableFolder(NativeOptions ofFamily) {
    List<Path> its = paths(ofFamily);
    return its.isEmpty() ? folder : its.getFirst();
  }

  /** Whether the engine caches rows, for which there must be no deleted ranges. */
  public boolean cachesRows() {
    return cachesRows;
  }

  /** Makes a family of this database, which the database <em>owns</em>. */
  public NativeFamily adopt(String name, MemorySegment family, NativeOptions options) {
    NativeFamily adopted = new NativeFamily(this, name, family, options, paths(options));
    synchronized (children) {
      families.add(adopted);
      NativeComparator comparator = options.serve(this);
      if (comparator != null) {
        orderedInJava = true;
        orders.addFirst(new Order(name, comparator.share())); // tables of a family that is gone may still be compared by it
      } else if (comparatorOf(name) != null) {
        orders.addFirst(new Order(name, null));
      }
    }
    return adopted;
  }

  @Override
  public void stop(String reason, Throwable cause) {
    synchronized (stopping) {
      if (!handle.wasStopped() && !destroyed.get()) {
        handle.stop(reason, cause);
        stopping.add(Thread.ofPlatform().daemon().name("stop of " + name()).start(this::stopEngine));
      }
    }
  }

  /**
   * Has the engine give up what it is writing, and write no more, not even when it closes. Logged writes are
   * not lost.
   */
  private void stopEngine() {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment name = arena.allocate(ValueLayout.JAVA_LONG);
      MemorySegment value = arena.allocate(ValueLayout.JAVA_LONG);
      MemorySegment error = arena.allocate(ValueLayout.JAVA_LONG);
      Memory.point(name, 0, Memory.string("avoid_flush_during_shutdown", arena));
      Memory.point(value, 0, Memory.string("true", arena));
      RocksDbC.rocksdb_set_db_options(db, 1, name, value, error);
      if (Memory.pointer(error, 0) != 0) {
        Status.takeText(error); // a database that cannot be written to writes nothing when it closes either
      }
      RocksDbC.rocksdb_cancel_all_background_work(db, (byte) 0);
    }
    engineStopped.countDown();
  }

  @Override
  public boolean awaitStopOfEngine(long nanos) {
    long end = System.nanoTime() + nanos;
    return Uninterrupted.await(() -> engineStopped.await(end - System.nanoTime(), TimeUnit.NANOSECONDS));
  }

  @Override
  public void requireSound() {
    handle.requireSound();
  }

  /** Those that are open, in the order in which this has adopted them. */
  @Override
  public List<NativeFamily> families() {
    synchronized (children) {
      return List.copyOf(families);
    }
  }

  /** The family with a number; null if it was closed, or never was one. */
  public NativeFamily family(int id) {
    synchronized (children) {
      return families.stream().filter(family -> family.id() == id).findFirst().orElse(null);
    }
  }

  /** The gate that a copy of this database closes. */
  public CopyGate copies() {
    return copies;
  }

  /** Whether a family of it has a merge operator. */
  public boolean merges() {
    synchronized (children) {
      return families.stream().anyMatch(family -> family.rules().mergeable());
    }
  }

  public boolean isOrderedInJava() {
    return orderedInJava;
  }

  /** The comparator in Java of the family that had a name last; null if that has none. */
  public NativeComparator comparatorOf(String family) {
    synchronized (children) {
      for (Order order : orders) {
        if (order.family().equals(family)) {
          return order.comparator();
        }
      }
      return null;
    }
  }

  void disown(NativeFamily family) {
    synchronized (children) {
      families.remove(family);
    }
  }

  /** Ends an object of this database; a database that is closed does that itself. */
  public void endUnlessClosed(Runnable end) {
    Call call;
    try {
      call = Call.enter(handle);
    } catch (IllegalStateException closed) {
      return;
    }
    try (call) {
      end.run();
    }
  }

  @Override
  public void register(Child child) {
    children.add(child);
  }

  @Override
  public void unregister(Child child) {
    children.remove(child);
  }

  /** Its share of a memory budget, which the caller releases; null for none. */
  public MemoryShare shareMemory() {
    if (memory == null) {
      return null;
    }
    try (Call _ = Call.enter(handle)) {
      return memory.share();
    }
  }

  /** Counts a pin, or refuses it; called within a {@link Call} that uses this database. */
  public void pinned(long size) {
    pins.add(size);
  }

  /** Counts a pin less, and destroys the native database if it was the last of a closed one. */
  public void unpinned(long size) {
    pins.remove(size);
    if (abandoned) {
      if (CallbackFrame.isAnyRunning()) {
        Thread.ofPlatform().start(this::destroyIfUnpinned); // the engine may wait for this very thread
      } else {
        destroyIfUnpinned();
      }
    }
  }

  public PinLedger pins() {
    return pins;
  }

  public WorkPauses pauses() {
    return pauses;
  }

  /** Idempotent; returns when the native database is gone or only pins keep it. */
  public void close() {
    if (Reentrance.isPossible()) {
      Reentrance.requireOutside(handle);
      ProcessEnd.close(handle.name(), CallTable::threads, this::closeOnce);
    } else {
      closeOnce();
    }
  }

  private synchronized void closeOnce() {
    if (abandoned) {
      return;
    }
    long began = FlightRecords.begin();
    CallTable.forgetEndedThreads();
    handle.close(this::letCallsEnd);
    transactions.closeAll();
    children.all().forEach(Child::closeByParent);
    abandoned = true;
    reachability.end();
    destroyIfUnpinned();
    FlightRecords.closed(path(), began, pins.count());
  }

  /**
   * Others may wait for locks of idle transactions, for as long as they like, for a flush that a pause puts off, or for
   * memory that iterators keep.
   */
  private void letCallsEnd() {
    if (memory != null) {
      memory.endStall();
    }
    transactions.endIdle();
    if (pauses.isWorkPaused()) {
      children.all().forEach(Child::letCallsEnd);
    }
  }

  /** The native database is used until then by the thread that stops it. */
  private void awaitStop() {
    List<Thread> stops;
    synchronized (stopping) {
      stops = List.copyOf(stopping);
    }
    for (Thread stop : stops) {
      Uninterrupted.await(() -> {
        stop.join();
        return stop;
      });
    }
  }

  /**
   * No pin can be added once the calls in flight are over, so a sum of zero is final; and whoever
   * brings it to zero sees that it is, because its decrement precedes its sum.
   */
  private void destroyIfUnpinned() {
    if (pins.count() == 0 && destroyed.compareAndSet(false, true)) {
      for (NativeFamily family : families) {
        family.destroy();
      }
      awaitStop();
      RocksDbC.rocksdb_close(db);
      claim.close();
      for (Order order : orders) {
        if (order.comparator() != null) {
          order.comparator().release();
        }
      }
      if (memory != null) {
        memory.release();
      }
      if (log != null) {
        log.release();
      }
      if (statistics != null) {
        statistics.close();
      }
      pins.end();
      OpenDatabases.remove(this);
      LiveObjects.DATABASES.gone();
    }
  }
}
