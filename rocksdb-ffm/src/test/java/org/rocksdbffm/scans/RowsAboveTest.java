/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.scans;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.rocksdbffm.tools.Bytes.bytes;
import static org.rocksdbffm.tools.Bytes.random;
import static org.rocksdbffm.tools.Bytes.text;

import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.rocksdbffm.Cursor;
import org.rocksdbffm.FamilyOptions;
import org.rocksdbffm.IndexedBatch;
import org.rocksdbffm.KeyRange;
import org.rocksdbffm.KeyReader;
import org.rocksdbffm.KeyWriter;
import org.rocksdbffm.MergeOperator;
import org.rocksdbffm.RocksDb;
import org.rocksdbffm.Scan;
import org.rocksdbffm.Transaction;
import org.rocksdbffm.TransactionDb;
import org.rocksdbffm.TransactionalDb;
import org.rocksdbffm.tools.LiveObjectsCheck;

/**
 * Tests views of rows of a transaction or an indexed batch: rows that it has written are in memory that moves when it
 * grows.
 */
@ExtendWith(LiveObjectsCheck.class)
final class RowsAboveTest {
  private static final FamilyOptions CREATE =
      FamilyOptions.defaults().mergeOperator(MergeOperator.stringAppend(','));
  private static final KeyRange ROWS = KeyRange.prefix(bytes("k"));
  private static final int COUNT = 60;

  @TempDir Path folder;

  /** The kinds of uncommitted writes over a database. */
  enum Above {
    BATCH,
    LOCKING,
    OPTIMISTIC;

    RocksDb open(Path folder) {
      return switch (this) {
        case BATCH -> RocksDb.at(folder).defaults(CREATE).open();
        case LOCKING -> RocksDb.at(folder).defaults(CREATE).openTransactional();
        case OPTIMISTIC -> RocksDb.at(folder).defaults(CREATE).openOptimistic();
      };
    }

    Pending begin(RocksDb db) {
      if (db instanceof TransactionalDb transactional) {
        Transaction transaction = transactional.begin();
        return new Pending(transaction, transaction, transaction, transaction::rollback);
      }
      IndexedBatch batch = db.indexedBatch();
      return new Pending(batch, batch, batch, batch::clear);
    }
  }

  /** A transaction or batch as a reader, a writer and a closeable object, all of which are the same object. */
  private record Pending(KeyReader reader, KeyWriter writer, AutoCloseable open, Runnable undo)
      implements AutoCloseable {
    @Override
    public void close() {
      try {
        open.close();
      } catch (Exception e) {
        throw new AssertionError(e);
      }
    }
  }

  private static byte[] key(int i) {
    return bytes("k%05d".formatted(i));
  }

  /**
   * Writes rows to the database and to the transaction or batch, some of which overwrite, merge into or delete database
   * rows; half of the database rows are in files. Returns the expected rows.
   */
  private static NavigableMap<String, byte[]> write(RocksDb db, Pending pending, int size) {
    NavigableMap<String, byte[]> rows = new TreeMap<>();
    for (int i = 0; i < COUNT; i++) {
      if (i == COUNT / 2) {
        db.flush();
      }
      if (i % 3 != 1) {
        db.put(key(i), random(size, i));
        rows.put(text(key(i)), random(size, i));
      }
      if (i % 4 == 1) {
        pending.writer().put(key(i), random(size, -i));
        rows.put(text(key(i)), random(size, -i));
      }
      if (i % 7 == 3) {
        pending.writer().merge(key(i), bytes("more"));
        rows.merge(text(key(i)), bytes("more"), RowsAboveTest::appended);
      }
      if (i % 11 == 5) {
        pending.writer().delete(key(i));
        rows.remove(text(key(i)));
      }
    }
    return rows;
  }

  private static byte[] appended(byte[] value, byte[] operand) {
    byte[] both = Arrays.copyOf(value, value.length + 1 + operand.length);
    both[value.length] = ',';
    System.arraycopy(operand, 0, both, value.length + 1, operand.length);
    return both;
  }

