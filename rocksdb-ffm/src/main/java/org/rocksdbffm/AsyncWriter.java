/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm;

import static java.util.Objects.requireNonNull;

import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import org.rocksdbffm.RocksDbException.Code;
import org.rocksdbffm.internal.db.NativeFamily;
import org.rocksdbffm.internal.write.BatchBytes;
import org.rocksdbffm.internal.write.DatabaseWrites;
import org.rocksdbffm.internal.write.Operation;

/**
 * Writes for callers that must not wait, such as event loops. Changes that arrive during a write are written together
 * by the next one: with {@link WriteOptions#sync}, many callers share the wait for the disk. Changes are written in the
 * order of the calls, each atomically. The number of pending changes is limited; a change beyond the limit fails
 * immediately. Thread-safe.
 *
 * <p>Keys and values are copied. A future completes, on a thread of the executor, when its change is written as the
 * write options say. It fails with the exception of the write, with the exception of the executor, or with a {@link
 * RejectedExecutionException} if too many changes are pending. A change that is cancelled before its write starts is
 * skipped; later, cancelling has no effect on the database.
 *
 * <p>If the database is closed, changes that have not been written fail.
 */
public final class AsyncWriter {
  private static final int MOST_BYTES = 1 << 20;

  private final NativeFamily family;
  private final DatabaseWrites writes;
  private final Executor executor;
  private final int limit;
  private final Semaphore room;
  private final Queue<Change> changes = new ConcurrentLinkedQueue<>();
  private final AtomicInteger pending = new AtomicInteger(); // queued changes; unless zero, a task runs or waits

  private static final class Change {
    final BatchBytes operations;
    final CompletableFuture<Void> written = new CompletableFuture<>();
    Change next; // in its group, which needs no memory when the heap is full

    Change(BatchBytes operations) {
      this.operations = operations;
    }
  }

  AsyncWriter(NativeFamily family, DatabaseWrites writes, Executor executor, int limit) {
    this.family = family;
    this.writes = writes;
    this.executor = requireNonNull(executor, "executor");
    if (limit < 1) {
      throw new IllegalArgumentException("limit: " + limit + " is less than one");
    }
    this.limit = limit;
    this.room = new Semaphore(limit);
  }

  /**
   * Stores a value under a key.
   *
   * @param key copied
   * @param value copied
   * @return completes when the change is written
   */
  public CompletableFuture<Void> put(byte[] key, byte[] value) {
    return change(Operation.PUT, requireNonNull(key, "key"), requireNonNull(value, "value"));
  }

  /**
   * Merges an operand into a key's value.
   *
   * @param key copied
   * @param operand copied
   * @return completes when the change is written
   */
  public CompletableFuture<Void> merge(byte[] key, byte[] operand) {
    return change(Operation.MERGE, requireNonNull(key, "key"), requireNonNull(operand, "operand"));
  }

  /**
   * Deletes a key.
   *
   * @param key copied
   * @return completes when the change is written
   */
  public CompletableFuture<Void> delete(byte[] key) {
    BatchBytes operations = new BatchBytes(0);
    operations.append(Operation.DELETE, family.id(), requireNonNull(key, "key"));
    return add(operations);
  }

  /**
   * Writes a batch atomically.
   *
   * @param batch copied, with all its column families
   * @return completes when the change is written
   * @throws IllegalArgumentException if the batch uses column families of another database
   */
  public CompletableFuture<Void> write(WriteBatch batch) {
    return add(requireNonNull(batch, "batch").copyFor(family.database()));
  }

  private CompletableFuture<Void> change(Operation operation, byte[] first, byte[] second) {
    BatchBytes operations = new BatchBytes(0);
    operations.append(operation, family.id(), first, second);
    return add(operations);
  }

