/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.rocksdbffm.tools.Bytes.bytes;

import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.rocksdbffm.tools.LiveObjectsCheck;

@ExtendWith(LiveObjectsCheck.class)
class AsyncReaderTest {
  private static final byte[] KEY = bytes("key");

  @TempDir Path folder;
  private RocksDb db;

  // An executor whose turns the test decides on.
  private final Queue<Runnable> queue = new ArrayDeque<>();

  @BeforeEach
  void open() {
    db = RocksDb.open(folder);
    db.put(KEY, new byte[5000]);
  }

  @AfterEach
  void everyPinIsReleased() {
    assertEquals(0, db.pins().count());
    db.close();
  }

  private static Throwable failureOf(CompletableFuture<?> future) {
    return assertThrows(CompletionException.class, future::join).getCause();
  }

  @Test
  void aReadHappensInItsTurn() {
    AsyncReader reader = db.async(queue::add, 2);
    byte[] key = KEY.clone();
    CompletableFuture<PinnedValue> value = reader.getPinned(key);
    key[0] = 0;
    CompletableFuture<byte[]> none = reader.get(bytes("none"));
    assertTrue(!value.isDone() && db.pins().count() == 0);
    queue.remove().run();
    queue.remove().run();
    value.join().close();
    assertNull(none.join());
  }

  @Test
  void moreThanTheLimitIsRefusedAtOnce() {
    AsyncReader reader = db.async(queue::add, 1);
    CompletableFuture<byte[]> first = reader.get(KEY);
    Throwable refusal = failureOf(reader.get(KEY));
    assertInstanceOf(RejectedExecutionException.class, refusal);
    assertEquals(
        "1 reads wait for their answer already, which is the limit: ask again when some have it", refusal.getMessage());
    CompletableFuture<CompletableFuture<byte[]>> next = first.thenApply(ignored -> reader.get(KEY));
    queue.remove().run();
    queue.remove().run();
    assertEquals(5000, next.join().join().length);
    assertThrows(IllegalArgumentException.class, () -> db.async(queue::add, 0));
  }

  @Test
  void whatIsCancelledBeforeItsTurnIsNotRead() {
    AsyncReader reader = db.async(queue::add, 1);
    assertTrue(reader.getPinned(KEY).cancel(false));
    db.close();
    queue.remove().run();
    assertInstanceOf(IllegalStateException.class, failureWhenRun(reader.getPinned(KEY)));
  }

  private Throwable failureWhenRun(CompletableFuture<?> future) {
    queue.remove().run();
    return failureOf(future);
  }

  @Test
  void whatIsCancelledDuringItsTurnIsLetGoOf() {
    for (int i = 0; i < 2000; i++) {
      CompletableFuture<PinnedValue> value = db.async(Thread::startVirtualThread, 1).getPinned(KEY);
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
        db.async(
            task -> {
              throw new RejectedExecutionException("full");
            },
            1);
    for (int i = 0; i < 3; i++) {
      assertEquals("full", failureOf(reader.get(KEY)).getMessage());
    }
  }

  /** As where no thread can be made; an executor may have queued the read before. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void anErrorOfTheExecutorFailsTheReadAndKeepsTheRoom(boolean queued) {
    OutOfMemoryError error = new OutOfMemoryError("unable to create native thread");
    List<OutOfMemoryError> errors = new ArrayList<>(List.of(error, error));
    AsyncReader reader =
        db.async(
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
      AsyncReader reader = db.async(threads, 10_000);
      List<CompletableFuture<byte[]>> answers = new ArrayList<>();
      for (int i = 0; i < 5000; i++) {
        answers.add(reader.get(KEY));
      }
      answers.forEach(answer -> assertArrayEquals(new byte[5000], answer.join()));
    }
  }
}
