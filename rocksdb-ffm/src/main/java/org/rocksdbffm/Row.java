/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm;

import java.lang.foreign.MemorySegment;

/**
 * The row that a cursor or a scan stands on. Every method throws {@link IllegalStateException} where there
 * is none, and where the cursor or its database is closed.
 *
 * <p>Key and value are <em>borrowed until</em> the next move, and confined to the thread that asked. A small row lies
 * in memory of this library's own: after a move its segments show other bytes, and after the close they throw. A large
 * row stays where the engine has it, without a copy: its segments throw after the move. Copy what must stay.
 */
public interface Row {
  /**
   * The row's key.
   *
   * @return read-only memory, <em>borrowed until</em> the next move
   */
  MemorySegment key();

  /**
   * The row's value.
   *
   * @return read-only memory, <em>borrowed until</em> the next move
   */
  MemorySegment value();

  /**
   * How many bytes the key has.
   *
   * @return the size
   */
  long keySize();

  /**
   * How many bytes the value has.
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
