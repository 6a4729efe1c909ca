/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.compat.lifetime;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.rocksdbffm.compat.support.Scratch;
import org.rocksdbffm.internal.call.Call;
import org.rocksdbffm.internal.call.Handle;
import org.rocksdbffm.internal.jfr.FlightRecords;

/**
 * The open databases as the Flight Recorder sees them: whether they hold up writes, how many objects are open, and how they
 * end. The recorder keeps whom it asks, and the class loader of that, so it asks only while a database is open. Thread-safe.
 */
public final class Recordings {
  private static final Recordings OF_LOADER = new Recordings();
  private static final String STOPPED = "rocksdb.is-write-stopped";
  private static final String DELAYED = "rocksdb.actual-delayed-write-rate";

  private record Open(Handle handle, long pointer) {}

  // Read without a lock, because the Flight Recorder asks within its own.
  private final Set<Open> open = ConcurrentHashMap.newKeySet();

  // Guarded by this, which no code takes that the Flight Recorder calls.
  private int count;
  private Runnable end;

  private Recordings() {}

  static void opened(Handle database, long pointer) {
    OF_LOADER.add(new Open(database, pointer));
  }

  static void gone(Handle database, long pointer) {
    OF_LOADER.remove(new Open(database, pointer));
  }

  private void add(Open database) {
    open.add(database);
    synchronized (this) {
      count++;
      if (count == 1) {
        end = FlightRecords.whileRecording(this::recordStalls, Recordings::recordCounts);
      }
    }
  }

  private void remove(Open database) {
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
  static void close(long database, Runnable destruction) {
    long began = FlightRecords.begin();
    String name = began == 0 ? null : path(database);
    destruction.run();
    FlightRecords.closed(name, began, 0);
  }

  private static void recordCounts() {
    OpenObjects.counts().forEach((name, count) -> FlightRecords.alive(name, count, 0));
  }

  private void recordStalls() {
    open.forEach(Recordings::recordStall);
  }

  private static void recordStall(Open database) {
    Call call;
    try {
      call = Call.enter(database.handle);
    } catch (IllegalStateException closed) {
      return; // and so it is in no stall
    }
    try {
      long stopped = number(database.pointer, STOPPED);
      long delayed = number(database.pointer, DELAYED);
      if (stopped != 0 || delayed != 0) {
        FlightRecords.stalled(path(database.pointer), stopped != 0, delayed);
      }
    } finally {
      call.exit();
    }
  }

  /** The folder of an open database. */
  public static String path(long db) {
    return Java_org_rocksdb_RocksDB_getName(db);
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

  private static native String Java_org_rocksdb_RocksDB_getName(long db);

  private static native int rocksdb_property_int(long db, long property, long value);
}
