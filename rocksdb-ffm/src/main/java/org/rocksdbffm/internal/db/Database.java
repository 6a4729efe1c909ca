/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.db;

import java.lang.foreign.MemorySegment;
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
import org.rocksdbffm.internal.callback.CallbackFrame;
import org.rocksdbffm.internal.callback.CallbackOwner;
import org.rocksdbffm.internal.callback.LogQueue;
import org.rocksdbffm.internal.exit.ProcessEnd;
import org.rocksdbffm.internal.folder.FolderClaim;
import org.rocksdbffm.internal.jfr.FlightRecords;
import org.rocksdbffm.internal.leak.LiveObjects;
import org.rocksdbffm.internal.leak.ReachabilityToken;
import org.rocksdbffm.internal.leak.TrackedResource;
import org.rocksdbffm.internal.options.DatabaseKind;
import org.rocksdbffm.internal.order.NativeComparator;
import org.rocksdbffm.internal.pin.PinLedger;
import org.rocksdbffm.internal.settings.NativeOptions;
import org.rocksdbffm.internal.settings.NativeWriteBuffers;

/**
 * An open database: <em>owns</em> the native one, its column families, and everything opened on it.
 * Thread-safe.
 *
 * <p>Closing refuses new calls at once, waits for those in flight, closes the children (iterators,
 * snapshots), and then destroys the native database - unless values are still pinned in it: then the
 * last one released does that, on the thread that releases it.
 */
public final class Database implements TrackedResource, CallbackOwner, Parent {
  private static final long WEIGHT = 1 << 20; // memtables, tables, threads

  private final Handle handle;
  private final MemorySegment db;
  private final Path folder;
  private final DatabaseKind kind;
  private final FolderClaim claim; // until the engine has closed it
  private final String transactionName;
  private final PreparedTransactions prepared = new PreparedTransactions();
  private final List<NativeFamily> families = new ArrayList<>();
  private final Children children = new Children();
  private final PinLedger pins;
  private final WorkPauses pauses;
  private final CopyGate copies = new CopyGate();
  private final List<Thread> stopping = new ArrayList<>(1);
  private final List<Order> orders = new ArrayList<>();
  private final AtomicBoolean destroyed = new AtomicBoolean();
  private final ReachabilityToken reachability = new ReachabilityToken(this);

  // How many ingestions are on their way, guarded by the children's lock.
  private int exclusions;

  private Path logFolder;

  // The memory that its memtables share with those of others; null for none.
  private NativeWriteBuffers buffers;

  // Set before anybody else knows of this.
  private boolean cachesRows;
  private List<Path> paths = List.of();

  // Of its messages; null for none.
  private LogQueue log;

  // Whether it has ever had a family whose order is code in Java.
  private volatile boolean orderedInJava;

  // Set after the children were closed: from then on the last pin destroys.
  private volatile boolean abandoned;

  // Counted down when the engine was told to give up what it writes, after a callback stopped this database.
  private final CountDownLatch engineStopped = new CountDownLatch(1);

  /** A comparator in Java, or none, of which this database has a share for as long as it lives, unlike the family. */
  private record Order(String family, NativeComparator comparator) {}

  Database(Path folder, MemorySegment db, DatabaseKind kind, FolderClaim claim) {
    CallTable.forgetEndedThreads();
    this.kind = kind;
    this.claim = claim;
    this.folder = folder;
    this.handle = new Handle("database " + folder);
    this.transactionName = "transaction of " + handle.name();
    this.pins = new PinLedger(handle.name());
    this.pauses = new WorkPauses(handle.name());
    this.db = db;
    OpenDatabases.add(this);
    LiveObjects.DATABASES.made();
  }

