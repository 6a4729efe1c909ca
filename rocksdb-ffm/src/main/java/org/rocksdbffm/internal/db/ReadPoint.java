/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.db;

import java.lang.foreign.MemorySegment;

/** A point in time at which reads see the database: a snapshot. */
public interface ReadPoint {
  /** Sets the snapshot in read options; the caller keeps the snapshot alive during the reads. */
  void setIn(MemorySegment readOptions);
}
