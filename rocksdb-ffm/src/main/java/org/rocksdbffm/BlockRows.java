/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm;

import java.lang.foreign.MemorySegment;
import org.rocksdbffm.internal.leak.LeakWatch;
import org.rocksdbffm.internal.scan.BlockIterator;

/** Rows that an iterator of the engine reads in blocks. */
abstract class BlockRows implements Row, AutoCloseable {
  /** Held, because a transaction whose rows these are is to live as long as they are read. */
  final KeyReader reader;

  final BlockIterator rows;
  private final LeakWatch watch;

  BlockRows(KeyReader reader, BlockIterator rows) {
    this.reader = reader;
    this.rows = rows;
    this.watch = rows.watch(this);
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
   * Ends this thread's views of the current row, if it is a large one, so that another thread may read the next one.
   * Without it the other thread's move fails.
   */
  public void releaseRow() {
    rows.releaseRow();
  }

  /**
   * Closes it; idempotent, from any thread. A step in progress is waited for. If another thread has views of a large row
   * open, the engine's part goes when that thread uses this next, or closes it.
   */
  @Override
  public void close() {
    rows.close();
    watch.end();
  }
}
