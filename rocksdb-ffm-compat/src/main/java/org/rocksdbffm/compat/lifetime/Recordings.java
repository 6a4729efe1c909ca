/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.compat.lifetime;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.rocksdbffm.compat.support.Scratch;
import org.rocksdbffm.internal.call.Call;
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
      long stopped = number(database.pointer(), STOPPED);
      long delayed = number(database.pointer(), DELAYED);
      if (stopped != 0 || delayed != 0) {
        FlightRecords.stalled(Membership.path(database.pointer()), stopped != 0, delayed);
      }
    } catch (IllegalStateException closed) {
      return; // and so it is in no stall
    } finally {
      Guard.leave(used);
    }
  }

  /** A property of the default column family; 0 where the engine does not have it. */
  private static long number(long db, String property) {
    Call call = Scratch.enter();
    try {
      boolean isKnown =
          rocksdb_property_int(Scratch.wrap(call, 0, db), Scratch.text(call, property), call.sizeCell.address()) == 0;
      return isKnown ? call.sizeInCell() : 0;
    } finally {
      call.exit();
    }
  }

  private static native int rocksdb_property_int(long db, long property, long value);
}
