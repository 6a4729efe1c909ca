/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm;

import java.lang.foreign.MemorySegment;
import org.rocksdbffm.internal.leak.LeakWatch;
import org.rocksdbffm.internal.scan.BlockIterator;

/** Rows that an engine iterator reads in blocks. */
abstract class BlockRows implements Row, AutoCloseable {
  /** Keeps the transaction reachable while its rows are read. */
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
   * Ends this thread's views of the current row, if it is a large one, so that another thread can move to the next row.
   * Otherwise that move fails.
   */
  public void releaseRow() {
    rows.releaseRow();
  }

  /**
   * Closes the iterator; idempotent, from any thread. Waits for a step in progress. If another thread has views of a
   * large row open, the engine's iterator is destroyed when that thread next uses or closes this object.
   */
  @Override
  public void close() {
    rows.close();
    watch.end();
  }
}
