/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.compat.sweep;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.zip.CRC32;
import org.rocksdb.FlushOptions;
import org.rocksdb.Options;
import org.rocksdb.ReadOptions;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksIterator;

/**
 * The ordinary use of a database with certain options: written by several threads, flushed, compacted, scanned and
 * reopened.
 */
final class Workload {
  /** Precedes the entries after a reopening, if they differ. */
  static final String AGAIN = ", after reopening ";

  private static final int FLUSHES = 4;
  private static final int THREADS = 4;
  private static final int ROWS = 60;
  private static final int BUSY_THREADS = 8;
  private static final int BUSY_ROWS = 400;

  /** How long threads write while the database is repeatedly flushed and compacted. */
  private final Duration busy;

  Workload(Duration busy) {
    this.busy = busy;
  }

  /** Opens a database repeatedly with prepared options; describes the entries that it contained. */
  interface Opening {
    RocksDB open(String path) throws RocksDBException;
  }

  String run(Options options, Path folder) throws Exception {
    return run(path -> RocksDB.open(options, path), folder);
  }

  String run(Opening opening, Path folder) throws Exception {
    String path = folder.toString();
    String written;
    try (RocksDB db = opening.open(path)) {
      for (int flush = 0; flush < FLUSHES; flush++) {
        fill(db, flush);
        try (FlushOptions flushing = new FlushOptions()) {
          db.flush(flushing);
        }
        db.delete(key(0, flush));
      }
      db.compactRange();
      if (busy.isPositive()) {
        beBusy(db);
      }
      String scanned = Scans.over(db);
      fill(db, FLUSHES);
      written = rows(db) + scanned;
    }
    try (RocksDB db = opening.open(path)) {
      String again = rows(db) + Scans.over(db);
      return written.equals(again) ? written : written + AGAIN + again;
    }
  }

  private static void fill(RocksDB db, int flush) throws Exception {
    inThreads(THREADS, thread -> {
      for (int row = 0; row < ROWS; row++) {
        db.put(key(thread, row), ("v" + flush + "." + row).repeat(20).getBytes(UTF_8));
        if (row % 16 == 0 && db.get(key(thread, row)) == null) {
          throw new IllegalStateException("a row that was just written is not found");
        }
      }
    });
  }

  /** Writes and deletes separate entries, so that the entries of other threads stay the same. */
  private void beBusy(RocksDB db) throws Exception {
    long end = System.nanoTime() + busy.toNanos();
    inThreads(BUSY_THREADS + 1, thread -> {
      for (int i = 0; System.nanoTime() < end; i++) {
        if (thread == BUSY_THREADS) {
          try (FlushOptions flushing = new FlushOptions()) {
            db.flush(flushing);
          }
          if (i % 4 == 0) {
            db.compactRange();
          }
        } else {
          db.put(key(THREADS + thread, i % BUSY_ROWS), ("busy" + i).repeat(40).getBytes(UTF_8));
        }
      }
    });
    for (int thread = 0; thread < BUSY_THREADS; thread++) {
      for (int row = 0; row < BUSY_ROWS; row++) {
        db.delete(key(THREADS + thread, row));
      }
    }
  }

  /** The work of one of several threads. */
  interface Task {
    void run(int thread) throws Exception;
  }

  static void inThreads(int threads, Task task) throws Exception {
    ExecutorService pool = Executors.newFixedThreadPool(threads);
    try {
      List<Callable<Void>> tasks = new ArrayList<>();
      for (int i = 0; i < threads; i++) {
        int thread = i;
        tasks.add(() -> {
          task.run(thread);
          return null;
        });
      }
      for (Future<Void> one : pool.invokeAll(tasks)) {
        one.get();
      }
    } finally {
      pool.shutdownNow();
    }
  }

  private static byte[] key(int thread, int row) {
    return "thread%02d-row%05d".formatted(thread, row).getBytes(UTF_8);
  }

  /** Reads each entry by key, and all entries forward and backward, if the table format supports it. */
  private static String rows(RocksDB db) throws RocksDBException {
    CRC32 crc = new CRC32();
    int found = 0;
    for (int thread = 0; thread < THREADS; thread++) {
      for (int row = 0; row < ROWS; row++) {
        byte[] value = db.get(key(thread, row));
        if (value != null) {
          found++;
          crc.update(value);
        }
      }
    }
    int forward = forward(db, crc);
    return "%d found, %d forward, %s backward, %08x".formatted(found, forward, backward(db), crc.getValue());
  }

  /** Scans all entries, or if the table format does not support that, the entries with a common prefix. */
  private static int forward(RocksDB db, CRC32 crc) throws RocksDBException {
    try (ReadOptions whole = new ReadOptions().setTotalOrderSeek(true)) {
      return forward(db, whole, crc);
    } catch (RocksDBException e) {
      try (ReadOptions prefixes = new ReadOptions()) {
        return forward(db, prefixes, crc);
      }
    }
  }

  private static int forward(RocksDB db, ReadOptions reading, CRC32 crc) throws RocksDBException {
    int forward = 0;
    try (RocksIterator rows = db.newIterator(reading)) {
      for (rows.seekToFirst(); rows.isValid(); rows.next()) {
        forward++;
        crc.update(rows.key());
        crc.update(rows.value());
      }
      rows.status();
    }
    return forward;
  }

  private static String backward(RocksDB db) {
    int rows = 0;
    try (ReadOptions whole = new ReadOptions().setTotalOrderSeek(true);
        RocksIterator iterator = db.newIterator(whole)) {
      for (iterator.seekToLast(); iterator.isValid(); iterator.prev()) {
        rows++;
      }
      iterator.status();
      return Integer.toString(rows);
    } catch (RocksDBException e) {
      return "none";
    }
  }
}
