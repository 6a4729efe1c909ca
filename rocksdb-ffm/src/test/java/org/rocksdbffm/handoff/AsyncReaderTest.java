/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.handoff;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.rocksdbffm.tools.Bytes.bytes;

import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.rocksdbffm.AsyncReader;
import org.rocksdbffm.KeyRange;
import org.rocksdbffm.KeyReader;
import org.rocksdbffm.PinnedValue;
import org.rocksdbffm.ReadOptions;
import org.rocksdbffm.RocksDb;
import org.rocksdbffm.RocksDbException;
import org.rocksdbffm.Snapshot;
import org.rocksdbffm.Transaction;
import org.rocksdbffm.TransactionDb;
import org.rocksdbffm.WriteOptions;
import org.rocksdbffm.tools.DatabaseCase;

class AsyncReaderTest extends DatabaseCase {
  private static final byte[] KEY = bytes("key");

  // The tasks of an executor, which the test runs.
  private final Queue<Runnable> queue = new ArrayDeque<>();

  private KeyReader files; // each read reads the value from a file

  @BeforeEach
  void fill() {
    db.put(KEY, new byte[5000]);
    db.flush();
    files = db.with(ReadOptions.defaults().fillCache(false));
  }

  private static Throwable failureOf(CompletableFuture<?> future) {
    return assertThrows(CompletionException.class, future::join).getCause();
  }

  @Test
  void aReadHappensInItsTurn() {
    AsyncReader reader = files.async(queue::add, 2);
    byte[] key = KEY.clone();
    CompletableFuture<PinnedValue> value = reader.getPinned(key);
    key[0] = 0;
    CompletableFuture<byte[]> copy = reader.get(KEY);
    assertTrue(!value.isDone() && db.pins().count() == 0);
    queue.remove().run();
    queue.remove().run();
    value.join().close();
    assertEquals(5000, copy.join().length);
  }

  @Test
  void aReadThatNeedsNoFileIsDoneAtOnce() {
    AsyncReader reader = db.async(queue::add, 1);
    db.put(bytes("new"), bytes("in a memtable"));
    assertArrayEquals(bytes("in a memtable"), reader.get(bytes("new")).resultNow());
    CompletableFuture<byte[]> first = reader.get(KEY);
    assertFalse(first.isDone());
    queue.remove().run();
    for (int i = 0; i < 2; i++) { // the reads before have filled the cache
      assertNull(reader.get(bytes("a missing key")).resultNow());
      assertNull(reader.getPinned(bytes("a missing key")).resultNow());
      assertEquals(5000, reader.get(KEY).resultNow().length);
      assertEquals(5000, reader.get(MemorySegment.ofArray(KEY)).resultNow().length);
      reader.getPinned(KEY).resultNow().close();
      reader.getPinned(MemorySegment.ofArray(KEY)).resultNow().close();
    }
    assertTrue(queue.isEmpty());
  }

  @Test
  void anEmptyValueInMemoryIsPinnedAsAnyOther() {
    db.put(bytes("empty"), new byte[0]);
    try (PinnedValue value = db.async(queue::add, 1).getPinned(bytes("empty")).resultNow()) {
      assertEquals(0, value.size());
      assertEquals(1, db.pins().count());
    }
  }

  @Test
  void aSnapshotIsReadFromTheCacheToo() {
    db.put(bytes("a"), bytes("1"));
    try (Snapshot snapshot = db.snapshot()) {
      db.put(bytes("a"), bytes("2"));
      assertArrayEquals(bytes("1"), snapshot.async(queue::add, 1).get(bytes("a")).resultNow());
    }
  }

  @Test
  void optionsThatExcludeMemtablesAreObeyed() {
    db.with(WriteOptions.defaults().disableWal(true)).put(bytes("new"), bytes("in a memtable"));
    AsyncReader persisted = db.with(ReadOptions.defaults().tier(ReadOptions.Tier.PERSISTED)).async(Runnable::run, 1);
    assertNull(persisted.get(bytes("new")).join());
    AsyncReader cacheOnly = db.with(ReadOptions.defaults().tier(ReadOptions.Tier.BLOCK_CACHE)).async(Runnable::run, 1);
    assertArrayEquals(bytes("in a memtable"), cacheOnly.get(bytes("new")).resultNow());
    RocksDbException failure = assertInstanceOf(RocksDbException.class, failureOf(cacheOnly.get(KEY)));
    assertEquals(RocksDbException.Code.INCOMPLETE, failure.code());
  }