  private CompletableFuture<Void> add(BatchBytes operations) {
    Change change = new Change(operations);
    if (!room.tryAcquire()) {
      return CompletableFuture.failedFuture(
          new RejectedExecutionException(
              limit + " changes wait to be written already, which is the limit: ask again when some are"));
    }
    try {
      enqueue(change);
    } catch (Throwable full) {
      room.release();
      throw full;
    }
    return change.written;
  }

  private void enqueue(Change change) {
    boolean isFirst = pending.getAndIncrement() == 0; // before it is queued: a task takes counted changes
    try {
      changes.add(change);
    } catch (Throwable full) { // no heap for the entry
      if (pending.decrementAndGet() != 0 && isFirst) {
        writeLater();
      }
      throw full;
    }
    if (isFirst) {
      writeLater();
    }
  }

  private void writeLater() {
    try {
      executor.execute(this::writeGroup);
    } catch (Throwable e) { // no thread can be started, or the executor is shut down
      refuseAll(e);
    }
  }

  /** Fails all pending changes; the next change tries the executor again. */
  private void refuseAll(Throwable failure) {
    int failed;
    do {
      failed = 0;
      for (Change change = changes.poll(); change != null; change = changes.poll()) {
        settle(change, failure);
        failed++;
      }
    } while (pending.addAndGet(-failed) != 0);
  }

  private void writeGroup() {
    Change first = null;
    Change last = null;
    int taken = 0;
    long size = 0;
    for (Change change; size < MOST_BYTES && (change = changes.poll()) != null; taken++) {
      if (last == null) {
        first = change;
      } else {
        last.next = change;
      }
      last = change;
      size += change.operations.size();
    }
    write(first);
    if (pending.addAndGet(-taken) != 0) {
      writeLater();
    }
  }

  private void write(Change first) {
    BatchBytes all;
    try {
      all = together(first);
    } catch (Throwable full) { // no heap for all of them, or more than 2 GiB
      writeEach(first);
      return;
    }
    Throwable failure = all == null ? null : failureOf(all);
    if (failure != null && first.next != null && isNothingWritten(failure)) {
      writeEach(first);
      return;
    }
    for (Change change = first; change != null; change = change.next) {
      settle(change, failure);
    }
  }

  private void writeEach(Change first) {
    for (Change change = first; change != null; change = change.next) {
      settle(change, change.written.isDone() ? null : failureOf(change.operations));
    }
  }

  /** Returns the operations of a group without its cancelled changes; null if there are none. */
  private static BatchBytes together(Change first) {
    BatchBytes all = null;
    for (Change change = first; change != null; change = change.next) {
      if (!change.written.isDone()) {
        if (first.next == null) {
          return change.operations;
        }
        all = all == null ? new BatchBytes(0) : all;
        all.append(change.operations);
      }
    }
    return all;
  }

  /** Writes operations; returns the failure, or null. */
  private Throwable failureOf(BatchBytes operations) {
    try {
      writes.write(operations);
      return null;
    } catch (Throwable e) {
      boolean isFamilyClosed = e instanceof IllegalStateException && family.writing().isClosed();
      return isFamilyClosed ? family.writing().closedException() : e;
    }
  }

  /** Releases the change's permit before the future completes, so that a dependent stage can add a change. */
  private void settle(Change change, Throwable failure) {
    room.release();
    if (failure == null) {
      change.written.complete(null);
    } else {
      change.written.completeExceptionally(failure);
    }
  }

  /**
   * Whether nothing was written and one change may have caused the failure, so that the other changes are written
   * without it.
   */
  private static boolean isNothingWritten(Throwable failure) {
    return failure instanceof RocksDbException refusal
        ? refusal.code() == Code.INVALID_ARGUMENT
            || refusal.code() == Code.NOT_SUPPORTED
            || refusal.code() == Code.BUSY
            || refusal.code() == Code.TIMED_OUT
        : failure instanceof IllegalArgumentException
            || failure instanceof IllegalStateException
            || failure instanceof UnsupportedOperationException;
  }

  @Override
  public String toString() {
    return "asynchronous writer of " + family.handle();
  }
}
