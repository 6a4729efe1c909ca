/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.db;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.rocksdbffm.internal.jfr.FlightRecords;
import org.rocksdbffm.internal.leak.LiveObjects;

/**
 * The databases that the engine has open. While there are any, the Flight Recorder asks for their state; it keeps whom it
 * asks, and the class loader of that, so it is told when the last one is gone. Thread-safe.
 */
final class OpenDatabases {
  private static final OpenDatabases OF_LOADER = new OpenDatabases();

  // Read without a lock, because the Flight Recorder asks within its own.
  private final Set<Database> open = ConcurrentHashMap.newKeySet();

  // Guarded by this, which no code takes that the Flight Recorder calls.
  private int count;
  private Runnable stopRecording;

  private OpenDatabases() {
    LiveObjects.PINS.countBy(OpenDatabases::pins);
  }

  static void add(Database database) {
    OF_LOADER.opened(database);
  }

  static void remove(Database database) {
    OF_LOADER.closed(database);
  }

  static long pins() {
    return OF_LOADER.open.stream().mapToLong(database -> database.pins().count()).sum();
  }

  private void opened(Database database) {
    open.add(database);
    synchronized (this) {
      count++;
      if (count == 1) {
        stopRecording =
            FlightRecords.whileRecording(() -> open.forEach(Database::recordStall), OpenDatabases::recordCounts);
      }
    }
  }

  private void closed(Database database) {
    open.remove(database);
    synchronized (this) {
      count--;
      if (count == 0) {
        stopRecording.run();
      }
    }
  }

  private static void recordCounts() {
    LiveObjects.report().forEach((kind, count) -> FlightRecords.alive(kind.name(), count, kind.bytes()));
  }
}
