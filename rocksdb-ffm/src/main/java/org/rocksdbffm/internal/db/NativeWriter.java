/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.db;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.rocksdbffm.internal.c.rocksdb_ffm_writer;
import org.rocksdbffm.internal.foreign.EngineTable;
import org.rocksdbffm.internal.foreign.Memory;

/** A struct {@code rocksdb_ffm_writer}: the database, the write options and the column family of writes. */
public final class NativeWriter {
  private final MemorySegment struct;

  /** Creates a struct that the arena frees, and that borrows the options and the family until then. */
  public NativeWriter(Arena arena, Database database, MemorySegment options, MemorySegment family) {
    struct = rocksdb_ffm_writer.allocate(arena);
    Memory.point(struct, rocksdb_ffm_writer.engine$offset(), EngineTable.TABLE);
    Memory.point(struct, rocksdb_ffm_writer.db$offset(), database.pointer());
    Memory.point(struct, rocksdb_ffm_writer.options$offset(), options);
    Memory.point(struct, rocksdb_ffm_writer.column_family$offset(), family);
  }

  public long address() {
    return struct.address();
  }
}
