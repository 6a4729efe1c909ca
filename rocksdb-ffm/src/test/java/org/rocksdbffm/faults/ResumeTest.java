/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.faults;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.rocksdbffm.tools.Bytes.bytes;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.rocksdbffm.ByteSize;
import org.rocksdbffm.ColumnFamily;
import org.rocksdbffm.DatabaseFiles;
import org.rocksdbffm.DatabaseOptions;
import org.rocksdbffm.FamilyOptions;
import org.rocksdbffm.KeyRange;
import org.rocksdbffm.KeySpace;
import org.rocksdbffm.Opening;
import org.rocksdbffm.RocksDb;
import org.rocksdbffm.RocksDbException;
import org.rocksdbffm.RocksDbException.Code;
import org.rocksdbffm.RocksDbException.Severity;
import org.rocksdbffm.RocksDbException.SubCode;
import org.rocksdbffm.reports.DatabaseEvent;
import org.rocksdbffm.tools.LiveObjectsCheck;
import org.rocksdbffm.tools.SmallDisk;
import org.rocksdbffm.tools.Sweeps;

/**
 * Tests that writes continue after a full disk without reopening the database, and that no acknowledged write is lost.
 * {@code -Drocksdbffm.resume.rounds=} sets how many times the disk is filled.
 */
@EnabledOnOs(OS.LINUX)
@ExtendWith(LiveObjectsCheck.class)
final class ResumeTest {
  private static final int DISK_MIB = 24;
  private static final int ROUNDS = Integer.getInteger("rocksdbffm.resume.rounds", Sweeps.of(3, 40));
  private static final int THREADS = 8;
  private static final int KEYS = 40; // of a thread
  private static final int VALUE = 5_000;
  private static final int ROWS = 20;
  private static final ByteSize ROOM = ByteSize.mib(6);

  @TempDir Path folder;
  private SmallDisk disk;
  private final BlockingQueue<DatabaseEvent> resumed = new LinkedBlockingQueue<>();

  @BeforeEach
  void mount() throws IOException {
    disk = SmallDisk.mount(folder.resolve("disk"), DISK_MIB);
  }

  @AfterEach
  void unmount() {
    if (disk != null) {
      disk.close();
    }
  }

  private Path database() {
    return disk.path().resolve("db");
  }

  private DatabaseOptions options() {
    return DatabaseOptions.defaults()
        .option("allow_fallocate", false)
        .option("keep_log_file_num", 1)
        .listener(event -> {
          if (event instanceof DatabaseEvent.WritesResumed) {
            resumed.add(event);
          }
        });
  }

  private static void assertFull(RocksDbException e) {
    assertEquals(Code.IO_ERROR, e.code(), e.getMessage());
    assertEquals(SubCode.NO_SPACE, e.subCode(), e.getMessage());
    assertEquals(Severity.HARD, e.severity(), e.getMessage());
  }

  private static byte[] key(int thread, int number) {
    return bytes("%d-%02d".formatted(thread, number % KEYS));
  }

  /** Writes until the disk is full, and records the last acknowledged write of each key. */
  private static int write(RocksDb db, int thread, int from, Map<String, Integer> acknowledged,
      CountDownLatch written) {
    byte[] value = new byte[VALUE];
    new Random(thread).nextBytes(value);
    for (int number = from; ; number++) {
      ByteBuffer.wrap(value).putInt(number);
      try {
        db.put(key(thread, number), value);
        acknowledged.put(new String(key(thread, number)), number);
        written.countDown();
      } catch (RocksDbException e) {
        assertFull(e);
        return number + 1;
      }
    }
  }

  private static void assertAcknowledged(RocksDb db, Map<String, Integer> acknowledged) {
    acknowledged.forEach((key, number) -> {
      byte[] value = db.get(bytes(key));
      assertNotNull(value, key);
      assertTrue(ByteBuffer.wrap(value).getInt() >= number, () -> key + " lost write " + number);
    });
  }

  @Test
  void eightThreadsWriteOnAfterEachFullDiskOnceThereIsRoom() throws Exception {
    Map<String, Integer> acknowledged = new ConcurrentHashMap<>();
    try (ExecutorService threads = Executors.newFixedThreadPool(THREADS)) {
      try (RocksDb db = RocksDb.at(database()).options(options().resumeWithRoom(ROOM)).open()) {
        int[] next = new int[THREADS];
        for (int round = 0; round < ROUNDS; round++) {
          disk.leave(2 << 20);
          CountDownLatch written = new CountDownLatch(THREADS);
          List<Callable<Integer>> writers = new ArrayList<>();
          for (int i = 0; i < THREADS; i++) {
            int thread = i;
            writers.add(() -> write(db, thread, next[thread], acknowledged, written));
          }
          List<Future<Integer>> ends = threads.invokeAll(writers);
          for (int i = 0; i < THREADS; i++) {
            next[i] = ends.get(i).get();
          }
          assertEquals(0, written.getCount(), "nothing was written in round " + round);
          assertFull(db.metrics().health().refusal().orElseThrow());
          assertNull(resumed.poll(), "resumed without room");

          disk.makeRoom();
          assertNotNull(resumed.poll(5, TimeUnit.MINUTES), "writes are refused with room");
          assertTrue(db.metrics().health().isWritable());
          assertAcknowledged(db, acknowledged);
        }
      }
    }
    try (RocksDb db = RocksDb.open(database())) {
      assertAcknowledged(db, acknowledged);
    }
  }