  @Test
  void aDeadlineDoesNotHideTheCache() {
    AsyncReader reader = db.with(ReadOptions.defaults().deadline(Duration.ofHours(1))).async(queue::add, 1);
    db.put(bytes("new"), bytes("1"));
    assertArrayEquals(bytes("1"), reader.get(bytes("new")).resultNow());
    CompletableFuture<byte[]> value = reader.get(KEY);
    queue.remove().run();
    assertEquals(5000, value.join().length);
  }

  @Test
  void manyKeysOnTheirWayThroughMemoryAndFiles() {
    db.put(bytes("new"), bytes("1"));
    AsyncReader reader = files.async(queue::add, 1);
    byte[] key = KEY.clone();
    CompletableFuture<List<byte[]>> values =
        reader.multiGet(List.of(bytes("new"), key, bytes("none"), bytes("new"), key));
    key[0] = 0;
    assertFalse(values.isDone());
    queue.remove().run();
    assertArrayEquals(
        new Object[] {bytes("1"), new byte[5000], null, bytes("1"), new byte[5000]}, values.join().toArray());
    assertArrayEquals(bytes("1"), reader.multiGet(List.of(bytes("new"))).resultNow().getFirst());
    assertTrue(reader.multiGet(List.of()).resultNow().isEmpty());
  }

  @Test
  void anyOtherReadRunsOnTheExecutor() {
    AsyncReader reader = db.async(queue::add, 1);
    CompletableFuture<List<String>> page =
        reader.submit(
            keys -> {
              try (var rows = keys.stream(KeyRange.all(), row -> row.valueSize() + " bytes")) {
                return rows.limit(10).toList();
              }
            });
    queue.remove().run();
    assertEquals(List.of("5000 bytes"), page.join());
    CompletableFuture<PinnedValue> unclaimed = new CompletableFuture<>();
    CompletableFuture<PinnedValue> cancelled =
        reader.submit(
            keys -> {
              PinnedValue value = keys.getPinned(KEY);
              unclaimed.complete(value);
              queue.remove().run(); // cancels while the read runs
              return value;
            });
    queue.add(() -> cancelled.cancel(false));
    queue.remove().run();
    assertEquals(0, db.pins().count());
    assertTrue(unclaimed.isDone());
  }

  @Test
  void aReadThatWaitsTooLongFailsAndIsSkipped() {
    AsyncReader reader = files.async(queue::add, 1).timeout(Duration.ofNanos(1));
    CompletableFuture<PinnedValue> value = reader.getPinned(KEY);
    assertInstanceOf(TimeoutException.class, failureOf(value));
    db.close();
    queue.remove().run(); // would fail if it read from the closed database
    assertThrows(IllegalArgumentException.class, () -> reader.timeout(Duration.ZERO));
    assertFalse(files.async(queue::add, 1).timeout(ChronoUnit.FOREVER.getDuration()) == reader);
  }

  @Test
  void stagesRunOnTheExecutorOfTheirCaller() {
    Queue<Runnable> loop = new ArrayDeque<>();
    AsyncReader reader = files.async(queue::add, 2).completeOn(loop::add);
    CompletableFuture<byte[]> value = reader.get(KEY);
    CompletableFuture<PinnedValue> cancelled = reader.getPinned(KEY);
    queue.remove().run();
    queue.remove().run();
    assertFalse(value.isDone());
    cancelled.cancel(false);
    loop.forEach(Runnable::run);
    assertEquals(5000, value.join().length);
    assertEquals(0, db.pins().count());
  }

