/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.compat.read;

import java.nio.ByteBuffer;
import org.rocksdb.RocksDBException;
import org.rocksdb.Status;
import org.rocksdbffm.compat.support.Buffers;
import org.rocksdbffm.compat.support.Scratch;
import org.rocksdbffm.internal.call.Call;

/** Reads many keys in one call. */
public final class MultiReads {
  private static final Status OK = new Status(Status.Code.Ok, Status.SubCode.None, null);
  private static final Status NOT_FOUND = new Status(Status.Code.NotFound, Status.SubCode.None, null);

  private static final long[] DEFAULT_FAMILY = {};

  private MultiReads() {}

  /**
   * Returns the values. A value is null if its key is absent or, as in rocksdbjni, if its read failed. Without
   * families, all keys are in the default column family.
   */
  public static byte[][] get(long db, long options, byte[][] keys, int[] offsets, int[] lengths, long[] families)
      throws RocksDBException {
    KeyBatch.Keys packed = KeyBatch.Keys.of(keys, offsets, lengths);
    byte[][] values = new byte[keys.length][];
    Call call = Scratch.enter();
    try (KeyBatch batch = KeyBatch.read(call, db, options, packed, families == null ? DEFAULT_FAMILY : families)) {
      for (int i = 0; i < keys.length; i++) {
        if (batch.isFound(i)) {
          values[i] = Reads.array(batch.address(i), batch.size(i));
        }
      }
    } finally {
      call.exit();
    }
    return values;
  }

  /** Unlike other native methods of rocksdbjni, this one gets the buffers' limits, not lengths. */
  public static void getDirect(
      long db,
      long options,
      long[] families,
      ByteBuffer[] keys,
      int[] positions,
      int[] limits,
      ByteBuffer[] values,
      int[] sizes,
      Status[] statuses) {
    KeyBatch.Keys packed = KeyBatch.Keys.of(keys, positions, limits);
    Call call = Scratch.enter();
    try (KeyBatch batch = KeyBatch.read(call, db, options, packed, families)) {
      for (int i = 0; i < keys.length; i++) {
        statuses[i] = batch.isFound(i) ? OK : batch.failure(i, NOT_FOUND);
        if (batch.isFound(i)) {
          long size = batch.size(i);
          sizes[i] = (int) size;
          if (size > Integer.MAX_VALUE) {
            statuses[i] = new Status(Status.Code.Incomplete, Status.SubCode.None, "result too large to represent");
            sizes[i] = -1;
          }
          Buffers.fill(values[i], batch.address(i), size);
        }
      }
    } finally {
      call.exit();
    }
  }
}
