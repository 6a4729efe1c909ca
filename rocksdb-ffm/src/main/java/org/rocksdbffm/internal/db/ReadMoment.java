/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.db;

import java.lang.foreign.MemorySegment;

/** A moment of the database that reads see: that of a snapshot. */
public interface ReadMoment {
  /** Has reads under the engine's read options see it; whoever reads keeps the snapshot. */
  void setIn(MemorySegment readOptions);
}
