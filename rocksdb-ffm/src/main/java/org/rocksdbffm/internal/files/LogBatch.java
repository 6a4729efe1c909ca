/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.files;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.Arrays;
import org.rocksdbffm.internal.c.RocksDbC;
import org.rocksdbffm.internal.foreign.Memory;
import org.rocksdbffm.internal.format.BatchRecords;
import org.rocksdbffm.internal.format.RecordKind;

/**
 * A batch that the engine has read from the WAL. <em>Owns</em> the engine's memory, and frees the memory when the batch
 * is dropped, but not before a reader that uses the batch has finished. Thread-safe.
 */
final class LogBatch {
  private static final int COUNT_OFFSET = 8;
  private static final ValueLayout.OfInt COUNT = ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

  /** A record that the engine counts differently when it is written, and when its WAL is recovered or read. */
  enum Uncounted {
    /** A transaction is prepared, or ends: other writes may be in the same batch. */
    PREPARED(
        "a prepared transaction",
        "its rows get their numbers at the commit, which the engine's reader does not follow, and would pass by others"),
    /** This library writes no such records. */
    EMPTY_RANGE(
        "a deletion of an empty range",
        "another program wrote it, and the engine may have given its number to another write as well");

    final String what;
    final String why;

    Uncounted(String what, String why) {
      this.what = what;
      this.why = why;
    }
  }

  private final MemorySegment batch;
  private final MemorySegment bytes;
  final long sequence;

  // Guarded by this.
  private boolean lent;
  private boolean dropped;

  private LogBatch(MemorySegment batch, MemorySegment bytes, long sequence) {
    this.batch = batch;
    this.bytes = bytes;
    this.sequence = sequence;
  }

  /**
   * Takes the current batch from the engine's iterator, which has no current batch afterwards.
   *
   * @param cells space for two numbers
   */
  static LogBatch take(MemorySegment iterator, MemorySegment cells) {
    MemorySegment number = cells.asSlice(0, Long.BYTES);
    MemorySegment size = cells.asSlice(Long.BYTES, Long.BYTES);
    MemorySegment batch = RocksDbC.rocksdb_wal_iter_get_batch(iterator, number);
    MemorySegment data = RocksDbC.rocksdb_writebatch_data(batch, size);
    MemorySegment bytes = Memory.at(data.address(), size.get(ValueLayout.JAVA_LONG, 0));
    return new LogBatch(batch, bytes, number.get(ValueLayout.JAVA_LONG, 0));
  }

  /** Returns the number of sequence numbers that the batch's writes use. */
  int count() {
    return bytes.get(COUNT, COUNT_OFFSET);
  }

  /** Returns the first record after which sequence numbers are unknown; null if absent. */
  Uncounted uncounted() {
    BatchRecords records = new BatchRecords(bytes);
    while (records.next()) {
      if (records.kind().isOfTwoPhases()) {
        return Uncounted.PREPARED;
      }
      if (records.kind() == RecordKind.DELETE_RANGE && Arrays.equals(records.string(0), records.string(1))) {
        return Uncounted.EMPTY_RANGE;
      }
    }
    return null;
  }

  /** Returns the bytes, valid until {@link #giveBack}. For one reader at a time, before the batch is dropped. */
  synchronized MemorySegment lend() {
    lent = true;
    return bytes;
  }

  synchronized void giveBack() {
    lent = false;
    if (dropped) {
      RocksDbC.rocksdb_writebatch_destroy(batch);
    }
  }

  /** Frees the batch, now or after {@link #giveBack}; idempotent. */
  synchronized void drop() {
    if (!dropped) {
      dropped = true;
      if (!lent) {
        RocksDbC.rocksdb_writebatch_destroy(batch);
      }
    }
  }
}
