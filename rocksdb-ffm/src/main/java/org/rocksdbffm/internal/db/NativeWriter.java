/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.db;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.rocksdbffm.internal.foreign.EngineTable;
import org.rocksdbffm.internal.foreign.Memory;
import org.rocksdbffm.internal.foreign.Structs;

/** A struct {@code rocksdb_ffm_writer}: the database, the write options and the column family of writes. */
public final class NativeWriter {
  private final MemorySegment struct;

  /** Creates a struct that the arena frees, and that borrows the options and the family until then. */
  public NativeWriter(Arena arena, Database database, MemorySegment options, MemorySegment family) {
    struct = arena.allocate(Structs.SIZE_OF_WRITER, Long.BYTES);
    Memory.point(struct, Structs.WRITER_ENGINE, EngineTable.TABLE);
    Memory.point(struct, Structs.WRITER_DB, database.pointer());
    Memory.point(struct, Structs.WRITER_OPTIONS, options);
    Memory.point(struct, Structs.WRITER_COLUMN_FAMILY, family);
  }

  public long address() {
    return struct.address();
  }
}