  /** In a recording alone: whether the engine holds up writes. */
  void recordStall() {
    NativeFamily any = family(0);
    if (any == null) {
      return; // it is being opened
    }
    try {
      long stopped = Maintenance.longProperty(any, "rocksdb.is-write-stopped").orElse(0);
      long delayed = Maintenance.longProperty(any, "rocksdb.actual-delayed-write-rate").orElse(0);
      if (stopped != 0 || delayed != 0) {
        FlightRecords.stalled(name(), stopped != 0, delayed);
      }
    } catch (IllegalStateException closed) {
      return; // and so it is in no stall
    }
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
  public String name() {
    return handle.name();
  }

  @Override
  public boolean isClosed() {
    return handle.isClosed();
  }

  @Override
  public void closeForgotten() {
    close();
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

  /** How messages call each of its transactions. */
  String transactionName() {
    return transactionName;
  }

  public PreparedTransactions prepared() {
    return prepared;
  }

  /** Takes over the transactions that were prepared when this was open last. */
  void recoverPrepared() {
    prepared.recover(db, List.copyOf(families));
  }

  /** The use of its folders. */
  FolderClaim claim() {
    return claim;
  }

  /** Where its logs are. */
  public Path logFolder() {
    return logFolder;
  }

  /** Takes a share of what it was opened with, before anybody else knows of it. */
  void share(NativeOptions options) {
    logFolder = options.logFolder(folder);
    buffers = options.buffers() == null ? null : options.buffers().share();
    cachesRows = options.cachesRows();
    paths = options.paths();
    log = options.log() == null ? null : options.log().share();
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

  private void stopEngine() {
    Maintenance.stop(db);
    engineStopped.countDown();
  }

  @Override
  public boolean awaitStopOfEngine(long nanos) {
    long end = System.nanoTime() + nanos;
    boolean interrupted = false;
    try {
      while (true) {
        try {
          return engineStopped.await(end - System.nanoTime(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
          interrupted = true;
        }
      }
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  @Override
  public void requireSound() {
    handle.requireSound();
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

  public boolean isOrderedInJava() {
    return orderedInJava;
  }

  /** The comparator in Java of the family that had a name last; null if that has none. */
  NativeComparator comparatorOf(String family) {
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

  @Override
  public void register(Child child) {
    children.add(child);
  }

  @Override
  public void unregister(Child child) {
    children.remove(child);
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
    handle.close(this::letCallsEnd);
    for (Child child : children.all()) {
      child.closeByParent();
    }
    prepared.close();
    abandoned = true;
    reachability.end();
    destroyIfUnpinned();
    FlightRecords.closed(name(), began, pins.count());
  }

  /**
   * Others may wait for locks of idle transactions, for as long as they like, for a flush that a pause puts off, or for
   * memory that other databases have.
   */
  private void letCallsEnd() {
    if (buffers != null) {
      buffers.endStall();
    }
    openTransactions().forEach(NativeTransaction::closeIfIdle);
    if (pauses.isWorkPaused()) {
      children.all().forEach(Child::letCallsEnd);
    }
  }

  private List<NativeTransaction> openTransactions() {
    if (!kind.hasTransactions()) {
      return List.of();
    }
    List<NativeTransaction> open = new ArrayList<>();
    for (Child child : children.all()) {
      if (child instanceof NativeTransaction transaction) {
        open.add(transaction);
      }
    }
    return open;
  }

  /**
   * Rolls back the transactions that touch a family which is being dropped. They could not be committed any more; and the
   * engine, when it ends one that has locked keys of a family that is gone, forgets to unlock the others.
   */
  void endTransactionsOn(NativeFamily family, boolean wait) {
    for (NativeTransaction transaction : openTransactions()) {
      if (transaction.touches(family)) {
        transaction.endFor(family, wait);
      }
    }
  }

  /** Refuses to drop a family where a transaction has promised that it can be committed. */
  void requireNotPrepared(NativeFamily family) {
    boolean isHeld = openTransactions().stream().anyMatch(its -> its.isPrepared() && its.touches(family));
    if (isHeld || prepared.anyTouches(family)) {
      throw new IllegalStateException(
          family.handle() + " is written by a transaction that is prepared: commit that, or roll it back, before the drop");
    }
  }

  /**
   * Runs work that changes keys past all transactions: refuses to while there are any, for they would not notice, and has
   * those that are begun meanwhile wait.
   */
  public void withoutTransactions(Runnable work) {
    if (!kind.hasTransactions()) {
      work.run();
      return;
    }
    synchronized (children) {
      exclusions++;
    }
    try {
      if (!openTransactions().isEmpty() || !prepared.isEmpty()) {
        throw new IllegalStateException(
            name() + " has transactions that are not ended, which would not notice that keys change: commit them first, or "
                + "roll them back, those that are prepared too");
      }
      work.run();
    } finally {
      synchronized (children) {
        exclusions--;
        children.notifyAll();
      }
    }
  }

  /** Registers a transaction that was begun; false if none may be begun at the moment. */
  boolean registerBegun(NativeTransaction transaction) {
    synchronized (children) {
      if (exclusions > 0) {
        return false;
      }
      children.add(transaction);
      return true;
    }
  }

  /** Waits until transactions may be begun. */
  void awaitTransactions() {
    boolean interrupted = false;
    synchronized (children) {
      while (exclusions > 0) {
        try {
          children.wait();
        } catch (InterruptedException e) {
          interrupted = true;
        }
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  /** The native database is used until then by the thread that stops it. */
  private void awaitStop() {
    List<Thread> stops;
    synchronized (stopping) {
      stops = List.copyOf(stopping);
    }
    boolean interrupted = false;
    for (Thread stop : stops) {
      while (stop.isAlive()) {
        try {
          stop.join();
        } catch (InterruptedException e) {
          interrupted = true;
        }
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
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
      if (buffers != null) {
        buffers.release();
      }
      if (log != null) {
        log.release();
      }
      pins.end();
      OpenDatabases.remove(this);
      LiveObjects.DATABASES.gone();
    }
  }
}
