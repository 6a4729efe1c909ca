/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.compat.lifetime;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.rocksdb.AbstractEventListener;
import org.rocksdb.AbstractTraceWriter;
import org.rocksdb.ColumnFamilyDescriptor;
import org.rocksdb.ColumnFamilyHandle;
import org.rocksdb.FlushJobInfo;
import org.rocksdb.FlushOptions;
import org.rocksdb.HyperClockCache;
import org.rocksdb.InfoLogLevel;
import org.rocksdb.Logger;
import org.rocksdb.OptimisticTransactionDB;
import org.rocksdb.Options;
import org.rocksdb.ReadOptions;
import org.rocksdb.RocksDB;
import org.rocksdb.Slice;
import org.rocksdb.TraceOptions;

/** Objects that the engine passes to callbacks and programs are closed with their native objects. */
class CallbackLoansTest {
  @TempDir Path folder;

  private static final byte[] KEY = {1};

  @Test
  void whatATraceWriterIsGivenEndsWithTheCallback() throws Exception {
    AtomicReference<Slice> kept = new AtomicReference<>();
    try (AbstractTraceWriter writer =
            new AbstractTraceWriter() {
              @Override
              public void write(Slice slice) {
                kept.set(slice);
                assertTrue(slice.size() > 0);
                slice.clear(); // the engine owns the bytes
              }

              @Override
              public long getFileSize() {
                return 0;
              }

              @Override
              public void closeWriter() {}
            };
        RocksDB db = RocksDB.open(folder.toString())) {
      db.startTrace(new TraceOptions(), writer);
      db.put(KEY, KEY);
      db.endTrace();
      assertThrows(IllegalStateException.class, () -> kept.get().size());
      assertThrows(IllegalStateException.class, () -> kept.get().clear());
      String again =
          assertThrows(IllegalStateException.class, () -> db.startTrace(new TraceOptions(), writer)).getMessage();
      assertTrue(again.startsWith("AbstractTraceWriter was given to a trace already"), again);
    }
  }

  @Test
  void aListenersDatabaseLivesAsLongAsTheProgramsOwn() throws Exception {
    AtomicReference<RocksDB> kept = new AtomicReference<>();
    try (AbstractEventListener listener =
            new AbstractEventListener() {
              @Override
              public void onFlushBegin(RocksDB its, FlushJobInfo info) {
                kept.set(its);
              }
            };
        Options options = new Options().setCreateIfMissing(true).setListeners(List.of(listener))) {
      RocksDB db = RocksDB.open(options, folder.toString());
      db.put(KEY, KEY);
      try (FlushOptions flush = new FlushOptions()) {
        db.flush(flush);
      }
      assertArrayEquals(KEY, kept.get().get(KEY));
      db.close();
      assertThrows(IllegalStateException.class, () -> kept.get().get(KEY));
    }
  }

  @Test
  void aListenersFamilyEndsWithTheCallback() throws Exception {
    AtomicReference<ColumnFamilyHandle> kept = new AtomicReference<>();
    try (AbstractEventListener listener =
            new AbstractEventListener() {
              @Override
              public void onColumnFamilyHandleDeletionStarted(ColumnFamilyHandle family) {
                kept.set(family);
              }
            };
        Options options = new Options().setCreateIfMissing(true).setListeners(List.of(listener));
        RocksDB db = RocksDB.open(options, folder.toString())) {
      db.createColumnFamily(new ColumnFamilyDescriptor(KEY)).close();
      assertEquals(
          "ColumnFamilyHandle is closed",
          assertThrows(IllegalStateException.class, () -> db.put(kept.get(), KEY, KEY)).getMessage());
    }
  }

  @Test
  void aListenersDatabaseIsNoEarlierOneThatHadItsPointer() throws Exception {
    AtomicReference<RocksDB> kept = new AtomicReference<>();
    try (AbstractEventListener listener =
            new AbstractEventListener() {
              @Override
              public void onFlushBegin(RocksDB its, FlushJobInfo info) {
                kept.set(its);
              }
            };
        Options options = new Options().setCreateIfMissing(true).setListeners(List.of(listener))) {
      boolean hadItsPointer = false;
      for (int attempt = 0; attempt < 20 && !hadItsPointer; attempt++) {
        RocksDB base;
        try (OptimisticTransactionDB earlier =
            OptimisticTransactionDB.open(options, folder.resolve("earlier").toString())) {
          base = earlier.getBaseDB();
        }
        try (RocksDB db = RocksDB.open(options, folder.resolve("db").toString());
            FlushOptions flush = new FlushOptions()) {
          hadItsPointer = db.getNativeHandle() == base.getNativeHandle();
          db.put(KEY, KEY);
          db.flush(flush);
          assertArrayEquals(KEY, kept.get().get(KEY));
        }
      }
      assumeTrue(hadItsPointer, "the memory allocator gave no pointer twice");
    }
  }

  @Test
  void aBoundThatOptionsGiveBackCanBeCleared() {
    try (Slice bound = new Slice("bound"); ReadOptions options = new ReadOptions().setIterateUpperBound(bound)) {
      Slice same = options.iterateUpperBound();
      assertEquals("bound", same.toString());
      same.removePrefix(2); // moves the start of the slice, but not the address that the first object frees
      same.clear();
      assertEquals(0, same.size());
    }
  }

  @Test
  void aClosedLoggerIsRefused() {
    Logger logger =
        new Logger(InfoLogLevel.INFO_LEVEL) {
          @Override
          protected void log(InfoLogLevel level, String message) {}
        };
    logger.close();
    try (Options options = new Options()) {
      assertThrows(IllegalStateException.class, () -> options.setLogger(logger));
    }
  }

  @Test
  void aFamilyMadeOfAnotherDatabasesDescriptorHasItsFilesInItsOwnFolder() throws Exception {
    Path mine = folder.resolve("mine");
    Path other = folder.resolve("other");
    try (RocksDB db = RocksDB.open(mine.toString());
        RocksDB its = RocksDB.open(other.toString());
        ColumnFamilyHandle family = its.createColumnFamily(new ColumnFamilyDescriptor(KEY));
        ColumnFamilyHandle same = db.createColumnFamily(family.getDescriptor());
        FlushOptions flush = new FlushOptions()) {
      db.put(same, KEY, KEY);
      db.flush(flush, same);
      assertEquals(1, tables(mine));
      assertEquals(0, tables(other));
    }
  }

  private static int tables(Path folder) {
    return folder.toFile().list((its, name) -> name.endsWith(".sst")).length;
  }

  @Test
  void aCacheWithoutRoomForAnEntryIsRefused() {
    assertThrows(IllegalArgumentException.class, () -> new HyperClockCache(0, 16, -1, true));
    assertThrows(IllegalArgumentException.class, () -> new HyperClockCache(1, 1L << 40, 0, false));
    new HyperClockCache(1000, 100, 4, false).close();
  }
}
