/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm;

import static java.util.Objects.requireNonNull;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.rocksdbffm.internal.read.ReadPath;

/**
 * Reads for callers that must not wait for a disk, such as event loops. A value in a memtable or in the block cache is
 * returned immediately, in a completed future; only a read that needs a file is handed to an executor. The number of
 * pending reads is limited; a read beyond the limit fails immediately. Thread-safe.
 *
 * <p>Keys are copied. Each future fails with the exception of the read or of the executor, or with a
 * {@link RejectedExecutionException} if too many reads are pending. Dependent stages of a completed future run on the
 * caller's thread, others on a thread of the executor, or as {@link #completeOn} says.
 *
 * <p>A read that is cancelled before it starts is skipped. The result of a read that is cancelled later is discarded,
 * and a pinned value is released. A cancelled read counts as pending until it is skipped or has ended. Cancel the
 * returned future itself: if a dependent future is cancelled, the value has no owner and is not released.
 *
 * <p>If the database or the snapshot is closed, reads that have not started fail.
 */
public final class AsyncReader {
  private static final Duration LONGEST = Duration.ofDays(365);

  private final KeyReader reader;
  private final ReadPath cached; // null if the options exclude memtables or the cache, or one thread at a time reads
  private final Executor executor;
  private final int limit;
  private final Semaphore room;
  private final Executor completions; // null: the executor's thread
  private final long timeoutNanos; // 0 for none

  AsyncReader(KeyReader reader, Executor executor, int limit) {
    requireNonNull(executor, "executor");
    if (limit < 1) {
      throw new IllegalArgumentException("limit: " + limit + " is less than one");
    }
    ReadOptions options = reader.source.isThreadSafe() ? reader.readOptions.cached() : null;
    this(reader, options == null ? null : reader.sourceWith(options), executor, limit, new Semaphore(limit), null, 0);
  }

  private AsyncReader(
      KeyReader reader,
      ReadPath cached,
      Executor executor,
      int limit,
      Semaphore room,
      Executor completions,
      long timeoutNanos) {
    this.reader = reader;
    this.cached = cached;
    this.executor = executor;
    this.limit = limit;
    this.room = room;
    this.completions = completions;
    this.timeoutNanos = timeoutNanos;
  }

  /**
   * Returns a reader whose pending reads complete on another executor, such as the event loop that called.
   *
   * @param completions runs dependent stages; if it refuses, they run on the thread of the read
   * @return a reader with the same limit of pending reads, counted together
   */
  public AsyncReader completeOn(Executor completions) {
    requireNonNull(completions, "completions");
    return new AsyncReader(reader, cached, executor, limit, room, completions, timeoutNanos);
  }

  /**
   * Returns a reader whose pending reads fail with a {@link java.util.concurrent.TimeoutException} after some time. A
   * read that has not started is then skipped, and the result of a running one is discarded.
   *
   * @param timeout the longest wait for a result
   * @return a reader with the same limit of pending reads, counted together
   * @throws IllegalArgumentException if the timeout is not positive
   */
  public AsyncReader timeout(Duration timeout) {
    if (requireNonNull(timeout, "timeout").compareTo(Duration.ZERO) <= 0) {
      throw new IllegalArgumentException("timeout: " + timeout + " is not positive");
    }
    long nanos = timeout.compareTo(LONGEST) < 0 ? timeout.toNanos() : LONGEST.toNanos();
    return new AsyncReader(reader, cached, executor, limit, room, completions, nanos);
  }

  /**
   * Pins a value without a copy.
   *
   * @param key copied
   * @return the value, which its receiver <em>owns</em> and must close, or null if the key is missing
   */
  public CompletableFuture<PinnedValue> getPinned(byte[] key) {
    requireNonNull(key, "key");
    try {
      CompletableFuture<PinnedValue> known = cached == null ? null : PinnedValue.readCached(cached, cached.enter().withKey(key));
      return known == null ? pinnedLater(key.clone()) : known;
    } catch (RuntimeException e) {
      return CompletableFuture.failedFuture(e);
    }
  }

  /**
   * Pins a value without a copy.
   *
   * @param key copied
   * @return the value, which its receiver <em>owns</em> and must close, or null if the key is missing
   */
  public CompletableFuture<PinnedValue> getPinned(MemorySegment key) {
    requireNonNull(key, "key");
    try {
      CompletableFuture<PinnedValue> known = cached == null ? null : PinnedValue.readCached(cached, cached.enter().withKey(key));
      return known == null ? pinnedLater(key.toArray(ValueLayout.JAVA_BYTE)) : known;
    } catch (RuntimeException e) {
      return CompletableFuture.failedFuture(e);
    }
  }

