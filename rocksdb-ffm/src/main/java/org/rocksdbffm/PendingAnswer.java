/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** The future of a read that an executor runs. Holds a permit from the start of the read until the end. */
final class PendingAnswer<T> extends CompletableFuture<T> implements Runnable {
  private final Semaphore room;
  private final AtomicBoolean isOver = new AtomicBoolean();
  private final Supplier<? extends T> read;
  private final Consumer<? super T> unclaimed;

  /**
   * Creates a future.
   *
   * @param unclaimed receives a result after the future was cancelled
   */
  PendingAnswer(Semaphore room, Supplier<? extends T> read, Consumer<? super T> unclaimed) {
    this.room = room;
    this.read = read;
    this.unclaimed = unclaimed;
  }

  /** Takes a permit and hands the read to an executor; returns false if there is no permit. */
  boolean start(Executor executor) {
    if (!room.tryAcquire()) {
      return false;
    }
    try {
      executor.execute(this);
    } catch (Throwable e) { // even if the read was queued, or no thread can be started
      end();
      completeExceptionally(e);
    }
    return true;
  }

  /** Releases the permit, once. */
  private void end() {
    if (isOver.compareAndSet(false, true)) {
      room.release();
    }
  }

  @Override
  public void run() {
    T value;
    try {
      value = isDone() ? null : read.get();
    } catch (Throwable e) {
      end();
      completeExceptionally(e);
      return;
    }
    end();
    settle(this, value);
  }

  private void settle(CompletableFuture<T> future, T value) {
    if (!future.complete(value) && value != null) {
      unclaimed.accept(value);
    }
  }

  /** Returns a future that completes on an executor, or on the thread of the read if the executor refuses. */
  CompletableFuture<T> completeOn(Executor executor) {
    CompletableFuture<T> moved = new CompletableFuture<>();
    whenComplete(
        (value, failure) -> {
          AtomicBoolean isStarted = new AtomicBoolean();
          Runnable completion =
              () -> {
                if (!isStarted.compareAndSet(false, true)) {
                  return; // an executor may throw although it has queued the task
                }
                if (failure == null) {
                  settle(moved, value);
                } else {
                  moved.completeExceptionally(failure);
                }
              };
          try {
            executor.execute(completion);
          } catch (Throwable e) { // shut down, or no thread can be started
            completion.run();
          }
        });
    moved.whenComplete((value, failure) -> cancelIf(moved.isCancelled()));
    return moved;
  }

  private void cancelIf(boolean isCancelled) {
    if (isCancelled) {
      cancel(false);
    }
  }
}
