/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm;

import static java.util.Objects.requireNonNull;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Reads on the threads of an executor, for callers that must not wait for a disk, such as event loops. The number of
 * pending reads is limited; a read beyond the limit fails immediately. Thread-safe.
 *
 * <p>A read that is cancelled before it starts is skipped. The result of a read that is cancelled later is discarded,
 * and a pinned value is released. Both count as pending until then. Cancel the returned future itself: if a dependent
 * future is cancelled, the value has no owner and is not released.
 *
 * <p>If the database or the snapshot is closed, reads that have not started fail.
 */
public final class AsyncReader {
  private final KeyReader reader;
  private final Executor executor;
  private final int limit;
  private final Semaphore room;

  AsyncReader(KeyReader reader, Executor executor, int limit) {
    this.reader = reader;
    this.executor = requireNonNull(executor, "executor");
    if (limit < 1) {
      throw new IllegalArgumentException("limit: " + limit + " is less than one");
    }
    this.limit = limit;
    this.room = new Semaphore(limit);
  }

  /**
   * Pins a value without a copy.
   *
   * @param key copied
   * @return the value, which its receiver <em>owns</em> and must close, or null if the key is missing. Fails with the
   *     exception of the read or of the executor, or with a {@link RejectedExecutionException} if too many reads are
   *     pending. Dependent stages run on the executor's thread
   */
  public CompletableFuture<PinnedValue> getPinned(byte[] key) {
    byte[] copy = requireNonNull(key, "key").clone();
    return ask(() -> reader.getPinned(copy), PinnedValue::close);
  }

  /**
   * Reads a value into a new array.
   *
   * @param key copied
   * @return the value, or null if the key is missing; fails as {@link #getPinned} does
   */
  public CompletableFuture<byte[]> get(byte[] key) {
    byte[] copy = requireNonNull(key, "key").clone();
    return ask(() -> reader.get(copy), ignored -> {});
  }

  private <T> CompletableFuture<T> ask(Supplier<T> question, Consumer<T> unclaimed) {
    CompletableFuture<T> answer = new CompletableFuture<>();
    AtomicBoolean isOver = new AtomicBoolean();
    if (!room.tryAcquire()) {
      return CompletableFuture.failedFuture(
          new RejectedExecutionException(
              limit + " reads wait for their answer already, which is the limit: ask again when some have it"));
    }
    try {
      executor.execute(() -> read(question, answer, unclaimed, isOver));
    } catch (Throwable e) { // even if the read was queued, or no thread can be started
      giveBack(isOver);
      answer.completeExceptionally(e);
    }
    return answer;
  }

  private void giveBack(AtomicBoolean isOver) {
    if (isOver.compareAndSet(false, true)) {
      room.release();
    }
  }

  private <T> void read(
      Supplier<T> question, CompletableFuture<T> answer, Consumer<T> unclaimed, AtomicBoolean isOver) {
    T value;
    try {
      value = answer.isDone() ? null : question.get();
    } catch (Throwable e) {
      giveBack(isOver);
      answer.completeExceptionally(e);
      return;
    }
    giveBack(isOver);
    if (!answer.complete(value) && value != null) {
      unclaimed.accept(value);
    }
  }
}