  private CompletableFuture<PinnedValue> pinnedLater(byte[] key) {
    return later(() -> reader.getPinned(key), PinnedValue::close);
  }

  /**
   * Reads a value into a new array.
   *
   * @param key copied
   * @return the value, or null if the key is missing
   */
  public CompletableFuture<byte[]> get(byte[] key) {
    requireNonNull(key, "key");
    try {
      byte[] value = cached == null ? ReadPath.UNREAD : cached.cachedBytes(cached.enter().withKey(key));
      return value == ReadPath.UNREAD ? bytesLater(key.clone()) : CompletableFuture.completedFuture(value);
    } catch (RuntimeException e) {
      return CompletableFuture.failedFuture(e);
    }
  }

  /**
   * Reads a value into a new array.
   *
   * @param key copied
   * @return the value, or null if the key is missing
   */
  public CompletableFuture<byte[]> get(MemorySegment key) {
    requireNonNull(key, "key");
    try {
      byte[] value = cached == null ? ReadPath.UNREAD : cached.cachedBytes(cached.enter().withKey(key));
      return value == ReadPath.UNREAD
          ? bytesLater(key.toArray(ValueLayout.JAVA_BYTE))
          : CompletableFuture.completedFuture(value);
    } catch (RuntimeException e) {
      return CompletableFuture.failedFuture(e);
    }
  }

  private CompletableFuture<byte[]> bytesLater(byte[] key) {
    return later(() -> reader.get(key), value -> {});
  }

  /**
   * Reads many keys: immediately those in memory, the others together as one pending read. Unless this reads a snapshot, the
   * values are of different moments.
   *
   * @param keys in any order; copied
   * @return the values in the order of the keys, with null for missing keys
   */
  public CompletableFuture<List<byte[]>> multiGet(List<byte[]> keys) {
    byte[][] values = new byte[requireNonNull(keys, "keys").size()][];
    List<byte[]> unread = new ArrayList<>();
    int[] positions = new int[values.length];
    try {
      int i = 0;
      for (byte[] key : keys) {
        requireNonNull(key, "key");
        values[i] = cached == null ? ReadPath.UNREAD : cached.cachedBytes(cached.enter().withKey(key));
        if (values[i] == ReadPath.UNREAD) {
          positions[unread.size()] = i;
          unread.add(key.clone());
        }
        i++;
      }
    } catch (RuntimeException e) {
      return CompletableFuture.failedFuture(e);
    }
    return unread.isEmpty()
        ? CompletableFuture.completedFuture(Arrays.asList(values))
        : later(() -> filledIn(values, positions, unread), list -> {});
  }

  private List<byte[]> filledIn(byte[][] values, int[] positions, List<byte[]> unread) {
    int i = 0;
    for (byte[] value : reader.multiGet(unread)) {
      values[positions[i++]] = value;
    }
    return Arrays.asList(values);
  }

  /**
   * Runs other reads on the executor, such as a page of a scan.
   *
   * @param read receives this reader's {@link KeyReader}; a result that is {@link AutoCloseable} is closed if the future
   *     was cancelled
   * @param <T> the type of the result
   * @return the result of the function
   */
  public <T> CompletableFuture<T> submit(Function<? super KeyReader, ? extends T> read) {
    requireNonNull(read, "read");
    return later(() -> read.apply(reader), AsyncReader::close);
  }

  private static void close(Object unclaimed) {
    if (unclaimed instanceof AutoCloseable resource) {
      try {
        resource.close();
      } catch (Exception e) {
        throw new IllegalStateException("a result that nobody receives cannot be closed: " + resource, e);
      }
    }
  }

  private <T> CompletableFuture<T> later(Supplier<? extends T> read, Consumer<? super T> unclaimed) {
    PendingAnswer<T> answer = new PendingAnswer<>(room, read, unclaimed);
    if (!answer.start(executor)) {
      return CompletableFuture.failedFuture(
          new RejectedExecutionException(
              limit + " reads wait for their answer already, which is the limit: ask again when some have it"));
    }
    if (timeoutNanos != 0) {
      answer.orTimeout(timeoutNanos, TimeUnit.NANOSECONDS);
    }
    return completions == null ? answer : answer.completeOn(completions);
  }

  @Override
  public String toString() {
    return "asynchronous reader of " + reader;
  }
}