  @Test
  void writesAreResumedByACallAsSoonAsThereIsRoom() throws IOException {
    try (RocksDb db = RocksDb.at(database()).options(options().resumeWithRoom(ByteSize.gib(1 << 20))).open()) {
      db.resume(); // writes are accepted, so there is nothing to do
      db.put(bytes("a"), new byte[VALUE]);
      disk.leave(0);
      assertFull(assertThrows(RocksDbException.class, () -> db.put(bytes("b"), new byte[100 * VALUE])));
      assertFull(assertThrows(RocksDbException.class, db::resume));
      assertFalse(db.metrics().health().isWritable());
      disk.makeRoom();
      db.resume();
      db.put(bytes("b"), new byte[100 * VALUE]);
      assertEquals(VALUE, db.get(bytes("a")).length);
      assertNull(resumed.poll(), "the disk has less room than the options ask for");
    }
    try (RocksDb db = RocksDb.open(database())) {
      assertEquals(VALUE, db.get(bytes("a")).length);
      assertEquals(100 * VALUE, db.get(bytes("b")).length);
    }
  }

  @Test
  void aCallIsRefusedWhileTheEngineItselfTriesToResume() throws IOException {
    try (RocksDb db = RocksDb.at(database()).options(options()).open()) {
      disk.leave(0);
      assertFull(assertThrows(RocksDbException.class, () -> db.put(bytes("b"), new byte[100 * VALUE])));
      assertEquals(Code.BUSY, assertThrows(RocksDbException.class, db::resume).code());
      disk.makeRoom();
    }
    try (RocksDb db = RocksDb.open(database())) {
      assertNull(db.get(bytes("b")));
    }
  }

  @Test
  void aDatabaseIsClosedWhileItsDiskIsFull() throws IOException {
    try (RocksDb db = RocksDb.at(database()).options(options().resumeWithRoom(ROOM)).open()) {
      db.put(bytes("a"), new byte[VALUE]);
      disk.leave(0);
      assertFull(assertThrows(RocksDbException.class, () -> db.put(bytes("b"), new byte[100 * VALUE])));
    }
    disk.makeRoom();
    try (RocksDb db = RocksDb.open(database())) {
      assertEquals(VALUE, db.get(bytes("a")).length);
    }
  }

  private static void await(CountDownLatch end) {
    try {
      end.await(1, TimeUnit.MINUTES);
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  /** A merge that waits represents a flush that the engine has lost, for which it waits forever. */
  @Test
  void aCloseEndsACallThatResumesAndWaitsForAFlush() throws Exception {
    AtomicBoolean isSlow = new AtomicBoolean();
    CountDownLatch merging = new CountDownLatch(1);
    CountDownLatch end = new CountDownLatch(1);
    FamilyOptions options =
        FamilyOptions.defaults().mergeOperator("waits", (key, value, operands) -> {
          if (isSlow.get()) {
            merging.countDown();
            await(end);
          }
          return value.toArray();
        });
    DatabaseOptions manual = options().resumeWithRoom(ByteSize.gib(1 << 20));
    RocksDb db = RocksDb.at(database()).options(manual).defaults(options).open();
    db.put(bytes("a"), new byte[VALUE]);
    db.merge(bytes("a"), bytes("b"));
    disk.leave(0);
    assertFull(assertThrows(RocksDbException.class, () -> db.put(bytes("b"), new byte[100 * VALUE])));
    disk.makeRoom();
    isSlow.set(true);
    try (ExecutorService threads = Executors.newFixedThreadPool(2)) {
      Future<RocksDbException> resuming =
          threads.submit(() -> assertThrows(RocksDbException.class, db::resume));
      merging.await();
      Future<?> closing = threads.submit(db::close);
      assertEquals(Code.SHUTDOWN_IN_PROGRESS, resuming.get(30, TimeUnit.SECONDS).code());
      end.countDown();
      closing.get();
    }
    isSlow.set(false);
    try (RocksDb again = RocksDb.at(database()).defaults(options).open()) {
      assertEquals(VALUE, again.get(bytes("a")).length);
    }
  }

  /** The engine discards such a flush while it resumes, and would wait for its memtable forever. */
  @Test
  void writesAreResumedAlthoughAFlushWasQueuedBeforeTheFailure() throws IOException {
    FamilyOptions small = FamilyOptions.defaults().option("write_buffer_size", 64 << 10);
    DatabaseOptions manual = options().resumeWithRoom(ByteSize.gib(1 << 20));
    Opening opening =
        RocksDb.at(database()).options(manual).defaults(small).family("other", small).family("last", small);
    try (RocksDb db = opening.open()) {
      try (DatabaseFiles.Pause pause = db.files().pauseWork(Duration.ofDays(1))) {
        for (KeySpace keys : List.of(db.family("other"), db)) { // not in the order in which the engine resumes them
          for (int i = 0; i < ROWS; i++) { // the memtable is full once
            keys.put(key(0, i), new byte[VALUE]);
          }
        }
        disk.leave(0);
        byte[] large = new byte[100 * VALUE];
        assertFull(assertThrows(RocksDbException.class, () -> db.family("last").put(bytes("a"), large)));
        assertTrue(pause.isInEffect());
      }
      disk.makeRoom();
      assertTimeoutPreemptively(Duration.ofMinutes(1), db::resume);
      db.put(bytes("a"), new byte[VALUE]);
      assertEquals(ROWS, db.family("other").count(KeyRange.all()));
    }
    try (RocksDb db = RocksDb.open(database())) {
      assertEquals(ROWS + 1, db.count(KeyRange.all()));
    }
  }
}
