/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.compat.database;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.reflect.Method;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.rocksdb.Options;
import org.rocksdb.PerfContext;
import org.rocksdb.PerfLevel;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksIterator;

/** Perf contexts, the engine's counters for one thread. */
class PerfContextTest {
  @TempDir Path folder;
  private Options options;
  private RocksDB db;

  @BeforeEach
  void open() throws RocksDBException {
    RocksDB.loadLibrary();
    options = new Options().setCreateIfMissing(true);
    db = RocksDB.open(options, folder.toString());
    db.setPerfLevel(PerfLevel.ENABLE_COUNT);
  }

  @AfterEach
  void close() {
    db.setPerfLevel(PerfLevel.DISABLE);
    db.close();
    options.close();
  }

  /** Not compared with rocksdbjni, which sometimes counted nothing. */
  @Test
  void whatThisThreadDidIsCounted() throws RocksDBException {
    PerfContext context = db.getPerfContext();
    context.reset();
    db.put(new byte[] {1}, new byte[] {2});
    db.get(new byte[] {1});
    assertEquals(1, context.getFromMemtableCount());
    assertTrue(context.toString(true).contains("get_from_memtable_count = 1"), context.toString(true));
    assertTrue(context.toString(false).contains("block_read_count = 0"), context.toString(false));
  }

  @Test
  void aThreadCountsUnlessToldNotTo() throws Exception {
    db.put(new byte[] {1}, new byte[] {2});
    FutureTask<List<Long>> task = new FutureTask<>(this::countsOfThisThread);
    Thread.ofPlatform().start(task);
    assertEquals(List.of(3L, 1L), task.get());
  }

  private List<Long> countsOfThisThread() throws RocksDBException {
    db.get(new byte[] {1});
    db.get(new byte[] {1}, new byte[1]);
    db.multiGetAsList(List.of(new byte[] {1}));
    try (RocksIterator iterator = db.newIterator()) {
      iterator.seek(new byte[] {1});
    }
    try (PerfContext context = db.getPerfContext()) {
      return List.of(context.getFromMemtableCount(), context.getSeekOnMemtableCount());
    }
  }

  /** The memory of a context is freed with its thread: another thread would read reused memory. */
  @Test
  void anotherThreadIsRefused() throws Exception {
    FutureTask<PerfContext> task = new FutureTask<>(db::getPerfContext);
    Thread thread = Thread.ofPlatform().name("counted").start(task);
    PerfContext context = task.get();
    thread.join();
    assertEquals(
        "this counts what the thread counted does, and lies in its memory: only that may look at it",
        assertThrows(IllegalStateException.class, context::getBlockReadCount).getMessage());
    context.close();
    PerfContext own = db.getPerfContext();
    own.close();
    assertThrows(IllegalStateException.class, own::reset);
  }

  @Test
  void thatOfAVirtualThreadCountsNothing() throws Exception {
    try (var executor = Executors.newVirtualThreadPerTaskExecutor()) {
      PerfContext context = executor.submit(() -> {
        db.setPerfLevel(PerfLevel.ENABLE_COUNT);
        PerfContext its = db.getPerfContext();
        db.get(new byte[] {1});
        its.reset();
        return its;
      }).get();
      for (Method method : PerfContext.class.getMethods()) {
        if (method.getDeclaringClass() == PerfContext.class && method.getReturnType() == long.class) {
          assertEquals(0L, method.invoke(context), method.getName());
        }
      }
      assertEquals("", context.toString(true));
      context.close();
    }
  }
}
