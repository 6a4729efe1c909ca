/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.compat.options;

import java.lang.foreign.Arena;
import java.nio.file.Path;
import org.rocksdb.RocksDBException;
import org.rocksdbffm.compat.support.Mode;
import org.rocksdbffm.internal.foreign.Memory;
import org.rocksdbffm.internal.options.DatabaseKind;
import org.rocksdbffm.internal.settings.MemoryShare;

/**
 * Options for opening a database or creating a column family: the program's options, or copies of them that are limited
 * to the database's share of a memory budget and have the listener of a recovery. Closed after the opening.
 */
public final class BoundedOptions implements AutoCloseable {
  private static final boolean RECOVERS = System.getProperty(WriteRecovery.PROPERTY) != null;

  private final MemoryShare memory; // null without a budget
  private final DatabaseKind kind;
  private final long[] families;
  private final boolean isCopied;
  private long options; // zero until copied, like each family's options
  private WriteRecovery recovery; // null without a recovery, and after it was taken

  private BoundedOptions(MemoryShare memory, boolean recovers, DatabaseKind kind, long options, long[] families) {
    this.memory = memory;
    this.kind = kind;
    this.isCopied = memory != null || recovers;
    this.options = isCopied ? 0 : options;
    this.families = memory == null ? families.clone() : new long[families.length];
    if (isCopied) {
      try {
        this.options = OptionCopies.copy(options);
        if (memory != null) {
          bound(families);
        }
        recovery = recovers ? WriteRecovery.start(this.options) : null;
      } catch (Throwable e) {
        close();
        throw e;
      }
    }
  }

  private void bound(long[] programFamilies) {
    bound(options);
    for (int i = 0; i < families.length; i++) {
      long whole = OptionCopies.together(options, programFamilies[i]);
      try {
        bound(whole);
        families[i] = OptionCopies.family(whole);
      } finally {
        OptionCopies.dispose(whole);
      }
    }
  }

  /** Returns options for opening a database of a kind. */
  public static BoundedOptions of(DatabaseKind kind, long options, long... families) throws RocksDBException {
    boolean recovers = RECOVERS && !kind.isForReading();
    return new BoundedOptions(SharedMemory.join(), recovers, kind, options, families);
  }

  /**
   * Returns options for a new family. {@code database}: the options with which the database was opened, or null.
   */
  public static BoundedOptions ofFamily(BoundedOptions database, long options, long family) {
    boolean isBounded = database != null && database.isBounded();
    return new BoundedOptions(
        isBounded ? database.memory.share() : null,
        false,
        isBounded ? database.kind : null,
        options,
        new long[] {family});
  }

  /** Returns the database options. */
  public long options() {
    return options;
  }

  public long[] families() {
    return families;
  }

  public long family() {
    return families[0];
  }

  /** Whether a memory budget applies, so that the database releases its share when it is closed. */
  public boolean isBounded() {
    return memory != null;
  }

  /** Returns the recovery of the opened database, which the caller ends; null without one. */
  public WriteRecovery takeRecovery(long db, Path folder) {
    WriteRecovery taken = recovery;
    recovery = null;
    if (taken != null) {
      taken.opened(db, folder, options);
    }
    return taken;
  }

  /** Retains the share for the opened database, although this object's close releases one. */
  public BoundedOptions keepShare() {
    if (memory != null) {
      memory.share();
    }
    return this;
  }

  /** Releases the share of a closed database. */
  public void release() {
    memory.release();
  }

  private void bound(long whole) {
    try (Arena arena = Arena.ofConfined()) {
      memory.setIn(Memory.atAddress(whole));
      rocksdb_options_set_row_cache(whole, arena.allocate(2 * Long.BYTES).address()); // an empty std::shared_ptr
      MemoryShare.Memtables fitting =
          memory.fitting(
              kind,
              rocksdb_options_get_write_buffer_size(whole),
              rocksdb_options_get_max_write_buffer_size_to_maintain(whole));
      rocksdb_options_set_write_buffer_size(whole, fitting.size());
      rocksdb_options_set_arena_block_size(whole, fitting.block());
      rocksdb_options_set_max_write_buffer_size_to_maintain(whole, fitting.history());
      if (!TableCaches.set(whole, memory.cache().address())) {
        Mode.warnOnce("-D" + SharedMemory.PROPERTY, "-D" + SharedMemory.PROPERTY
            + " does not count tables that are not block based");
      }
    }
  }

  @Override
  public void close() {
    if (recovery != null) {
      recovery.end();
    }
    if (isCopied) {
      OptionCopies.dispose(options);
    }
    if (memory != null) {
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
