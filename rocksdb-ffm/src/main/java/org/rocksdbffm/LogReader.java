/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm;

import static java.util.Objects.requireNonNull;

import java.lang.foreign.MemorySegment;
import java.util.function.Function;
import org.rocksdbffm.internal.files.NativeLog;
import org.rocksdbffm.internal.leak.LeakWatch;

/**
 * Reads what is written to a database from its log, batch by batch, in order, and goes on as more is written. Its owner
 * closes it; its database closes it at the latest. One thread at a time.
 *
 * <p>The engine deletes a log when its rows are in tables, unless {@code WAL_ttl_seconds} or {@code WAL_size_limit_MB} keep
 * it. Where the log has gone, or rows were written without it, {@link #next} throws {@link RocksDbException} with the code
 * NOT_FOUND, and does so each time: who follows the database begins again from a {@link DatabaseFiles#checkpoint checkpoint}.
 * So it does with the code NOT_SUPPORTED where a transaction was {@linkplain Transaction#prepare prepared}: its rows get
 * their numbers when it is committed, which the engine's reader does not follow.
 */
public final class LogReader implements AutoCloseable {
  private final NativeLog log;
  private final LeakWatch watch;

  @SuppressWarnings({"unused", "FieldCanBeLocal"}) // the database is not forgotten while its log is read
  private final Object databaseToken;

  LogReader(NativeLog log, Object databaseToken) {
    this.log = log;
    this.databaseToken = databaseToken;
    this.watch = LeakWatch.over(this, log);
  }

  /**
   * Goes to the next batch. A log that is buffered ({@code manual_wal_flush}) is written to its file first.
   *
   * @return false if nothing more has been written yet; may be called again then
   */
  public boolean next() {
    return log.next();
  }

  /**
   * The batch that the reader is at: as it was written, but for records that carry no rows.
   *
   * @return a new batch, to be visited, turned to bytes, or written to another database that has the same column families
   */
  public WriteBatch batch() {
    return log.look(WriteBatch::from);
  }

  /**
   * Shows the batch that the reader is at where the engine has it, in the engine's own form: to be written to a socket or
   * a file, say, without a copy. {@link WriteBatch#from} reads it.
   *
   * @param look gets the bytes, read-only, for the length of the call; it must not use this reader
   * @param <R> what it makes of them
   * @return what the function returned
   */
  public <R> R batch(Function<? super MemorySegment, R> look) {
    return log.look(requireNonNull(look, "look"));
  }

  /**
   * The number of the first write of the batch that the reader is at.
   *
   * @return the sequence number
   */
  public long sequenceNumber() {
    return log.sequence();
  }

  /**
   * The number of the first write behind all batches read so far: another reader goes on from there.
   *
   * @return the sequence number
   */
  public long nextSequenceNumber() {
    return log.nextSequence();
  }

  /** Ends the reader; idempotent. */
  @Override
  public void close() {
    log.close();
    watch.end();
  }

  @Override
  public String toString() {
    return log.name();
  }
}
