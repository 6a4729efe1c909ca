/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm;

import static java.util.Objects.requireNonNull;

import java.lang.foreign.MemorySegment;
import org.rocksdbffm.internal.scan.BlockIterator;

/**
 * Moves over the rows of a range in both directions, one row and one call at a time. For reading on and on
 * in one direction, {@link Scan} is faster.
 *
 * <p>One thread at a time, which may change between moves; see {@link #releaseRow}. It sees the database as
 * it was when the cursor was opened. It is closed with its database at the latest.
 */
public final class Cursor extends BlockRows {
  private static final int ONE_ROW = 1;

  Cursor(KeyReader reader, KeyRange range) {
    super(
        reader,
        BlockIterator.oneByOne(
            reader.source,
            reader.readOptions.settings,
            reader.moment(),
            reader.overlay,
            range.ends(reader.source.family().rules())));
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

  /**
   * Lets the cursor see the database as it is now, with what was written since. It stands nowhere afterwards. A cursor that was opened on
   * a {@link Snapshot} has nothing newer to see, and throws {@link IllegalStateException}.
   */
  public void refresh() {
    rows.refresh();
  }
}
