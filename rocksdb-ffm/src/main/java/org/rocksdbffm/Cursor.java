/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm;

import static java.util.Objects.requireNonNull;

import java.lang.foreign.MemorySegment;
import org.rocksdbffm.internal.leak.LeakWatch;
import org.rocksdbffm.internal.scan.BlockIterator;

/**
 * Moves over the rows of a range in both directions, one row and one call at a time. For reading on and on
 * in one direction, {@link Scan} is faster.
 *
 * <p>One thread at a time, which may change between moves; see {@link #releaseRow}. It sees the database as
 * it was when the cursor was opened. It is closed with its database at the latest.
 */
public final class Cursor implements Row, AutoCloseable {
  private static final int ONE_ROW = 1;

  private final KeyReader reader;
  private final BlockIterator rows;
  private final LeakWatch watch;

  Cursor(KeyReader reader, KeyRange range) {
    this.reader = reader;
    this.rows =
        BlockIterator.oneByOne(
            reader.source,
            reader.readOptions.settings(),
            reader.moment(),
            reader.overlay,
            range.ends(reader.source.family().rules()));
    this.watch = rows.watch(this);
  }

  /**
   * Moves to the first row.
   *
   * @return whether there is one
   */
  public boolean first() {
    return rows.first(ONE_ROW);
  }

  /**
   * Moves to the last row.
   *
   * @return whether there is one
   */
  public boolean last() {
    return rows.last(ONE_ROW);
  }

  /**
   * Moves to the first row whose key is not below the given one.
   *
   * @param key borrowed
   * @return whether there is one
   */
  public boolean seek(byte[] key) {
    requireNonNull(key, "key");
    return rows.seek(reader.source.enter().withKey(key), ONE_ROW);
  }

  /**
   * Moves to the first row whose key is not below the given one.
   *
   * @param key borrowed
   * @return whether there is one
   */
  public boolean seek(MemorySegment key) {
    requireNonNull(key, "key");
    return rows.seek(reader.source.enter().withKey(key), ONE_ROW);
  }

  /**
   * Moves to the last row whose key is not above the given one.
   *
   * @param key borrowed
   * @return whether there is one
   */
  public boolean seekForPrevious(byte[] key) {
    requireNonNull(key, "key");
    return rows.seekForPrevious(reader.source.enter().withKey(key), ONE_ROW);
  }

  /**
   * Moves to the last row whose key is not above the given one.
   *
   * @param key borrowed
   * @return whether there is one
   */
  public boolean seekForPrevious(MemorySegment key) {
    requireNonNull(key, "key");
    return rows.seekForPrevious(reader.source.enter().withKey(key), ONE_ROW);
  }

  /**
   * Moves to the next row.
   *
   * @return whether there is one; if not, the cursor stands nowhere
   */
  public boolean next() {
    return rows.next(ONE_ROW);
  }

  /**
   * Moves to the row before.
   *
   * @return whether there is one; if not, the cursor stands nowhere
   */
  public boolean previous() {
    return rows.previous(ONE_ROW);
  }

  /**
   * Whether the cursor stands on a row.
   *
   * @return true if key and value may be asked for
   */
  public boolean hasRow() {
    return rows.hasRow();
  }

  @Override
  public MemorySegment key() {
    return rows.key();
  }

  @Override
  public MemorySegment value() {
    return rows.value();
  }

  @Override
  public long keySize() {
    return rows.keySize();
  }

  @Override
  public long valueSize() {
    return rows.valueSize();
  }

  @Override
  public byte[] keyBytes() {
    return rows.keyBytes();
  }

  @Override
  public byte[] valueBytes() {
    return rows.valueBytes();
  }

  /**
   * Ends this thread's views of the current row, if it is a large one, so that another thread may move the
   * cursor on. Without it the other thread's move fails.
   */
  public void releaseRow() {
    rows.releaseRow();
  }

  /**
   * Lets the cursor see the database as it is now, with what was written since. It stands nowhere afterwards. A cursor that was opened on
   * a {@link Snapshot} has nothing newer to see, and throws {@link IllegalStateException}.
   */
  public void refresh() {
    rows.refresh();
  }

  /**
   * Closes the cursor; idempotent, from any thread. A step in progress is waited for. If another thread has
   * views of a large row open, the engine's part goes when that thread uses the cursor next, or closes it.
   */
  @Override
  public void close() {
    rows.close();
    watch.end();
  }
}