  private static void assertRow(Map.Entry<String, byte[]> row, MemorySegment key, MemorySegment value) {
    assertEquals(-1, key.mismatch(MemorySegment.ofArray(bytes(row.getKey()))), row.getKey());
    assertEquals(-1, value.mismatch(MemorySegment.ofArray(row.getValue())), row.getKey());
  }

  @ParameterizedTest
  @CsvSource({
    "BATCH, 100", "BATCH, 4096", "BATCH, 65536",
    "LOCKING, 100", "LOCKING, 4096", "LOCKING, 65536",
    "OPTIMISTIC, 100", "OPTIMISTIC, 4096", "OPTIMISTIC, 65536"
  })
  void viewsOfAScannedRowStayWhatTheyWereWhileMoreIsWritten(Above above, int size) {
    try (RocksDb db = above.open(folder);
        Pending pending = above.begin(db)) {
      NavigableMap<String, byte[]> rows = write(db, pending, size);
      for (boolean backward : new boolean[] {false, true}) {
        NavigableMap<String, byte[]> left = backward ? rows.descendingMap() : rows;
        try (Scan scan = backward ? pending.reader().scanBackward(ROWS) : pending.reader().scan(ROWS)) {
          for (Map.Entry<String, byte[]> row : left.entrySet()) {
            assertTrue(scan.next());
            MemorySegment key = scan.key();
            MemorySegment value = scan.value();
            pending.writer().put(bytes("z" + row.getKey() + backward), random(30_000, 1));
            assertRow(row, key, value);
            assertArrayEquals(bytes(row.getKey()), scan.keyBytes());
            assertArrayEquals(row.getValue(), scan.valueBytes());
          }
          assertFalse(scan.next());
        }
      }
    }
  }

  @ParameterizedTest
  @CsvSource({
    "BATCH, 100", "BATCH, 4096", "BATCH, 65536",
    "LOCKING, 100", "LOCKING, 4096", "LOCKING, 65536",
    "OPTIMISTIC, 100", "OPTIMISTIC, 4096", "OPTIMISTIC, 65536"
  })
  void viewsOfACursorsRowStayWhatTheyWereWhileItIsWrittenAnew(Above above, int size) {
    try (RocksDb db = above.open(folder);
        Pending pending = above.begin(db)) {
      NavigableMap<String, byte[]> rows = write(db, pending, size);
      try (Cursor cursor = pending.reader().cursor(ROWS)) {
        List<Map.Entry<String, byte[]>> walk = new ArrayList<>(rows.entrySet());
        walk.addAll(rows.descendingMap().entrySet().stream().skip(1).toList());
        Iterator<Map.Entry<String, byte[]>> next = walk.iterator();
        for (int i = 0; next.hasNext(); i++) {
          assertTrue(i == 0 ? cursor.first() : i < rows.size() ? cursor.next() : cursor.previous());
          Map.Entry<String, byte[]> row = next.next();
          MemorySegment key = cursor.key();
          MemorySegment value = cursor.value();
          // Writes the same bytes again, to another place in the batch.
          pending.writer().put(bytes(row.getKey()), row.getValue());
          pending.writer().put(bytes("z" + i), random(30_000, 1));
          assertRow(row, key, value);
          assertArrayEquals(row.getValue(), cursor.valueBytes());
        }
        MemorySegment value = cursor.value();
        pending.undo().run();
        if (size > 1024) {
          assertThrows(IllegalStateException.class, () -> value.get(JAVA_BYTE, 0));
        }
        assertThrows(IllegalStateException.class, cursor::next);
      }
    }
  }

