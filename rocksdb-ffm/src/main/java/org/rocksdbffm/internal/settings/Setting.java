/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.settings;

import java.lang.foreign.MemorySegment;

/** One setting of a native options object. Settings of a kind are the constants of an enum. */
public interface Setting {
  /** Sets it; a boolean is 0 or 1. */
  void apply(MemorySegment options, long value);
}
