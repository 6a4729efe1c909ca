/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.metrics;

import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.DoubleSupplier;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;
import org.rocksdbffm.internal.watch.OpenDatabase;
import org.rocksdbffm.internal.watch.OpenDatabases;
import org.rocksdbffm.metrics.Metric.Kind;
import org.rocksdbffm.metrics.Metric.Source;

/**
 * Adds the series of all open databases in the process to a sink, and removes them after a close. A thread lists the
 * databases and their column families once a second, so no opening or close waits for a sink. Thread-safe.
 */
final class Watcher implements AutoCloseable {
  private static final int MOST_DATABASES = Integer.getInteger("org.rocksdbffm.metricsDatabases", 100);
  private static final int MOST_FAMILIES = Integer.getInteger("org.rocksdbffm.metricsFamilies", 20);
  private static final long PERIOD_MILLIS = 1000;

  private final Sink sink;

  // Guarded by this, like all following fields.
  private final Map<OpenDatabase, Watched> watched = new LinkedHashMap<>();
  private final Map<String, Series> ofKinds = new HashMap<>();
  private final List<Series> ofProcess = new ArrayList<>();
  private boolean isClosed;
  private boolean hasWarned;

  /** An open database, with a unique name, its series for each part of the reading, and the series of its archiver. */
  private record Watched(
      String name, Reading reading, Map<Map<String, String>, List<Series>> series, List<Series> ofArchiver) {}

  Watcher(Sink sink) {
    this.sink = sink;
    addProcess("databases.open", () -> OpenDatabases.all().size());
    addProcess("databases.unwatched", () -> Math.max(0, OpenDatabases.all().size() - MOST_DATABASES));
    look();
    Thread.ofPlatform().daemon().name("rocksdb-ffm metrics").start(this::run);
  }

  private void addProcess(String name, DoubleSupplier value) {
    ofProcess.add(added(new Series(metric(name), Map.of(), value)));
  }

  private static Metric metric(String name) {
    return Metric.ALL.stream().filter(metric -> metric.name().equals(name)).findFirst().orElseThrow();
  }

  /**
   * Adds a series to the sink. A series that the sink refuses, for example because of other tag names, is not added
   * again.
   */
  private Series added(Series series) {
    safely(() -> sink.add(series));
    return series;
  }

  private void remove(Series series) {
    safely(() -> sink.remove(series));
  }

  private synchronized void run() {
    try {
      while (!isClosed) {
        wait(PERIOD_MILLIS);
        if (sink.isClosed()) {
          close();
        }
        safely(this::look);
      }
    } catch (InterruptedException e) {
      return; // ends the daemon thread
    }
  }

  /** Runs work, and logs a failure, so that a failing sink does not end the thread. */
  private void safely(Runnable work) {
    try {
      work.run();
    } catch (RuntimeException | LinkageError e) {
      Level level = hasWarned ? Level.DEBUG : Level.WARNING; // otherwise a failing sink would log hundreds of warnings
      hasWarned = true;
      System.getLogger("org.rocksdbffm").log(level, "metrics of a database cannot be exported", e);
    }
  }

  /**
   * Adds the series of new databases, and removes the series of closed databases. A folder that was closed and opened
   * again is added a second later, because a scrape in between could find its series twice.
   */
  synchronized void look() {
    if (isClosed) {
      return;
    }
    Set<OpenDatabase> open = OpenDatabases.all();
    List<String> ended = removeUnless(open::contains);
    open.stream()
        .filter(database -> !watched.containsKey(database) && !ended.contains(database.path()))
        .sorted(Comparator.comparing(OpenDatabase::path))
        .limit(Math.max(0, MOST_DATABASES - watched.size()))
        .toList()
        .forEach(database -> watched.put(database, watch(database)));
    watched.values().forEach(this::lookAtFamilies);
    watched.forEach(this::lookAtArchiver);
    lookAtKinds("objects.open", OpenDatabases::objects);
    lookAtKinds("objects.forgotten", OpenDatabases::leaks);
    lookAtKinds("events.raised", OpenDatabases::events);
  }

