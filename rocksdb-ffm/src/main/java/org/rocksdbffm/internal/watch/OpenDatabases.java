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
import org.rocksdbffm.internal.jfr.FlightRecords;

/**
 * The databases that the engine has open, opened by the core or the drop-in. While there are any, the Flight Recorder asks
 * for their state. It keeps what it asks, and the class loader of that, so it asks no more once the last one is gone.
 * Thread-safe.
 */
public final class OpenDatabases {
  private static final OpenDatabases OF_LOADER = new OpenDatabases();
  private static final String MONITORS = "org.rocksdbffm.metrics";
  private static final String STOPPED = "rocksdb.is-write-stopped";
  private static final String DELAYED = "rocksdb.actual-delayed-write-rate";

  // Read without a lock, because the Flight Recorder asks within its own.
  private final Set<OpenDatabase> open = ConcurrentHashMap.newKeySet();
  private final List<Consumer<ObjectCount>> counters = new CopyOnWriteArrayList<>();

  // Guarded by this, which no code takes that the Flight Recorder calls.
  private Runnable stopRecording;
  private String monitors = System.getProperty(MONITORS);

  private OpenDatabases() {}

  /** Takes how many native objects of a kind there are, and the bytes that this library has for them. */
  public interface ObjectCount {
    void take(String kind, long count, long bytes);
  }

  /** Adds what counts native objects. */
  public static void countObjectsBy(Consumer<ObjectCount> counter) {
    OF_LOADER.counters.add(counter);
  }

  /** Counts the native objects of all kinds of which there are any. */
  public static void countObjects(ObjectCount count) {
    OF_LOADER.counters.forEach(counter -> counter.accept(count));
  }

  /** The same as a map, and how often each event was raised and how many objects nobody closed since the start. */
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

  /** Those that are open now. */
  public static Set<OpenDatabase> all() {
    return Set.copyOf(OF_LOADER.open);
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
        stopRecording =
            FlightRecords.whileRecording(
                () -> open.forEach(OpenDatabases::recordStall), () -> countObjects(FlightRecords::alive));
      }
      due = monitors;
      monitors = null;
    }
    if (due != null) {
      Thread.ofPlatform().daemon().name("rocksdb-ffm start of metrics").start(() -> startMonitors(due));
    }
  }

  private synchronized void closed(OpenDatabase database) {
    if (open.remove(database) && open.isEmpty()) {
      stopRecording.run();
      stopRecording = null;
    }
  }

  /** A mistake there is logged, for the database is open. */
  private static void startMonitors(String names) {
    try {
      var found = ServiceLoader.load(Monitor.class, Monitor.class.getClassLoader()).findFirst();
      if (found.isEmpty()) {
        throw new IllegalStateException("add rocksdb-ffm-metrics to the class path or module path");
      }
      found.get().start(names);
    } catch (RuntimeException | ServiceConfigurationError | LinkageError e) {
      System.getLogger("org.rocksdbffm")
          .log(Level.WARNING, MONITORS + "=" + names + " exports no figures: " + e.getMessage(), e);
    }
  }

  /** In a recording alone: whether the engine holds up writes. */
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
      return; // and so it is in no stall
    }
  }

  /**
   * Records an operation that took long, by the handles that its call announces.
   *
   * @param isNested whether another call of the thread, which took longer, is in flight
   */
  public static void recordSlow(long began, boolean isLocking, boolean isNested, long... handles) {
    String path = "";
    String family = "";
    for (OpenDatabase database : OF_LOADER.open) {
      for (long handle : handles) {
        String its = handle <= 0 ? null : database.familyUsedBy(handle);
        family = its == null ? family : its;
        path = its != null || database.isUsedBy(handle) ? database.path() : path;
      }
    }
    if (!path.isEmpty() || !isNested) {
      FlightRecords.slow(began, isLocking, path, family);
    }
  }
}