  @ParameterizedTest
  @EnumSource(Above.class)
  void aLargeRowOfTheDatabaseIsSeenWhereTheEngineHasItAndOneThatIsPendingIsNot(Above above) {
    try (RocksDb db = above.open(folder);
        Pending pending = above.begin(db)) {
      db.put(key(1), random(65_536, 1));
      db.put(key(2), random(65_536, 2));
      db.flush();
      pending.writer().put(key(3), random(65_536, 3));
      try (Scan alone = db.scan(ROWS);
          Scan merged = pending.reader().scan(ROWS)) {
        for (int i = 1; i <= 2; i++) {
          assertTrue(alone.next() && merged.next());
          assertEquals(alone.value().address(), merged.value().address());
        }
        assertTrue(merged.next());
        MemorySegment written = merged.value();
        long place = written.address();
        for (int i = 0; i < 50; i++) {
          pending.writer().put(key(10 + i), random(65_536, i));
        }
        assertEquals(place, merged.value().address());
        assertEquals(-1, written.mismatch(MemorySegment.ofArray(random(65_536, 3))));
      }
    }
  }

  @ParameterizedTest
  @EnumSource(Above.class)
  void aViewOfARowOutlivesAnEndByAnotherThread(Above above) throws Exception {
    try (RocksDb db = above.open(folder);
        ExecutorService other = Executors.newSingleThreadExecutor()) {
      db.put(key(1), random(65_536, 1));
      db.flush();
      for (int own = 0; own < 2; own++) {
        Pending pending = above.begin(db);
        pending.writer().put(key(0), random(65_536, 0));
        Scan scan = pending.reader().scan(ROWS);
        for (int i = 0; i < 2 - own; i++) {
          assertTrue(scan.next());
        }
        MemorySegment value = scan.value();
        other.submit(pending::close).get();
        assertEquals(-1, value.mismatch(MemorySegment.ofArray(random(65_536, 1 - own))));
        assertThrows(IllegalStateException.class, scan::next);
        assertThrows(IllegalStateException.class, () -> value.get(JAVA_BYTE, 0));
        scan.close();
      }
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aScanGoesOnInATransactionThatWasPrepared(boolean backward) {
    NavigableMap<String, byte[]> rows;
    try (TransactionDb db = RocksDb.at(folder).defaults(CREATE).openTransactional()) {
      Transaction transaction = db.begin();
      Pending pending = new Pending(transaction, transaction, transaction, transaction::rollback);
      rows = write(db, pending, 65_536);
      try (Scan scan = backward ? transaction.scanBackward(ROWS) : transaction.scan(ROWS)) {
        boolean first = true;
        for (Map.Entry<String, byte[]> row : (backward ? rows.descendingMap() : rows).entrySet()) {
          assertTrue(scan.next());
          MemorySegment key = scan.key();
          MemorySegment value = scan.value();
          if (first) {
            transaction.prepare("prepared");
            first = false;
          }
          assertRow(row, key, value);
        }
      }
      transaction.close();
      Transaction again = db.prepared().getFirst();
      again.commit();
      try (Scan scan = db.scan(ROWS)) {
        for (Map.Entry<String, byte[]> row : rows.entrySet()) {
          assertTrue(scan.next());
          assertRow(row, scan.key(), scan.value());
        }
      }
    }
  }

  @Test
  void oneThreadLooksAtARowWhileAnotherWrites() throws Exception {
    Semaphore mayWrite = new Semaphore(0);
    Semaphore mayLook = new Semaphore(0);
    try (RocksDb db = Above.BATCH.open(folder);
        Pending pending = Above.BATCH.begin(db);
        ExecutorService other = Executors.newSingleThreadExecutor()) {
      NavigableMap<String, byte[]> rows = write(db, pending, 65_536);
      var writing = other.submit(() -> {
        for (int i = 0; i < rows.size(); i++) {
          mayWrite.acquireUninterruptibly();
          pending.writer().put(bytes("z" + i), random(50_000, i));
          mayLook.release();
        }
      });
      try (Scan scan = pending.reader().scan(ROWS)) {
        for (Map.Entry<String, byte[]> row : rows.entrySet()) {
          assertTrue(scan.next());
          MemorySegment key = scan.key();
          MemorySegment value = scan.value();
          mayWrite.release();
          mayLook.acquire();
          assertRow(row, key, value);
        }
      }
      writing.get();
    }
  }
}
