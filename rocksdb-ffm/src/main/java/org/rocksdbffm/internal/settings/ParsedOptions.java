/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.settings;

import java.lang.foreign.MemorySegment;
import org.rocksdbffm.internal.c.RocksDbC;

/**
 * The options of the last table file that was begun, of which those of the next one are a copy if their text is the same:
 * the engine takes half a millisecond to read a text, and a load writes many files. Copies <em>share</em> the engine's
 * objects, such as a block cache, of which a table that is written uses none; so a database is never opened with a copy.
 */
final class ParsedOptions {
  /** Those of this loader, which <em>owns</em> them; others take their place, and they are never given up. */
  static final ParsedOptions LAST = new ParsedOptions();

  // Guarded by this. Nothing is ever set in the engine's options, which are null before the first table file.
  private String text;
  private MemorySegment options;

  private ParsedOptions() {}

  /** Remembers options in which nothing is set but a text; they stay the caller's. */
  synchronized void remember(String text, MemorySegment options) {
    MemorySegment replaced = this.options;
    this.options = RocksDbC.rocksdb_options_create_copy(options);
    this.text = text;
    if (replaced != null) {
      RocksDbC.rocksdb_options_destroy(replaced);
    }
  }

  /** Options in which a text is set, which the caller <em>owns</em>; null if it is not the last one that was read. */
  synchronized MemorySegment copyOf(String text) {
    return text.equals(this.text) ? RocksDbC.rocksdb_options_create_copy(options) : null;
  }
}
