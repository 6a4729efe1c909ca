/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm;

import static java.util.Objects.requireNonNull;

import org.rocksdbffm.internal.options.PartValues;

/**
 * How {@link CompactionStyle#FIFO} compacts; given to {@link FamilyOptions#fifo}. The oldest files are deleted with all their rows
 * when there are too many bytes, or when they reach the age of {@link FamilyOptions#ttl}: it is for a cache, or a log of which the
 * beginning may go. Immutable.
 */
public final class FifoCompaction extends Settings {
  private final PartValues parts;

  private FifoCompaction(PartValues parts) {
    super(parts.values());
    this.parts = parts;
  }

  /**
   * The engine's defaults.
   *
   * @return options in which nothing is set
   */
  public static FifoCompaction defaults() {
    return new FifoCompaction(PartValues.defaults("fifo"));
  }

  private FifoCompaction with(String name, Object value) {
    return new FifoCompaction(parts.with(name, value));
  }

  /**
   * How large all table files together may be, before the oldest goes.
   *
   * @param size at least 64 KiB; 1 GiB by default
   * @return the changed options
   */
  public FifoCompaction maxTableFilesSize(ByteSize size) {
    return with("max_table_files_size", requireNonNull(size, "size").bytes());
  }

  /**
   * How large table and blob files together may be, before the oldest goes.
   *
   * @param size at least 64 KiB; zero for a limit of table files alone, which is the default
   * @return the changed options
   */
  public FifoCompaction maxDataFilesSize(ByteSize size) {
    return with("max_data_files_size", requireNonNull(size, "size").bytes());
  }

  /**
   * Whether small files are merged, so that there are fewer.
   *
   * @param allow false by default
   * @return the changed options
   */
  public FifoCompaction allowCompaction(boolean allow) {
    return with("allow_compaction", allow);
  }

  /** In the engine's notation. */
  String text() {
    return parts.text();
  }

  @Override
  public String toString() {
    return parts.toString();
  }
}