  private Watched watch(OpenDatabase database) {
    List<String> taken = watched.values().stream().map(Watched::name).toList();
    String name = database.path();
    for (int i = 2; taken.contains(name); i++) { // it may be open twice, once read-only
      name = database.path() + "#" + i;
    }
    return new Watched(name, new Reading(database, MOST_FAMILIES), new HashMap<>(), new ArrayList<>());
  }

  private void lookAtFamilies(Watched database) {
    Set<Map<String, String>> parts = database.reading.parts();
    for (Map<String, String> removed : List.copyOf(database.series.keySet())) {
      if (!parts.contains(removed)) {
        database.series.remove(removed).forEach(this::remove);
      }
    }
    for (Map<String, String> part : parts) {
      if (!database.series.containsKey(part)) {
        database.reading.expire();
        database.series.put(part, seriesOf(database, part));
      }
    }
  }

  private void lookAtArchiver(OpenDatabase open, Watched database) {
    boolean isArchived = OpenDatabases.archiver(open.path()) != null;
    List<Series> series = database.ofArchiver;
    if (!isArchived) {
      series.forEach(this::remove);
      series.clear();
    } else if (series.isEmpty()) {
      Metric.ALL.stream().filter(metric -> metric.source() == Source.ARCHIVE).forEach(metric -> {
        DoubleSupplier value = () -> {
          ToDoubleFunction<String> archiver = OpenDatabases.archiver(open.path());
          return archiver == null ? Double.NaN : archiver.applyAsDouble(metric.question());
        };
        series.add(added(new Series(metric, Map.of("database", database.name), value)));
      });
    }
  }

  /**
   * Returns the series with known values: counts are unknown without statistics, and blob cache sizes without a blob
   * cache. Families beyond the limit have no counters: their sum falls when a family is closed, and a rate would take
   * the whole sum for an increase.
   */
  private List<Series> seriesOf(Watched database, Map<String, String> part) {
    Map<String, String> owner = new LinkedHashMap<>(Map.of("database", database.name));
    owner.putAll(part);
    List<Series> series = new ArrayList<>();
    for (int i = 0; i < Metric.ALL.size(); i++) {
      int metric = i; // for the lambda
      Series created = new Series(Metric.ALL.get(i), owner, () -> database.reading.value(part, metric));
      boolean isOfMany = part.equals(Reading.OTHERS) && created.metric().kind() == Kind.COUNTER;
      if (!isOfMany && !Double.isNaN(created.value())) {
        series.add(added(created));
      }
    }
    return series;
  }

  /** Adds a series for each new kind; it remains when its count is zero again. */
  private void lookAtKinds(String name, Supplier<Map<String, ? extends Number>> counts) {
    for (String kind : counts.get().keySet()) {
      DoubleSupplier value = () -> counts.get().get(kind) instanceof Number count ? count.doubleValue() : 0;
      ofKinds.computeIfAbsent(
          name + " " + kind, key -> added(new Series(metric(name), Map.of("kind", kind), value)));
    }
  }

  /** Returns the folders of the databases that were removed. */
  private List<String> removeUnless(Predicate<OpenDatabase> isOpen) {
    List<OpenDatabase> ended = watched.keySet().stream().filter(isOpen.negate()).toList();
    for (OpenDatabase closed : ended) {
      Watched last = watched.remove(closed);
      last.series.values().forEach(series -> series.forEach(this::remove));
      last.ofArchiver.forEach(this::remove);
    }
    return ended.stream().map(OpenDatabase::path).toList();
  }

  /** Removes all series, and ends the thread. */
  @Override
  public synchronized void close() {
    if (!isClosed) {
      isClosed = true;
      notifyAll();
      removeUnless(database -> false);
      ofKinds.values().forEach(this::remove);
      ofProcess.forEach(this::remove);
    }
  }
}
