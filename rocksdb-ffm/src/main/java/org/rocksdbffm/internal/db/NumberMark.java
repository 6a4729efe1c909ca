/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.db;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.rocksdbffm.internal.c.RocksDbC;
import org.rocksdbffm.internal.c.rocksdb_ffm_writer;
import org.rocksdbffm.internal.call.Status;
import org.rocksdbffm.internal.foreign.EngineTable;
import org.rocksdbffm.internal.foreign.HotCalls;
import org.rocksdbffm.internal.foreign.LargeCopy;
import org.rocksdbffm.internal.foreign.Memory;
import org.rocksdbffm.internal.settings.WriteSetting;

/**
 * A batch without records in the WAL, from which the next recovery learns the last sequence number. The engine's MANIFEST has the
 * highest number in a table. A flush drops a row with its single deletion, and the writes of a dropped family are in no table:
 * without a record in the WAL after them, the engine would give their numbers to other writes after the next opening. So a mark
 * follows whatever starts another WAL file without a write: what a full memtable starts begins with the write that fills it.
 */
public final class NumberMark {
  private static final int SIZE = 12; // a sequence number, which the engine sets, and a count of 0

  private NumberMark() {}

  /** Writes a mark, unless the engine cannot write now; called within a call that uses the database. */
  public static void write(Database database, boolean sync) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment options =
          Memory.until(arena, RocksDbC::rocksdb_writeoptions_destroy, RocksDbC.rocksdb_writeoptions_create());
      WriteSetting.NO_SLOWDOWN.apply(options, 1);
      WriteSetting.SYNC.apply(options, sync ? 1 : 0);
      MemorySegment writer = rocksdb_ffm_writer.allocate(arena);
      Memory.point(writer, rocksdb_ffm_writer.engine$offset(), EngineTable.TABLE);
      Memory.point(writer, rocksdb_ffm_writer.db$offset(), database.pointer());
      Memory.point(writer, rocksdb_ffm_writer.options$offset(), options);
      MemorySegment error = arena.allocate(ValueLayout.JAVA_LONG);
      long batch = LargeCopy.batch(new byte[SIZE], SIZE).address();
      if (HotCalls.write(writer.address(), batch, error.address()) == 0) {
        Status.takeText(error);
      }
    }
  }
}
