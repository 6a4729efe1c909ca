/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.settings;

import java.lang.foreign.MemorySegment;

/** One setting of a native options object. Each kind of options has an enum of its settings. */
public interface Setting {
  /** Sets the value; a boolean is 0 or 1. */
  void apply(MemorySegment options, long value);
}
