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
 * Reads on the threads of an executor, for callers that must not wait for a disk, such as event loops. There is a limit
 * to the reads that are asked for and not answered; what is asked beyond it fails at once. Thread-safe.
 *
 * <p>A read that is cancelled before its turn is not done. One that is cancelled during its turn is done in vain, and
 * what it pinned is let go of. Both still count until their turn is over. Cancel the very future that was returned: to
 * cancel one that was derived from it leaves the value to nobody.
 *
 * <p>A database or snapshot that is closed meanwhile fails the reads that have not begun.
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
   * Pins a value where the engine has it.
   *
   * @param key copied
   * @return the value, which whoever gets it <em>owns</em> and must close, or null if there is no such key; the failure
   *     of the read or of the executor; or a {@link RejectedExecutionException} if too many reads wait. Stages that
   *     depend on it run on the executor's thread
   */
  public CompletableFuture<PinnedValue> getPinned(byte[] key) {
    byte[] copy = requireNonNull(key, "key").clone();
    return ask(() -> reader.getPinned(copy), PinnedValue::close);
  }

  /**
   * Reads a value into a new array.
   *
   * @param key copied
   * @return the value, or null if there is no such key; or the failure, as with {@link #getPinned}
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
    } catch (Throwable e) { // be it that no thread can be made, and though the read may be queued
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
