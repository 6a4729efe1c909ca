/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.db;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.rocksdbffm.internal.c.RocksDbC;
import org.rocksdbffm.internal.call.Status;
import org.rocksdbffm.internal.foreign.HotCalls;
import org.rocksdbffm.internal.foreign.LargeCopy;
import org.rocksdbffm.internal.foreign.Memory;
import org.rocksdbffm.internal.settings.WriteSetting;

/**
 * A batch without records in the WAL, from which the next recovery learns the last sequence number. The engine's
 * MANIFEST has the highest number in a table. A flush drops a row with its single deletion, and the writes of a dropped
 * family are in no table: without a record in the WAL after them, the engine would give their numbers to other writes
 * after the next opening. So a mark is written whenever a WAL file is started without a write. A WAL file that a full
 * memtable starts needs no mark: it begins with the write that fills the memtable.
 */
public final class NumberMark {
  private static final int SIZE = 12; // a sequence number, which the engine sets, and a count of 0
  private static final String STALLED = "Write stall";

  private NumberMark() {}

  /**
   * Writes a mark; called within a call that uses the database. {@code error} receives the engine's refusal unless it has an
   * error already. A mark is left out while writes are stalled: it could wait forever, and the first write after the stall
   * has the number as well.
   */
  public static void write(Database database, boolean sync, MemorySegment error) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment options =
          Memory.until(arena, RocksDbC::rocksdb_writeoptions_destroy, RocksDbC.rocksdb_writeoptions_create());
      WriteSetting.NO_SLOWDOWN.apply(options, 1);
      WriteSetting.SYNC.apply(options, sync ? 1 : 0);
      NativeWriter writer = new NativeWriter(arena, database, options, MemorySegment.NULL);
      MemorySegment refusal = arena.allocate(ValueLayout.JAVA_LONG);
      long batch = LargeCopy.batch(new byte[SIZE], SIZE).address();
      if (HotCalls.write(writer.address(), batch, refusal.address()) != 0) {
        return;
      }
      if (Memory.pointer(error, 0) == 0 && !Memory.string(Memory.pointer(refusal, 0)).contains(STALLED)) {
        MemorySegment.copy(refusal, 0, error, 0, Long.BYTES);
      } else {
        Status.takeText(refusal);
      }
    }
  }
}
