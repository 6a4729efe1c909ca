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

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.rocksdbffm.AsyncWriter;
import org.rocksdbffm.ColumnFamily;
import org.rocksdbffm.DatabaseFiles;
import org.rocksdbffm.FamilyOptions;
import org.rocksdbffm.MergeOperator;
import org.rocksdbffm.WriteBatch;
import org.rocksdbffm.WriteOptions;
import org.rocksdbffm.tools.DatabaseCase;

class AsyncWriterTest extends DatabaseCase {
  private static final byte[] KEY = bytes("key");

  // An executor whose turns the test decides on.
  private final Queue<Runnable> queue = new ArrayDeque<>();

  @Override
  protected FamilyOptions options() {
    return FamilyOptions.defaults().mergeOperator(MergeOperator.stringAppend(','));
  }

  private static Throwable failureOf(CompletableFuture<?> future) {
    return assertThrows(CompletionException.class, future::join).getCause();
  }

  @Test
  void changesThatWaitAreOneWrite() {
    AsyncWriter writer = db.asyncWriter(queue::add, 10);
    byte[] value = bytes("1");
    List<CompletableFuture<Void>> changes = new ArrayList<>();
    changes.add(writer.put(KEY, value));
    value[0] = 0;
    changes.add(writer.merge(KEY, bytes("2")));
    changes.add(writer.put(bytes("other"), bytes("x")));
    changes.add(writer.delete(bytes("other")));
    WriteBatch batch = new WriteBatch();
    batch.merge(KEY, bytes("3"));
    batch.merge(KEY, bytes("4"));
    changes.add(writer.write(batch));
    batch.clear();
    assertNull(db.get(KEY));
    assertTrue(changes.stream().noneMatch(CompletableFuture::isDone));
    assertEquals(1, queue.size());
    try (DatabaseFiles.LogReader log = db.files().logSince(1)) {
      queue.remove().run();
      assertTrue(changes.stream().allMatch(change -> change.resultNow() == null));
      assertTrue(log.next());
      assertEquals(6, log.batch().count());
      assertFalse(log.next());
    }
    assertArrayEquals(bytes("1,2,3,4"), db.get(KEY));
    assertNull(db.get(bytes("other")));
    assertTrue(queue.isEmpty());
  }

  @Test
  void aChangeThatTheEngineRefusesFailsAlone() {
    try (ColumnFamily dropped = db.createFamily("dropped", FamilyOptions.defaults())) {
      AsyncWriter writer = db.asyncWriter(queue::add, 10);
      WriteBatch batch = new WriteBatch();
      batch.in(dropped).put(KEY, bytes("lost"));
      batch.put(KEY, bytes("lost too"));
      CompletableFuture<Void> first = writer.put(bytes("first"), bytes("1"));
      CompletableFuture<Void> refused = writer.write(batch);
      CompletableFuture<Void> last = writer.put(bytes("last"), bytes("1"));
      db.dropFamily(dropped);
      queue.remove().run();
      first.join();
      last.join();
      assertInstanceOf(IllegalStateException.class, failureOf(refused));
      assertNull(db.get(KEY));
      assertArrayEquals(bytes("1"), db.get(bytes("last")));
    }
  }

  @Test
  void moreThanTheLimitIsRefusedAtOnce() {
    AsyncWriter writer = db.asyncWriter(queue::add, 1);
    CompletableFuture<Void> first = writer.put(KEY, KEY);
    assertInstanceOf(RejectedExecutionException.class, failureOf(writer.put(KEY, KEY)));
    CompletableFuture<CompletableFuture<Void>> next = first.thenApply(ignored -> writer.delete(KEY));
    queue.remove().run();
    queue.remove().run();
    next.join().join();
    assertNull(db.get(KEY));
    assertThrows(IllegalArgumentException.class, () -> db.asyncWriter(queue::add, 0));
  }

  @Test
  void aChangeThatIsCancelledInTimeIsNotWritten() {
    AsyncWriter writer = db.asyncWriter(queue::add, 1);
    for (int i = 0; i < 3; i++) {
      assertTrue(writer.put(KEY, KEY).cancel(false));
      queue.remove().run();
    }
    assertNull(db.get(KEY));
  }

  @Test
  void aClosedDatabaseFailsTheChange() {
    AsyncWriter writer = db.asyncWriter(queue::add, 2);
    CompletableFuture<Void> first = writer.put(KEY, KEY);
    CompletableFuture<Void> second = writer.put(KEY, KEY);
    db.close();
    queue.remove().run();
    assertInstanceOf(IllegalStateException.class, failureOf(first));
    assertInstanceOf(IllegalStateException.class, failureOf(second));
  }

  @Test
  void anExecutorThatRefusesFailsTheChangeAndKeepsTheRoom() {
    OutOfMemoryError error = new OutOfMemoryError("unable to create native thread");
    List<Error> errors = new ArrayList<>(List.of(error, error));
    AsyncWriter writer =
        db.asyncWriter(
            task -> {
              if (!errors.isEmpty()) {
                throw errors.removeFirst();
              }
              queue.add(task);
            },
            1);
    assertSame(error, failureOf(writer.put(KEY, KEY)));
    assertSame(error, failureOf(writer.put(KEY, KEY)));
    CompletableFuture<Void> change = writer.put(KEY, KEY);
    queue.remove().run();
    change.join();
    assertArrayEquals(KEY, db.get(KEY));
  }

  @Test
  void aColumnFamilyHasAWriter() {
    try (ColumnFamily family = db.createFamily("family", FamilyOptions.defaults())) {
      family.with(WriteOptions.defaults().sync(true)).asyncWriter(Runnable::run, 1).put(KEY, KEY).join();
      assertArrayEquals(KEY, family.get(KEY));
      assertNull(db.get(KEY));
    }
  }

  @Test
  void manyThreadsWriteEachChangeOnceInTheOrderOfTheirCalls() {
    int threads = 8;
    int each = 2000;
    try (var writers = Executors.newFixedThreadPool(threads);
        var executor = Executors.newVirtualThreadPerTaskExecutor()) {
      AsyncWriter writer = db.asyncWriter(executor, threads * each);
      List<CompletableFuture<Void>> all =
          IntStream.range(0, threads)
              .mapToObj(
                  thread ->
                      CompletableFuture.supplyAsync(
                          () -> {
                            CompletableFuture<Void> last = null;
                            for (int i = 0; i < each; i++) {
                              last = writer.merge(bytes("" + thread), bytes("" + i));
                            }
                            return last;
                          },
                          writers))
              .map(last -> last.thenCompose(change -> change))
              .toList();
      all.forEach(CompletableFuture::join);
    }
    String expected = String.join(",", IntStream.range(0, each).mapToObj(String::valueOf).toList());
    for (int thread = 0; thread < threads; thread++) {
      assertTrue(expected.equals(new String(db.get(bytes("" + thread)))), "the changes of thread " + thread);
    }
  }
}
