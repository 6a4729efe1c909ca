/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm;

import static java.util.Objects.requireNonNull;

import java.time.Duration;
import org.rocksdbffm.internal.leak.LeakWatch;
import org.rocksdbffm.internal.settings.NativeWriteBuffers;

/**
 * A limit of the memory that the memtables of several databases take together. A write that finds seven eighths of it in
 * use has memtables of its own database flushed. Its owner closes it; databases opened with it keep their share.
 * Thread-safe.
 *
 * <pre>{@code
 * try (WriteBufferManager manager = WriteBufferManager.of(ByteSize.mib(256))) {
 *   DatabaseOptions options = DatabaseOptions.defaults().writeBufferManager(manager);
 *   ...
 * }
 * }</pre>
 */
public final class WriteBufferManager implements AutoCloseable {
  private static final ByteSize LEAST = ByteSize.mib(1);
  private static final ByteSize MOST = ByteSize.gib(1024);
  private static final Duration SHORTEST_STALL = Duration.ofMillis(10);
  private static final Duration LONGEST_STALL = Duration.ofHours(1);

  private final NativeWriteBuffers buffers;
  private final LeakWatch watch;

  private WriteBufferManager(NativeWriteBuffers buffers) {
    this.buffers = buffers;
    this.watch = LeakWatch.over(this, buffers);
  }

  /**
   * Makes a limit.
   *
   * @param limit from 1 MiB to 1024 GiB
   * @return the manager, which the caller <em>owns</em> and must close
   */
  public static WriteBufferManager of(ByteSize limit) {
    return new WriteBufferManager(NativeWriteBuffers.of(checked(limit)));
  }

  /**
   * Makes a limit of memory that is taken from a block cache: as memtables grow, there are fewer blocks in it, so that
   * both together have one limit.
   *
   * @param cache the manager <em>shares</em> it
   * @param limit from 1 MiB to 1024 GiB
   * @return the manager, which the caller <em>owns</em> and must close
   */
  public static WriteBufferManager chargedTo(BlockCache cache, ByteSize limit) {
    long bytes = checked(limit);
    return new WriteBufferManager(NativeWriteBuffers.chargedTo(requireNonNull(cache, "cache").nativeCache(), bytes));
  }

  private static long checked(ByteSize limit) {
    long bytes = requireNonNull(limit, "limit").bytes();
    if (bytes < LEAST.bytes() || bytes > MOST.bytes()) {
      throw new IllegalArgumentException("limit: " + limit + ", but memtables have from " + LEAST + " to " + MOST);
    }
    return bytes;
  }

  NativeWriteBuffers nativeBuffers() {
    return buffers;
  }

  /**
   * How much memtables may take.
   *
   * @return the limit
   */
  public ByteSize limit() {
    return ByteSize.bytes(buffers.limit());
  }

  /**
   * Changes how much memtables may take. With less than they have, the next writes have them flushed.
   *
   * @param limit from 1 MiB to 1024 GiB
   */
  public void limit(ByteSize limit) {
    buffers.setLimit(checked(limit));
  }

  /**
   * Has writes to all databases that share this wait while more than the limit is in use. Memory is freed by flushes of
   * databases that are written to, and not before the iterators are closed that read what was flushed. So the wait has an
   * end: when the limit was exceeded for so long, writes pass it, until less is in use again; and a database that is closed
   * does not wait for the stall of its writes, while those of others may pass for a moment.
   *
   * @param longest from 10 milliseconds to an hour; zero, as at first, for writes that never wait
   */
  public void stallAtMost(Duration longest) {
    if (!requireNonNull(longest, "longest").isZero()
        && (longest.compareTo(SHORTEST_STALL) < 0 || longest.compareTo(LONGEST_STALL) > 0)) {
      throw new IllegalArgumentException(
          "longest: " + longest + ", but writes wait from " + SHORTEST_STALL + " to " + LONGEST_STALL + ", or not at all");
    }
    buffers.stallAtMost(longest.toNanos());
  }

  /**
   * How long writes wait while more than the limit is in use.
   *
   * @return the longest wait; zero if there is none
   */
  public Duration longestStall() {
    return Duration.ofNanos(buffers.patience());
  }

  /**
   * The memory of all memtables, of those too that are flushed and kept for iterators.
   *
   * @return the size of what is in use
   */
  public ByteSize usage() {
    return ByteSize.bytes(buffers.usage());
  }

  /**
   * The memory of the memtables that are written to.
   *
   * @return the size of what no flush is due for yet
   */
  public ByteSize activeUsage() {
    return ByteSize.bytes(buffers.activeUsage());
  }

  /**
   * The room that memtables take in the block cache, in steps of 256 KiB.
   *
   * @return the size of what is charged; zero if there is no cache
   */
  public ByteSize chargedUsage() {
    return ByteSize.bytes(buffers.cacheUsage());
  }

  /** Gives up this share of the limit; idempotent. Databases that were opened with it stay limited. */
  @Override
  public void close() {
    buffers.close();
    watch.end();
  }
}