  /** Simulates an executor that is shut down, or cannot start a thread; it may already have queued the completion. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aCallerWhoseExecutorIsGoneHasItsAnswerYet(boolean queued) {
    Queue<Runnable> loop = new ArrayDeque<>();
    for (Throwable refusal :
        List.of(
            new RejectedExecutionException("shut down"),
            new IllegalStateException("shut down"),
            new OutOfMemoryError("unable to create native thread"))) {
      AsyncReader reader =
          files
              .async(queue::add, 1)
              .completeOn(
                  stage -> {
                    if (queued) {
                      loop.add(stage);
                    }
                    if (refusal instanceof Error error) {
                      throw error;
                    }
                    throw (RuntimeException) refusal;
                  });
      CompletableFuture<PinnedValue> value = reader.getPinned(KEY);
      queue.remove().run();
      loop.forEach(Runnable::run);
      try (PinnedValue pinned = value.resultNow()) {
        assertEquals(5000, pinned.size());
      }
      assertEquals(0, db.pins().count());
    }
  }

  @Test
  void aTransactionIsReadOnTheExecutorAlone() {
    db.close();
    try (TransactionDb transactional = RocksDb.at(folder).openTransactional();
        Transaction transaction = transactional.begin()) {
      transaction.put(KEY, bytes("changed"));
      CompletableFuture<byte[]> value = transaction.async(queue::add, 1).get(KEY);
      assertFalse(value.isDone());
      queue.remove().run();
      assertArrayEquals(bytes("changed"), value.join());
    }
  }

  @Test
  void moreThanTheLimitIsRefusedAtOnce() {
    AsyncReader reader = files.async(queue::add, 1);
    CompletableFuture<byte[]> first = reader.get(KEY);
    Throwable refusal = failureOf(reader.get(KEY));
    assertInstanceOf(RejectedExecutionException.class, refusal);
    assertEquals(
        "1 reads wait for their answer already, which is the limit: ask again when some have it", refusal.getMessage());
    CompletableFuture<CompletableFuture<byte[]>> next = first.thenApply(ignored -> reader.get(KEY));
    queue.remove().run();
    queue.remove().run();
    assertEquals(5000, next.join().join().length);
    assertThrows(IllegalArgumentException.class, () -> files.async(queue::add, 0));
  }

  @Test
  void whatIsCancelledBeforeItsTurnIsNotRead() {
    AsyncReader reader = files.async(queue::add, 1);
    assertTrue(reader.getPinned(KEY).cancel(false));
    db.close();
    queue.remove().run();
    assertInstanceOf(IllegalStateException.class, failureOf(reader.getPinned(KEY)));
    assertTrue(queue.isEmpty());
  }

  @Test
  void whatIsCancelledDuringItsTurnIsLetGoOf() {
    for (int i = 0; i < 2000; i++) {
      CompletableFuture<PinnedValue> value = files.async(Thread::startVirtualThread, 1).getPinned(KEY);
      Thread.onSpinWait();
      if (!value.cancel(false)) {
        value.join().close();
      }
    }
    for (int i = 0; i < 1_000_000 && db.pins().count() != 0; i++) {
      Thread.yield();
    }
  }

  @Test
  void anExecutorThatRefusesFailsTheReadAndKeepsTheRoom() {
    AsyncReader reader =
        files.async(
            task -> {
              throw new RejectedExecutionException("full");
            },
            1);
    for (int i = 0; i < 3; i++) {
      assertEquals("full", failureOf(reader.get(KEY)).getMessage());
    }
  }

  /** Simulates that no thread can be created; the executor may already have queued the read. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void anErrorOfTheExecutorFailsTheReadAndKeepsTheRoom(boolean queued) {
    OutOfMemoryError error = new OutOfMemoryError("unable to create native thread");
    List<OutOfMemoryError> errors = new ArrayList<>(List.of(error, error));
    AsyncReader reader =
        files.async(
            read -> {
              if (queued || errors.isEmpty()) {
                queue.add(read);
              }
              if (!errors.isEmpty()) {
                throw errors.removeFirst();
              }
            },
            1);
    assertSame(error, failureOf(reader.get(KEY)));
    assertSame(error, failureOf(reader.getPinned(KEY)));
    CompletableFuture<byte[]> value = reader.get(KEY);
    assertInstanceOf(RejectedExecutionException.class, failureOf(reader.get(KEY)));
    queue.forEach(Runnable::run);
    assertEquals(5000, value.join().length);
    CompletableFuture<byte[]> next = reader.get(KEY);
    assertInstanceOf(RejectedExecutionException.class, failureOf(reader.get(KEY)));
    assertFalse(next.isDone());
  }

  @Test
  void manyVirtualThreadsReadAndTheLimitHolds() {
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      AsyncReader reader = files.async(threads, 10_000);
      List<CompletableFuture<byte[]>> answers = new ArrayList<>();
      for (int i = 0; i < 5000; i++) {
        answers.add(reader.get(KEY));
      }
      answers.forEach(answer -> assertArrayEquals(new byte[5000], answer.join()));
    }
  }
}
