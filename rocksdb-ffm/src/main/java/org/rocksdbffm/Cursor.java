/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm;

import static java.util.Objects.requireNonNull;

import java.lang.foreign.MemorySegment;
import org.rocksdbffm.internal.foreign.EntityCalls;
import org.rocksdbffm.internal.scan.BlockIterator;

/**
 * Moves over the rows of a range in both directions, with one engine call for each row. To read many rows in one
 * direction, {@link Scan} is faster.
 *
 * <p>Used by one thread at a time, which may change between moves; see {@link #releaseRow}. Reads the state of the
 * database at opening. Closed with its database at the latest.
 */
public final class Cursor extends BlockRows {
  private static final int ONE_ROW = 1;

  private boolean readsEntities; // whether the C++ stubs are open

  Cursor(KeyReader reader, KeyRange range) {
    super(
        reader,
        BlockIterator.oneByOne(
            reader.source,
            reader.readOptions.settings,
            reader.point(),
            range.ends(reader.source.family().rules())));
  }

  /**
   * Moves to the first row.
   *
   * @return whether there is one
   * @throws RocksDbException if the engine fails
   * @throws IllegalStateException if the cursor is closed, or in use by another thread
   */
  public boolean first() {
    return rows.first(ONE_ROW);
  }

  /**
   * Moves to the last row.
   *
   * @return whether there is one
   * @throws RocksDbException if the engine fails
   * @throws IllegalStateException if the cursor is closed, or in use by another thread
   */
  public boolean last() {
    return rows.last(ONE_ROW);
  }

  /**
   * Moves to the first row whose key is at or after {@code key}.
   *
   * @param key borrowed
   * @return whether there is one
   * @throws RocksDbException if the engine fails
   * @throws IllegalStateException if the cursor is closed, or in use by another thread
   */
  public boolean seek(byte[] key) {
    requireNonNull(key, "key");
    return rows.seek(rows.enter().withKey(key), ONE_ROW);
  }

  /**
   * Moves to the first row whose key is at or after {@code key}.
   *
   * @param key borrowed
   * @return whether there is one
   * @throws RocksDbException if the engine fails
   * @throws IllegalStateException if the cursor is closed, or in use by another thread
   */
  public boolean seek(MemorySegment key) {
    requireNonNull(key, "key");
    return rows.seek(rows.enter().withKey(key), ONE_ROW);
  }

  /**
   * Moves to the last row whose key is at or before {@code key}.
   *
   * @param key borrowed
   * @return whether there is one
   * @throws RocksDbException if the engine fails
   * @throws IllegalStateException if the cursor is closed, or in use by another thread
   */
  public boolean seekForPrevious(byte[] key) {
    requireNonNull(key, "key");
    return rows.seekForPrevious(rows.enter().withKey(key), ONE_ROW);
  }

  /**
   * Moves to the last row whose key is at or before {@code key}.
   *
   * @param key borrowed
   * @return whether there is one
   * @throws RocksDbException if the engine fails
   * @throws IllegalStateException if the cursor is closed, or in use by another thread
   */
  public boolean seekForPrevious(MemorySegment key) {
    requireNonNull(key, "key");
    return rows.seekForPrevious(rows.enter().withKey(key), ONE_ROW);
  }

  /**
   * Moves to the next row.
   *
   * @return whether there is one; if not, the cursor has no current row
   * @throws RocksDbException if the engine fails
   * @throws IllegalStateException if the cursor is closed, or in use by another thread
   */
  public boolean next() {
    return rows.next(ONE_ROW);
  }

  /**
   * Moves to the previous row.
   *
   * @return whether there is one; if not, the cursor has no current row
   * @throws RocksDbException if the engine fails
   * @throws IllegalStateException if the cursor is closed, or in use by another thread
   */
  public boolean previous() {
    return rows.previous(ONE_ROW);
  }

  /**
   * Returns whether the cursor has a current row.
   *
   * @return true if key and value can be read
   */
  public boolean hasRow() {
    return rows.hasRow();
  }

  /**
   * Returns the columns of the current row. A plain value is an entity with only the default column.
   *
   * @return the entity, <em>borrowed until</em> the next move, and confined to this thread; closing it has no effect
   * @throws RocksDbException if the engine fails
   * @throws IllegalStateException if the cursor is closed, in use by another thread, or has no row; or if its
   *     transaction or batch was written since the last move
   */
  public Entity entity() {
    if (!readsEntities) {
      EntityCalls.open();
      readsEntities = true;
    }
    return Entity.ofRow(rows.columns(), null);
  }

  /**
   * Updates the cursor to the latest state of the database; it has no current row afterwards. A cursor on a {@link
   * Snapshot} cannot be updated, and throws {@link IllegalStateException}.
   */
  public void refresh() {
    rows.refresh();
  }

  @Override
  public String toString() {
    return "cursor of " + reader;
  }
}
