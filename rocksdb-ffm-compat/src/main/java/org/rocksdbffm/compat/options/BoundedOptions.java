/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.compat.options;

import java.lang.foreign.Arena;
import org.rocksdb.RocksDBException;
import org.rocksdbffm.compat.support.Mode;
import org.rocksdbffm.internal.foreign.Memory;
import org.rocksdbffm.internal.options.DatabaseKind;
import org.rocksdbffm.internal.settings.MemoryShare;

/**
 * Options with which a database is opened or a family is made: those of the program, or copies that stay within the
 * database's share of a memory budget. Closed when that is done.
 */
public final class BoundedOptions implements AutoCloseable {
  private final MemoryShare memory; // null for no budget
  private final DatabaseKind kind;
  private final long[] families;
  private long options; // zero until it is copied, as those of families

  private BoundedOptions(MemoryShare memory, DatabaseKind kind, long options, long[] families) {
    this.memory = memory;
    this.kind = kind;
    this.options = memory == null ? options : 0;
    this.families = memory == null ? families.clone() : new long[families.length];
    if (memory != null) {
      try {
        copy(options, families);
      } catch (Throwable e) {
        close();
        throw e;
      }
    }
  }

  private void copy(long program, long[] itsFamilies) {
    options = OptionCopies.copy(program);
    bound(options);
    for (int i = 0; i < families.length; i++) {
      long whole = OptionCopies.together(options, itsFamilies[i]);
      try {
        bound(whole);
        families[i] = OptionCopies.family(whole);
      } finally {
        OptionCopies.dispose(whole);
      }
    }
  }

  /** For a database that is opened as one of a kind. */
  public static BoundedOptions of(DatabaseKind kind, long options, long... families) throws RocksDBException {
    return new BoundedOptions(SharedMemory.join(), kind, options, families);
  }

  /** For a family that is made in a database that was opened with these; null if that has no budget. */
  public static BoundedOptions ofFamily(BoundedOptions database, long options, long family) {
    boolean isBounded = database != null && database.isBounded();
    return new BoundedOptions(
        isBounded ? database.memory.share() : null, isBounded ? database.kind : null, options, new long[] {family});
  }

  /** Those of the database. */
  public long options() {
    return options;
  }

  public long[] families() {
    return families;
  }

  public long family() {
    return families[0];
  }

  /** Whether the database has to release its share when it is closed. */
  public boolean isBounded() {
    return memory != null;
  }

  /** Destroys the copies, and leaves the share to the database. */
  public BoundedOptions keepShare() {
    if (memory != null) {
      memory.share();
    }
    return this;
  }

  /** Releases the share of a database that is closed. */
  public void release() {
    memory.release();
  }

  private void bound(long whole) {
    try (Arena arena = Arena.ofConfined()) {
      memory.setIn(Memory.atAddress(whole));
      rocksdb_options_set_row_cache(whole, arena.allocate(2 * Long.BYTES).address()); // a shared pointer to none
      MemoryShare.Memtables fitting =
          memory.fitting(
              kind,
              rocksdb_options_get_write_buffer_size(whole),
              rocksdb_options_get_max_write_buffer_size_to_maintain(whole));
      rocksdb_options_set_write_buffer_size(whole, fitting.size());
      rocksdb_options_set_arena_block_size(whole, fitting.block());
      rocksdb_options_set_max_write_buffer_size_to_maintain(whole, fitting.history());
      if (!TableCaches.set(whole, memory.cache().address())) {
        Mode.warnOnce("-D" + SharedMemory.PROPERTY, "-D" + SharedMemory.PROPERTY + " does not count tables that are not block based");
      }
    }
  }

  @Override
  public void close() {
    if (memory != null) {
      OptionCopies.dispose(options);
      for (long family : families) {
        OptionCopies.disposeFamily(family);
      }
      memory.release();
    }
  }

  private static native void rocksdb_options_set_row_cache(long options, long cache);

  private static native long rocksdb_options_get_write_buffer_size(long options);

  private static native void rocksdb_options_set_write_buffer_size(long options, long size);

  private static native void rocksdb_options_set_arena_block_size(long options, long size);

  private static native long rocksdb_options_get_max_write_buffer_size_to_maintain(long options);

  private static native void rocksdb_options_set_max_write_buffer_size_to_maintain(long options, long size);
}
