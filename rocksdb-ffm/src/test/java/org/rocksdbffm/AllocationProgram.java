/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm;

import com.sun.management.ThreadMXBean;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;

/** Prints how many bytes of heap one operation allocates after it was compiled. */
final class AllocationProgram {
  static final int KEY_SIZE = 16;
  static final int VALUE_SIZE = 100;

  private static final int LARGE_VALUE_SIZE = 16 << 10; // large values are copied in another way than small ones
  private static final int ROWS = 1000;
  private static final int OPERATIONS = 100_000;
  private static final int WARM_UP_ROUNDS = 5;

  /** The number of measured rounds, of which the minimum counts, because on a busy machine the compiler may be late. */
  private static final int ROUNDS = 5;

  /** The measured operations; each uses the next key or row. */
  enum Operation {
    GET_ARRAY(store -> store.db.get(store.key()).length),
    GET_INTO_ARRAY(store -> store.db.getInto(store.key(), store.array)),
    GET_LARGE_INTO_ARRAY(store -> store.db.getInto(store.largeKey(), store.largeArray)),
    GET_INTO_NATIVE_SEGMENT(store -> store.db.getInto(store.keySegment(), store.nativeSegment)),
    GET_INTO_HEAP_SEGMENT(store -> store.db.getInto(store.keySegment(), store.heapSegment)),
    GET_INTO_OR_PINNED(store -> store.db.getInto(store.keySegment(), store.nativeSegment, PinnedValue::close)),
    GET_MISSING(store -> store.db.getInto(store.missing, store.array)),
    GET_CALLBACK(store -> store.db.get(store.key(), AllocationProgram::touched)),
    GET_PINNED_VIEW(AllocationProgram::view),
    GET_PINNED_SEGMENT(AllocationProgram::segment),
    PUT_ARRAYS(store -> {
      store.db.put(store.key(), store.array);
      return 1;
    }),
    PUT_SEGMENTS(store -> {
      store.db.put(store.keySegment(), store.nativeSegment);
      return 1;
    }),
    DELETE(store -> {
      store.db.delete(store.missing);
      return 1;
    }),
    BATCH_APPEND_ARRAYS(store -> {
      store.batchWithRoom().put(store.key(), store.array);
      return 1;
    }),
    BATCH_APPEND_SEGMENTS(store -> {
      store.batchWithRoom().put(store.keySegment(), store.nativeSegment);
      return 1;
    }),
    WRAPPED_KEY_INTO_SEGMENT(store -> store.db.getInto(MemorySegment.ofArray(store.key()), store.nativeSegment)),
    WRAPPED_KEY_PUT_WITH_SEGMENT(store -> {
      store.db.put(MemorySegment.ofArray(store.key()), store.nativeSegment);
      return 1;
    }),
    WRAPPED_KEY_APPENDED_WITH_SEGMENT(store -> {
      store.batchWithRoom().put(MemorySegment.ofArray(store.key()), store.nativeSegment);
      return 1;
    }),
    CURSOR_STEP(AllocationProgram::cursorStep),
    CURSOR_STEP_COPIED(AllocationProgram::cursorStepCopied),
    SCAN_STEP(AllocationProgram::scanStep),
    LARGE_ROW(store -> largeRow(store.largeCursor())),
    LARGE_ROW_BESIDE_WRITES(store -> largeRow(store.largeCursorOfBatch())),
    SCAN_ITERATED(AllocationProgram::scanIterated),
    TRANSACTION(AllocationProgram::transaction);

    private final Measured measured;

    Operation(Measured measured) {
      this.measured = measured;
    }
  }

  /** Runs the operation, and returns a result that depends on the value that was read. */
  private interface Measured {
    long once(Store store);
  }

  private AllocationProgram() {}

  public static void main(String[] arguments) {
    Operation operation = Operation.valueOf(arguments[0]);
    try (Store store = new Store(Path.of("database").toAbsolutePath())) {
      long seen = 0;
      for (int round = 0; round < WARM_UP_ROUNDS; round++) {
        seen += repeat(operation.measured, store);
      }
      ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
      threads.getCurrentThreadAllocatedBytes();
      long bytes = Long.MAX_VALUE;
      for (int round = 0; round < ROUNDS; round++) {
        long before = threads.getCurrentThreadAllocatedBytes();
        seen += repeat(operation.measured, store);
        bytes = Math.min(bytes, threads.getCurrentThreadAllocatedBytes() - before);
      }
      if (seen == 0) {
        throw new IllegalStateException("nothing was read");
      }
      System.out.printf(Locale.ROOT, "%.3f bytes%n", (double) bytes / OPERATIONS);
    }
  }

  private static long repeat(Measured measured, Store store) {
    long seen = 0;
    for (int i = 0; i < OPERATIONS; i++) {
      seen += measured.once(store);
    }
    return seen;
  }

  private static long transaction(Store store) {
    try (Transaction transaction = store.transactions().begin()) {
      transaction.put(store.key(), store.array);
      long size = transaction.getInto(store.key(), store.array) + 2;
      transaction.commit();
      return size;
    }
  }

  private static Long touched(MemorySegment value) {
    return value.get(ValueLayout.JAVA_BYTE, 0) & 0x7fL; // a cached Long
  }

  private static long view(Store store) {
    try (PinnedValue value = store.db.getPinned(store.key());
        PinnedValue.View view = value.view()) {
      return touched(view.segment());
    }
  }

  private static long segment(Store store) {
    try (PinnedValue value = store.db.getPinned(store.key())) {
      return touched(value.segment());
    }
  }

