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
import java.util.concurrent.atomic.AtomicInteger;
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
import org.rocksdbffm.internal.folder.DatabaseFolders;
import org.rocksdbffm.internal.folder.FolderClaim;
import org.rocksdbffm.internal.folder.Refused;
import org.rocksdbffm.internal.foreign.Critical;
import org.rocksdbffm.internal.foreign.HotCalls;
import org.rocksdbffm.internal.foreign.Memory;
import org.rocksdbffm.internal.jfr.FlightRecords;
import org.rocksdbffm.internal.leak.LiveObjects;
import org.rocksdbffm.internal.leak.ReachabilityToken;
import org.rocksdbffm.internal.lifetime.Owner;
import org.rocksdbffm.internal.lifetime.Shared;
import org.rocksdbffm.internal.options.DatabaseKind;
import org.rocksdbffm.internal.order.NativeComparator;
import org.rocksdbffm.internal.pin.PinLedger;
import org.rocksdbffm.internal.settings.MemoryShare;
import org.rocksdbffm.internal.settings.NativeEncryption;
import org.rocksdbffm.internal.settings.NativeOptions;
import org.rocksdbffm.internal.watch.OpenDatabase;
import org.rocksdbffm.internal.watch.OpenDatabases;
import org.rocksdbffm.internal.watch.OpenStatistics;

