/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm;

import static java.util.Objects.requireNonNull;

import org.rocksdbffm.internal.options.PartValues;

/**
 * Options of {@link CompactionStyle#FIFO}; set by {@link FamilyOptions#fifo}. The oldest files are deleted with all
 * their rows when the total size exceeds a limit, or when they reach the age of {@link FamilyOptions#ttl}: for caches,
 * and logs whose oldest rows may be lost. Immutable.
 */
public final class FifoCompaction extends Settings {
  private final PartValues parts;

  private FifoCompaction(PartValues parts) {
    super(parts.values());
    this.parts = parts;
  }

  /**
   * Returns the engine's defaults.
   *
   * @return options with nothing set
   */
  public static FifoCompaction defaults() {
    return new FifoCompaction(PartValues.defaults("fifo"));
  }

  private FifoCompaction with(String name, Object value) {
    return new FifoCompaction(parts.with(name, value));
  }

  /**
   * Sets the total size of table files above which the oldest is deleted.
   *
   * @param size at least 64 KiB; 1 GiB by default
   * @return the changed options
   */
  public FifoCompaction maxTableFilesSize(ByteSize size) {
    return with("max_table_files_size", requireNonNull(size, "size").bytes());
  }

  /**
   * Sets the total size of table and blob files above which the oldest is deleted.
   *
   * @param size at least 64 KiB; zero, the default, limits only table files
   * @return the changed options
   */
  public FifoCompaction maxDataFilesSize(ByteSize size) {
    return with("max_data_files_size", requireNonNull(size, "size").bytes());
  }

  /**
   * Sets whether small files are merged into larger ones.
   *
   * @param allow false by default
   * @return the changed options
   */
  public FifoCompaction allowCompaction(boolean allow) {
    return with("allow_compaction", allow);
  }

  /** Returns the structure in the engine's notation. */
  String text() {
    return parts.text();
  }

  @Override
  public String toString() {
    return parts.toString();
  }
}
