/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.crash;

import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.rocksdbffm.KeyRange;
import org.rocksdbffm.KeyReader;
import org.rocksdbffm.PinnedValue;
import org.rocksdbffm.Scan;
import org.rocksdbffm.Snapshot;
import org.rocksdbffm.Transaction;
import org.rocksdbffm.TransactionDb;
import org.rocksdbffm.WriteBatch;
import org.rocksdbffm.tools.LiveObjectsCheck;

/**
 * A program whose heap is full repeatedly, while four clients each read and write separate rows. Any call may end with
 * an {@code OutOfMemoryError}, but no other exception: no result is wrong, no acknowledged write is lost, and no object
 * stays open.
 */
final class FullHeapCase {
  private static final int CLIENTS = 4;
  private static final int ROWS = 500;
  private static final int WARM_UP = 3_000;

  private final TransactionDb db;
  private final Client[] clients = new Client[CLIENTS];
  private final List<String> wrong = new ArrayList<>();

  private FullHeapCase(Path folder, long seed) {
    db = TransactionDb.open(folder);
    for (int i = 0; i < CLIENTS; i++) {
      clients[i] = new Client(i, new Random(seed * CLIENTS + i));
    }
  }

  public static void main(String[] arguments) throws Exception {
    Path folder = Path.of("db");
    FullHeapCase heapCase = new FullHeapCase(folder, Long.parseLong(arguments[0]));
    // Initializes all classes before the heap is full, because a class whose initialization failed stays unusable, even
    // a class of the JDK.
    for (Client client : heapCase.clients) {
      client.work(WARM_UP);
    }
    openClassPath();
    int fillings = heapCase.runInFullHeap(Integer.parseInt(arguments[1]));
    System.out.println("full " + fillings + " times");
    CrashCase.require(heapCase.db.pins().count() == 0, heapCase.db.pins().count() + " pins are left");
    heapCase.db.close();
    LiveObjectsCheck.awaitNone();
    try (TransactionDb db = TransactionDb.open(folder)) {
      for (Client client : heapCase.clients) {
        client.checkAll(db);
      }
    }
    CrashCase.require(heapCase.wrong.isEmpty(), String.join("\n", heapCase.wrong));
    System.out.println("done");
  }

  /**
   * Makes the class loader open all jars now: a class loader opens a jar at the first search in it, and would fail
   * permanently in a full heap.
   */
  private static void openClassPath() {
    try {
      Class.forName("org.rocksdbffm.crash.NoSuchClass");
      throw new AssertionError("there is such a class");
    } catch (ClassNotFoundException e) {
      CrashCase.require(e.getMessage().endsWith("NoSuchClass"), e.toString()); // initializes classes
    }
  }

  private int runInFullHeap(int seconds) throws InterruptedException {
    List<Thread> threads = new ArrayList<>();
    for (Client client : clients) {
      threads.add(new Thread(() -> client.workUntil(System.nanoTime() + seconds * 1_000_000_000L), "client"));
    }
    threads.forEach(Thread::start);
    FullHeap heap = new FullHeap(CLIENTS);
    Thread.sleep(seconds * 1000L); // the code up to close() needs no heap
    heap.close();
    for (Thread thread : threads) {
      thread.join();
    }
    return heap.fillings();
  }

  /** A thread that writes rows of which it knows the possible values, because no other thread writes them. */
  private final class Client {
    private final byte[][] keys = new byte[ROWS][];
    private final long[] acknowledged = new long[ROWS];
    private final long[] tried = new long[ROWS];
    private final Random random;
    private long last;

    Client(int number, Random random) {
      this.random = random;
      for (int i = 0; i < ROWS; i++) {
        keys[i] = ByteBuffer.allocate(8).putInt(number).putInt(i).array();
      }
    }

    void work(int times) {
      for (int i = 0; i < times; i++) {
        doSomething(random.nextInt(ROWS));
      }
    }

    void workUntil(long end) {
      while (System.nanoTime() < end) {
        try {
          doSomething(random.nextInt(ROWS));
        } catch (OutOfMemoryError full) {
          continue;
        } catch (Throwable e) {
          note(e);
        }
      }
    }

    /**
     * Records a failure. A full heap is not one, not even the exception of a try that suppresses the JDK's shared
     * OutOfMemoryError in itself.
     */
    private void note(Throwable e) {
      if (e instanceof IllegalArgumentException && e.getCause() instanceof OutOfMemoryError) {
        return;
      }
      synchronized (wrong) {
        try {
          wrong.add(e.toString());
        } catch (OutOfMemoryError full) {
          return; // the next failure is recorded
        }
      }
    }

    private void doSomething(int row) {
      switch (random.nextInt(9)) {
        case 0, 1 -> write(row, () -> db.put(keys[row], value()));
        case 2 -> check(row, db.get(keys[row]));
        case 3 -> checkPinned(row);
        case 4 -> scan(row);
        case 5 -> write(row, () -> transact(row));
        case 6 -> write(row, () -> writeBatch(row));
        case 7 -> checkSnapshot(row);
        default -> check(row, db.multiGet(List.of(keys[row], keys[0])).get(0));
      }
    }

    private void write(int row, Runnable write) {
      tried[row] = ++last;
      write.run();
      acknowledged[row] = tried[row];
    }

    private byte[] value() {
      return ByteBuffer.allocate(50 + random.nextInt(3000)).putLong(last).array();
    }

    private void transact(int row) {
      try (Transaction transaction = db.begin()) {
        transaction.getForUpdate(keys[row]);
        transaction.put(keys[row], value());
        transaction.commit();
      }
    }

    private void writeBatch(int row) {
      WriteBatch batch = new WriteBatch();
      batch.put(keys[row], value());
      db.write(batch);
    }

    private void checkPinned(int row) {
      try (PinnedValue pinned = db.getPinned(keys[row])) {
        check(row, pinned == null ? null : pinned.segment().toArray(ValueLayout.JAVA_BYTE));
      }
    }

    private void checkSnapshot(int row) {
      try (Snapshot snapshot = db.snapshot()) {
        check(row, snapshot.get(keys[row]));
      }
    }

    private void scan(int row) {
      try (Scan scan = db.scan(KeyRange.all())) {
        for (int i = 0; i < row / 10 && scan.next(); i++) {
          scan.valueBytes();
        }
      }
    }

    void checkAll(KeyReader reader) {
      for (int row = 0; row < ROWS; row++) {
        check(row, reader.get(keys[row]));
      }
    }

    private void check(int row, byte[] value) {
      long found = value == null ? 0 : ByteBuffer.wrap(value).getLong();
      if (found < acknowledged[row] || found > tried[row]) {
        throw new AssertionError(
            "row " + row + " has " + found + ", not " + acknowledged[row] + " to " + tried[row]);
      }
    }
  }
}
