/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.crash;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.rocksdbffm.ColumnFamily;
import org.rocksdbffm.Cursor;
import org.rocksdbffm.FamilyOptions;
import org.rocksdbffm.PinnedValue;
import org.rocksdbffm.PinnedValues;
import org.rocksdbffm.RocksDb;
import org.rocksdbffm.tools.LiveObjectsCheck;

/** Cases that must not crash a JVM when a database or family with pinned values is closed; see {@link CrashTest}. */
final class PinCrashCases extends CrashCase {
  PinCrashCases(Path folder) {
    super(folder);
  }

  void pinsOutliveTheirFamily() {
    try (RocksDb db = RocksDb.open(folder)) {
      for (int round = 0; round < 20; round++) {
        ColumnFamily family = db.createFamily("family" + round, FamilyOptions.defaults());
        for (int i = 0; i < ROWS; i++) {
          family.put(bytes("key" + i), large(i));
        }
        family.flush();
        List<PinnedValue> pins = new ArrayList<>();
        for (int i = 0; i < ROWS; i++) {
          pins.add(family.getPinned(bytes("key" + i)));
        }
        PinnedValues many = db.multiGet().add(family, bytes("key1")).add(family, bytes("key2")).get();
        db.dropFamily(family);
        family.close();
        for (int i = 0; i < ROWS; i++) {
          require(pins.get(i).segment().get(ValueLayout.JAVA_BYTE, LARGE - 1) == (byte) i, "pinned value");
          pins.get(i).close();
        }
        require(many.segment(1).get(ValueLayout.JAVA_BYTE, 0) == 2, "pinned values");
        many.close();
      }
    }
  }

  void pinsAreReleasedElsewhereAfterTheClose() throws Exception {
    RocksDb db = filled();
    Queue<PinnedValue> pins = new ConcurrentLinkedQueue<>();
    for (int i = 1; i < ROWS; i += 2) {
      pins.add(db.getPinned(bytes("key" + i)).retain());
    }
    db.close();
    inThreads(
        () -> {
          for (PinnedValue pin = pins.poll(); pin != null; pin = pins.poll()) {
            try (PinnedValue.View view = pin.view()) {
              require(view.segment().byteSize() == LARGE, "size");
              require(view.segment().get(ValueLayout.JAVA_BYTE, 17) == view.segment().get(ValueLayout.JAVA_BYTE, 0),
                  "");
            }
            pin.close();
            pin.close();
            pin.close();
          }
        });
    RocksDb.open(folder).close();
  }

  private static void inThreads(Runnable work) throws Exception {
    try (ExecutorService threads = Executors.newFixedThreadPool(THREADS)) {
      List<Future<?>> running = new ArrayList<>();
      for (int i = 0; i < THREADS; i++) {
        running.add(threads.submit(work));
      }
      for (Future<?> each : running) {
        each.get();
      }
    }
  }

  void arenaOfTheCollectorReleasesAfterTheClose() throws Exception {
    RocksDb db = filled();
    readIntoAutoArena(db);
    db.close();
    LiveObjectsCheck.awaitNone();
    RocksDb.open(folder).close();
  }

  private static void readIntoAutoArena(RocksDb db) {
    for (int i = 1; i < ROWS; i += 2) {
      MemorySegment value = db.get(bytes("key" + i), Arena.ofAuto());
      require(value.get(ValueLayout.JAVA_BYTE, LARGE - 1) == (byte) i, "value in an arena");
    }
  }

  void largeRowIsReadWhileAllIsClosed() throws Exception {
    for (int round = 0; round < 50; round++) {
      RocksDb db = filled();
      Cursor cursor = db.cursor();
      require(cursor.seek(bytes("key1")), "seek");
      MemorySegment value = cursor.value();
      Thread closer = Thread.ofPlatform().start(round % 2 == 0 ? cursor::close : db::close);
      for (int i = 0; i < 20 * LARGE; i++) {
        require(value.get(ValueLayout.JAVA_BYTE, i % LARGE) == 1, "row");
      }
      closer.join();
      db.close();
      require(value.get(ValueLayout.JAVA_BYTE, 9) == 1, "row after the close");
      try {
        cursor.next();
        throw new AssertionError("a closed cursor moved");
      } catch (IllegalStateException closed) {
        require(closed.getMessage().endsWith("is closed"), closed.toString());
      }
      cursor.close();
      require(!value.scope().isAlive(), "the view outlives its iterator");
      LiveObjectsCheck.assertNone();
    }
  }
}
