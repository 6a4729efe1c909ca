/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.compat.lifetime;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.rocksdb.RocksDBException;
import org.rocksdbffm.compat.database.Properties;
import org.rocksdbffm.internal.jfr.FlightRecords;

/**
 * The open databases as the Flight Recorder sees them: whether they hold up writes, how many objects are open, and how they
 * end. The recorder keeps whom it asks, and the class loader of that, so it asks only while a database is open. Thread-safe.
 */
final class Recordings {
  private static final Recordings OF_LOADER = new Recordings();
  private static final String STOPPED = "rocksdb.is-write-stopped";
  private static final String DELAYED = "rocksdb.actual-delayed-write-rate";

  // Read without a lock, because the Flight Recorder asks within its own.
  private final Set<Guard> open = ConcurrentHashMap.newKeySet();

  // Guarded by this, which no code takes that the Flight Recorder calls.
  private int count;
  private Runnable end;

  private Recordings() {}

  static void opened(Guard database) {
    OF_LOADER.add(database);
  }

  static void gone(Guard database) {
    OF_LOADER.remove(database);
  }

  private void add(Guard database) {
    open.add(database);
    synchronized (this) {
      count++;
      if (count == 1) {
        end = FlightRecords.whileRecording(this::recordStalls, Recordings::recordCounts);
      }
    }
  }

  private void remove(Guard database) {
    if (!open.remove(database)) {
      return;
    }
    synchronized (this) {
      count--;
      if (count == 0) {
        end.run();
      }
    }
  }

  /** Destroys a database, and records that if there is a recording. */
  static void close(Guard database, Runnable destruction) {
    long began = FlightRecords.begin();
    String name = began == 0 ? null : Membership.path(database.pointer());
    destruction.run();
    FlightRecords.closed(name, began, 0);
  }

  private static void recordCounts() {
    OpenObjects.counts().forEach((name, count) -> FlightRecords.alive(name, count, 0));
  }

  private void recordStalls() {
    open.forEach(Recordings::recordStall);
  }

  private static void recordStall(Guard database) {
    Object used = null;
    try {
      used = Guard.use(database, null);
      long stopped = Properties.number(database.pointer(), 0, STOPPED, STOPPED.length());
      long delayed = Properties.number(database.pointer(), 0, DELAYED, DELAYED.length());
      if (stopped != 0 || delayed != 0) {
        FlightRecords.stalled(Membership.path(database.pointer()), stopped != 0, delayed);
      }
    } catch (IllegalStateException | RocksDBException closed) {
      return; // and so it is in no stall
    } finally {
      Guard.leave(used);
    }
  }
}