/**
 * An open database: <em>owns</em> the native database, its column families, and the objects opened on it. Thread-safe.
 *
 * <p>Closing refuses new calls immediately, waits for calls in flight, closes the children (iterators, snapshots), and
 * then destroys the native database. If values are still pinned in it, the thread that releases the last of them
 * destroys it.
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
  private final FolderClaim claim; // held until the engine has closed the database
  private final Transactions transactions;
  private final List<NativeFamily> families = new ArrayList<>();
  private final Owner<Child> children = new Owner<>();
  private final PinLedger pins;
  private final WorkPauses pauses;
  private final CopyGate copies = new CopyGate();
  private final AtomicInteger resuming = new AtomicInteger(); // calls that resume writes
  private boolean waitsEnded; // guarded by this
  private final List<Thread> stopping = new ArrayList<>(1);
  private final List<Order> orders = new ArrayList<>();
  private final AtomicBoolean destroyed = new AtomicBoolean();
  private final ReachabilityToken reachability = new ReachabilityToken(this);

  private final Path logFolder;
  private final List<Path> paths;
  private final boolean cachesRows;

  // The share of a memory budget; null for none.
  private final MemoryShare memory;

  // Null if the files are not encrypted.
  private final NativeEncryption encryption;

  // The queue of the info log; null for none.
  private final LogQueue log;

  // Null if statistics are off.
  private final OpenStatistics statistics;

  // Whether there has ever been a family with a Java comparator.
  private volatile boolean orderedInJava;

  // Set after the children were closed: from then on the last release of a pin destroys the native database.
  private volatile boolean abandoned;

  // Counted down when the engine was requested to stop writing, after a callback stopped this database.
  private final CountDownLatch engineStopped = new CountDownLatch(1);

  /**
   * A family's Java comparator, or null, which this database shares until it is destroyed, even if the family was
   * closed.
   */
  private record Order(String family, NativeComparator comparator) {}

  /** Takes ownership of an opened native database, and shares of the objects in its options. */
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
    this.encryption = options.encryption() == null ? null : options.encryption().share();
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
  public boolean isUsedBy(long handleId) {
    return handle.is(handleId);
  }

  @Override
  public String familyUsedBy(long handleId) {
    return families().stream()
        .filter(family -> family.isUsedBy(handleId))
        .findFirst()
        .map(NativeFamily::name)
        .orElse(null);
  }

  /**
   * Refuses all writes to a read-only database. The engine refuses most, but does some in part, or silently ignores
   * them.
   */
  public void requireWritable() {
    if (kind.isForReading()) {
      Status.fail("Not implemented: Not supported operation in read only mode.", name());
    }
  }

  /** Throws if the database is closed; for methods that make no engine call. */
  public void requireOpen() {
    Call.enter(handle).exit();
  }

  /** Returns the liveness token, which all objects hold through which a user can reach this database. */
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

  /** Returns the database folder. */
  public Path folder() {
    return folder;
  }

  public DatabaseKind kind() {
    return kind;
  }

  public Transactions transactions() {
    return transactions;
  }

  /** Claims the table folders of a family before it is created. */
  public void claim(NativeOptions ofFamily) {
    Refused.settled(name(), () -> DatabaseFolders.add(folder, ofFamily.paths(), claim));
  }

  /** Work with an open database; {@code error} receives an error of the engine. */
  public interface Work<T> {
    T run(MemorySegment db, Arena arena, MemorySegment error);
  }

  /** Runs the work within a call that uses this database. */
  public <T> T within(Work<T> work) {
    return within(null, work, name());
  }

  /** Runs the work within a call that uses this database; {@code tried} describes it in error messages. */
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

  /** Runs the action within a call that uses this database. */
  public void run(Action action) {
    within(action);
  }

  /** Runs an action that resumes writes, whose waits a close ends. */
  public void resume(Action action, String tried) {
    resuming.incrementAndGet();
    try {
      within(action, tried);
    } finally {
      resuming.decrementAndGet();
    }
  }

  <T> T within(NativeFamily family, Work<T> work, String tried) {
    Call call = Call.enter(handle, family == null ? null : family.handle(), null);
    try (Arena arena = Arena.ofConfined()) {
      T result = work.run(db, arena, call.error);
      try {
        check(call.error, tried);
      } finally {
        requireSound();
      }
      return result;
    } finally {
      call.exit();
    }
  }

  /**
   * As {@link Status#check}, within a call that uses this database; if the message and the background error have the
   * same code, the exception has the severity of the background error.
   */
  public void check(MemorySegment errorCell, String tried) {
    BackgroundError.check(db, errorCell, tried);
  }

  public long latestSequenceNumber() {
    try (Call _ = Call.enter(handle)) {
      return Critical.latestSequenceNumber(db.address());
    }
  }

  /** Returns the WAL folder. */
  public Path logFolder() {
    return logFolder;
  }

  /** Returns the table folders of a family with these options; empty for the database folder. */
  private List<Path> paths(NativeOptions ofFamily) {
    return ofFamily.paths().isEmpty() ? paths : ofFamily.paths();
  }

  /** Returns the folder of new tables of a family with these options. */
  public Path tableFolder(NativeOptions ofFamily) {
    List<Path> familyPaths = paths(ofFamily);
    return familyPaths.isEmpty() ? folder : familyPaths.getFirst();
  }

  /** Whether there is a row cache, which must not be combined with range deletions. */
  public boolean cachesRows() {
    return cachesRows;
  }

  /** Adds a family handle, which the database <em>owns</em>. */
  public NativeFamily adopt(String name, MemorySegment family, NativeOptions options) {
    NativeFamily adopted = new NativeFamily(this, name, family, options, paths(options));
    synchronized (children) {
      families.add(adopted);
      NativeComparator comparator = options.serve(this);
      if (comparator != null) {
        orderedInJava = true;
        orders.addFirst(new Order(name, comparator.share())); // tables of a closed family may still be compared
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
   * Makes the engine discard its current output, and write nothing more, not even at the close. Writes in the WAL are
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
        Status.takeText(error); // a read-only database writes nothing at the close either
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

  /** Returns the open families, in the order in which they were added. */
  @Override
  public List<NativeFamily> families() {
    synchronized (children) {
      return List.copyOf(families);
    }
  }

  /** Returns the family with an id; null if it is closed or unknown. */
  public NativeFamily family(int id) {
    synchronized (children) {
      return families.stream().filter(family -> family.id() == id).findFirst().orElse(null);
    }
  }

  /** Returns the gate that a copy of this database closes. */
  public CopyGate copies() {
    return copies;
  }

  /** Whether an open family has a merge operator. */
  public boolean merges() {
    synchronized (children) {
      return families.stream().anyMatch(family -> family.rules().mergeable());
    }
  }

  public boolean isOrderedInJava() {
    return orderedInJava;
  }

  /** Returns the Java comparator of the last family with this name; null if it has none. */
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

  /**
   * Runs {@code end}, which destroys an object of this database; does nothing if the database is closed, which destroys
   * it.
   */
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
    child.join(children);
  }

  @Override
  public void unregister(Child child) {
    child.leaveSiblings();
  }

  /** Returns another share of the memory budget, which the caller releases; null for none. */
  public MemoryShare shareMemory() {
    if (memory == null) {
      return null;
    }
    try (Call _ = Call.enter(handle)) {
      return memory.share();
    }
  }

  /** Returns the keys of the files, which are valid within a call; null if the files are not encrypted. */
  public NativeEncryption encryption() {
    return encryption;
  }

  /** Counts a pin, or throws if the limit is exceeded; called within a {@link Call} that uses this database. */
  public void pinned(long size) {
    pins.add(size);
  }

  /** Removes a pin from the count; destroys the native database if it is closed and this was the last pin. */
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

  /** Idempotent; returns when the native database is destroyed or kept only by pins. */
  public void close() {
    Reentrance.close(handle, this::closeOnce);
  }

  private synchronized void closeOnce() {
    if (abandoned) {
      return;
    }
    long began = FlightRecords.begin();
    CallTable.forgetEndedThreads();
    handle.close(this::letCallsEnd);
    transactions.closeAll();
    for (Child child : children.children()) {
      child.closeByParent();
    }
    abandoned = true;
    reachability.end();
    destroyIfUnpinned();
    FlightRecords.closed(path(), began, pins.count());
  }

  /**
   * Calls in flight may wait indefinitely for locks of idle transactions, for a flush or compaction that a pause
   * delays, for memory that iterators retain, or, if writes are being resumed, for a flush that the engine has lost.
   */
  private void letCallsEnd() {
    if (memory != null) {
      memory.endStall();
    }
    transactions.endIdle();
    if (resuming.get() > 0 && !waitsEnded) {
      waitsEnded = true;
      RocksDbC.rocksdb_cancel_all_background_work(db, (byte) 0);
    }
    if (pauses.mayStopWrites()) {
      children.children().forEach(Child::letCallsEnd);
    }
  }

  /** Waits for the threads that stop the engine, because they use the native database. */
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
   * Makes the engine flush rows without WAL now, as its close would, so that a {@link NumberMark} can follow the flush.
   * With {@code avoid_flush_during_shutdown}, nothing is flushed. If the engine refuses the mark, it has also refused
   * the flush, and logged both refusals.
   */
  private void flushAsTheEngine() {
    if (copies.isUnlogged() && !handle.wasStopped()) {
      RocksDbC.rocksdb_cancel_all_background_work(db, (byte) 0);
      try (Arena arena = Arena.ofConfined()) {
        MemorySegment refusal = arena.allocate(ValueLayout.JAVA_LONG);
        NumberMark.write(this, false, refusal);
        if (Memory.pointer(refusal, 0) != 0) {
          Status.takeText(refusal);
        }
      }
    }
  }

  /**
   * No pin can be added once the calls in flight have ended, so a sum of zero is final. The thread that brings the sum
   * to zero sees it, because it decrements before it sums.
   */
  private void destroyIfUnpinned() {
    if (pins.count() == 0 && destroyed.compareAndSet(false, true)) {
      for (NativeFamily family : families) {
        family.destroy();
      }
      awaitStop();
      flushAsTheEngine();
      HotCalls.close(db.address());
      claim.close();
      for (Order order : orders) {
        Shared.release(order.comparator());
      }
      Shared.release(memory, log, encryption);
      if (statistics != null) {
        statistics.close();
      }
      pins.end();
      OpenDatabases.remove(this);
      LiveObjects.DATABASES.freed();
    }
  }
}