  private static long cursorStep(Store store) {
    if (!store.cursor.next()) {
      store.cursor.first();
    }
    return touched(store.cursor.key()) + touched(store.cursor.value());
  }

  private static long cursorStepCopied(Store store) {
    if (!store.cursor.next()) {
      store.cursor.first();
    }
    store.arrays.set(0, store.cursor.keyBytes());
    store.arrays.set(1, store.cursor.valueBytes());
    return store.arrays.get(0).length;
  }

  private static long scanStep(Store store) {
    Scan scan = store.scan();
    if (!scan.next()) {
      throw new IllegalStateException("the scan ended");
    }
    return touched(scan.key()) + touched(scan.value());
  }

  private static long largeRow(Cursor cursor) {
    cursor.first();
    return touched(cursor.key()) + touched(cursor.value()) + cursor.valueSize();
  }

  private static long scanIterated(Store store) {
    Iterator<Row> rows = store.rows();
    if (!rows.hasNext()) {
      throw new IllegalStateException("the scan ended");
    }
    Row row = rows.next();
    return touched(row.key()) + touched(row.value());
  }

  /** A database, with the keys, values and iterators of the operations. */
  private static final class Store implements AutoCloseable {
    private final Arena arena = Arena.ofConfined();
    private final RocksDb db;
    private final byte[][] keys = new byte[ROWS][];
    private final MemorySegment[] keySegments = new MemorySegment[ROWS];
    private final byte[] missing = new byte[20];
    private final byte[] array = new byte[VALUE_SIZE];
    private byte[] largeKey;
    private Cursor largeCursor;
    private IndexedBatch pending;
    private final byte[] around = new byte[KEY_SIZE + 4];
    private final byte[] largeArray = new byte[2 * LARGE_VALUE_SIZE];
    private final MemorySegment heapSegment = MemorySegment.ofArray(new byte[VALUE_SIZE]);
    private final MemorySegment nativeSegment = arena.allocate(VALUE_SIZE).fill((byte) 1);
    private final ByteBuffer heapBuffer = ByteBuffer.allocate(VALUE_SIZE);
    private final List<byte[]> arrays = new ArrayList<>(Collections.nCopies(2, missing));
    private final WriteBatch batch = new WriteBatch();
    private final Cursor cursor;
    private Scan scan;
    private Iterator<Row> rows;
    private TransactionDb transactions;
    private int row;

    Store(Path folder) {
      db = RocksDb.open(folder);
      for (int i = 0; i < ROWS; i++) {
        keys[i] = ByteBuffer.allocate(KEY_SIZE).putInt(i + 1).array();
        keySegments[i] = arena.allocateFrom(ValueLayout.JAVA_BYTE, keys[i]);
        db.put(keys[i], nativeSegment.toArray(ValueLayout.JAVA_BYTE));
      }
      db.flush();
      cursor = db.cursor();
      cursor.first();
    }

    /** Returns an array with the next key after two other bytes. */
    byte[] longerKey() {
      System.arraycopy(key(), 0, around, 2, KEY_SIZE);
      return around;
    }

    Cursor largeCursor() {
      if (largeCursor == null) {
        largeCursor = db.cursor(KeyRange.prefix(largeKey()));
      }
      return largeCursor;
    }

    /** Returns a cursor over the database and a batch with pending writes, which copies large rows. */
    Cursor largeCursorOfBatch() {
      if (largeCursor == null) {
        pending = db.indexedBatch();
        pending.put(missing, new byte[VALUE_SIZE]);
        largeCursor = pending.cursor(KeyRange.prefix(largeKey()));
      }
      return largeCursor;
    }

    /**
     * Returns the key of a large row, which is written at the first call, so that other operations have small rows
     * only.
     */
    byte[] largeKey() {
      if (largeKey == null) {
        largeKey = new byte[KEY_SIZE];
        db.put(largeKey, new byte[LARGE_VALUE_SIZE]);
      }
      return largeKey;
    }

    /** Returns a second database, for operations with transactions. */
    TransactionDb transactions() {
      if (transactions == null) {
        transactions = TransactionDb.open(Path.of("transactions").toAbsolutePath());
      }
      return transactions;
    }

    Iterator<Row> rows() {
      if (rows == null) {
        rows = longScan().iterator();
      }
      return rows;
    }

    Scan scan() {
      if (scan == null) {
        scan = longScan();
      }
      return scan;
    }

    /** Returns a scan with a row for each operation, so that no operation opens another scan. */
    private Scan longScan() {
      WriteBatch rows = new WriteBatch();
      byte[] value = new byte[VALUE_SIZE];
      int count = OPERATIONS * (WARM_UP_ROUNDS + ROUNDS);
      for (int i = 0; i < count; i++) {
        rows.put(ByteBuffer.allocate(8).putInt(1 << 30).putInt(i).array(), value);
        if (i % ROWS == 0 || i + 1 == count) {
          db.write(rows);
          rows.clear();
        }
      }
      return db.scan(KeyRange.from(ByteBuffer.allocate(4).putInt(1 << 30).array()));
    }

    private int next() {
      row = row + 1 == ROWS ? 0 : row + 1;
      return row;
    }

    byte[] key() {
      return keys[next()];
    }

    MemorySegment keySegment() {
      return keySegments[next()];
    }

    WriteBatch batchWithRoom() {
      if (batch.count() == ROWS) {
        batch.clear();
      }
      return batch;
    }

    @Override
    public void close() {
      if (transactions != null) {
        transactions.close();
      }
      db.close();
      arena.close();
    }
  }
}
