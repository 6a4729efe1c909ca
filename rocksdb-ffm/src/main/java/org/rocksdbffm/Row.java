/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm;

import java.lang.foreign.MemorySegment;

/**
 * The current row of a cursor or scan. Every method throws {@link IllegalStateException} if there is no current row, or
 * the cursor, scan or database is closed.
 *
 * <p>Key and value are <em>borrowed until</em> the next move, and confined to the thread that called the method. A
 * small row is in this library's memory: after a move its segments show other bytes, and after the close they throw. A
 * large row is in the engine's memory, without a copy: its segments throw after the move. Copy what you keep.
 */
public interface Row {
  /**
   * Returns the row's key.
   *
   * @return read-only memory, <em>borrowed until</em> the next move
   */
  MemorySegment key();

  /**
   * Returns the row's value.
   *
   * @return read-only memory, <em>borrowed until</em> the next move
   */
  MemorySegment value();

  /**
   * Returns the size of the key in bytes.
   *
   * @return the size
   */
  long keySize();

  /**
   * Returns the size of the value in bytes.
   *
   * @return the size
   */
  long valueSize();

  /**
   * Copies the key.
   *
   * @return a new array
   */
  byte[] keyBytes();

  /**
   * Copies the value.
   *
   * @return a new array
   */
  byte[] valueBytes();
}
