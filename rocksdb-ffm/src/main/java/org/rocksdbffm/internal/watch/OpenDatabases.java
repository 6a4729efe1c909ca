/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.watch;

import java.lang.System.Logger.Level;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.function.ToDoubleFunction;
import org.rocksdbffm.internal.jfr.FlightRecords;
import org.rocksdbffm.internal.loader.NativeLibraryError;
import org.rocksdbffm.internal.loader.Spare;
import org.rocksdbffm.internal.loader.Warnings;

/**
 * Registry of the databases that are open in the engine, by the core or the drop-in. While there are any, the Flight
 * Recorder polls their state through actions that keep this class loader reachable, so they are removed after the
 * last close. Thread-safe.
 */
public final class OpenDatabases {
  private static final OpenDatabases OF_LOADER = new OpenDatabases();
  private static final String MONITORS = "org.rocksdbffm.metrics";
  private static final String STOPPED = "rocksdb.is-write-stopped";
  private static final String DELAYED = "rocksdb.actual-delayed-write-rate";

  // Read without a lock, because the Flight Recorder calls with its own lock held.
  private final Set<OpenDatabase> open = ConcurrentHashMap.newKeySet();
  private final List<Consumer<ObjectCount>> counters = new CopyOnWriteArrayList<>();
  private final Map<String, ToDoubleFunction<String>> archivers = new ConcurrentHashMap<>(); // by folder

  // Guarded by this; code that the Flight Recorder calls never takes this lock.
  private Runnable stopRecording;
  private String monitors = System.getProperty(MONITORS);

  private OpenDatabases() {}

  /** Receives the number of native objects of a kind, and the bytes of this library's memory for them. */
  public interface ObjectCount {
    void take(String kind, long count, long bytes);
  }

  /** Adds a source of counts of native objects. */
  public static void countObjectsBy(Consumer<ObjectCount> counter) {
    OF_LOADER.counters.add(counter);
  }

  /** Reports the count of native objects of each kind that exists. */
  public static void countObjects(ObjectCount count) {
    OF_LOADER.counters.forEach(counter -> counter.accept(count));
  }

  /** Returns the counts of native objects by kind. */
  public static Map<String, ? extends Number> objects() {
    Map<String, Long> counts = new HashMap<>();
    countObjects((kind, count, bytes) -> counts.merge(kind, count, Long::sum));
    return counts;
  }

  public static Map<String, ? extends Number> events() {
    return FlightRecords.EVENTS;
  }

  public static Map<String, ? extends Number> leaks() {
    return FlightRecords.LEAKS;
  }

  /** Returns the open databases. */
  public static Set<OpenDatabase> all() {
    return Set.copyOf(OF_LOADER.open);
  }

  /**
   * Sets the measurements of the archiver of the database in a folder, as a function of their names; null for no
   * archiver.
   */
  public static void setArchiver(String path, ToDoubleFunction<String> measurements) {
    OF_LOADER.archivers.compute(path, (folder, old) -> measurements);
  }

  /** Returns the measurements of the archiver of the database in a folder; null if it is not archived. */
  public static ToDoubleFunction<String> archiver(String path) {
    return OF_LOADER.archivers.get(path);
  }

  public static void add(OpenDatabase database) {
    OF_LOADER.opened(database);
  }

  /** Idempotent. */
  public static void remove(OpenDatabase database) {
    OF_LOADER.closed(database);
  }

  private void opened(OpenDatabase database) {
    String due;
    synchronized (this) {
      open.add(database);
      if (stopRecording == null) {
        stopRecording = FlightRecords.whileRecording(new Recorded());
      }
      due = monitors;
      monitors = null;
    }
    if (due != null) {
      Thread.ofPlatform().daemon().name("rocksdb-ffm start of metrics").start(() -> startMonitors(due));
    }
  }

  /** The records of the open databases in the Flight Recorder. */
  private static final class Recorded implements FlightRecords.State {
    @Override
    public void recordStalls() {
      OF_LOADER.open.forEach(OpenDatabases::recordStall);
    }

    @Override
    public void recordCounts() {
      countObjects(FlightRecords::alive);
    }
  }

  private synchronized void closed(OpenDatabase database) {
    if (open.remove(database) && open.isEmpty()) {
      stopRecording.run();
      stopRecording = null;
    }
  }

  /** Starts the exporters. Logs a failure instead of throwing, because the database is open already. */
  private void startMonitors(String names) {
    try {
      Spare.require();
      var found = ServiceLoader.load(Monitor.class, Monitor.class.getClassLoader()).findFirst();
      if (found.isEmpty()) {
        throw new IllegalStateException("add rocksdb-ffm-metrics to the class path or module path");
      }
      found.get().start(names);
    } catch (NativeLibraryError | OutOfMemoryError lacking) {
      Warnings.log(Level.WARNING, MONITORS + "=" + names + " starts with the next database: " + lacking.getMessage(), null);
      synchronized (this) {
        monitors = names;
      }
    } catch (RuntimeException | ServiceConfigurationError | LinkageError e) {
      Warnings.log(Level.WARNING, MONITORS + "=" + names + " exports no metrics: " + e.getMessage(), e);
    }
  }

  /** Records whether the engine stops or delays writes; called during a recording only. */
  private static void recordStall(OpenDatabase database) {
    try {
      for (OpenDatabase.Family any : database.families()) {
        Map<String, String> known = any.properties(List.of(STOPPED, DELAYED));
        boolean isStopped = "1".equals(known.get(STOPPED));
        long rate = Long.parseUnsignedLong(known.getOrDefault(DELAYED, "0"));
        if (isStopped || rate != 0) {
          FlightRecords.stalled(database.path(), isStopped, rate);
        }
        return;
      }
    } catch (IllegalStateException closed) {
      return; // closed, so not stalled
    }
  }

  /**
   * Records a slow operation, whose database is found by the handles of its call.
   *
   * @param isNested whether the call runs within another call of the thread, which then took longer
   */
  public static void recordSlow(long began, boolean isLocking, boolean isNested, long... handles) {
    String path = "";
    String family = "";
    for (OpenDatabase database : OF_LOADER.open) {
      for (long handle : handles) {
        String familyName = handle <= 0 ? null : database.familyUsedBy(handle);
        family = familyName == null ? family : familyName;
        path = familyName != null || database.isUsedBy(handle) ? database.path() : path;
      }
    }
    if (!path.isEmpty() || !isNested) {
      FlightRecords.slow(began, isLocking, path, family);
    }
  }
}
