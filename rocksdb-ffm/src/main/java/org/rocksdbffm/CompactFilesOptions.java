/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm;

import static java.util.Objects.requireNonNull;

import org.rocksdbffm.internal.options.table.OptionTable;

/**
 * Options of a compaction of chosen files.
 *
 * @param fileSize how large a new file becomes at most; 0 for no limit
 * @param maxSubcompactions how many threads share the work; 0 for the database's own setting
 * @param mayMove whether files that need not be merged with others are moved to the level as they are
 */
public record CompactFilesOptions(ByteSize fileSize, int maxSubcompactions, boolean mayMove) {
  private static final ByteSize LEAST_SIZE = ByteSize.kib(64);
  private static final CompactFilesOptions DEFAULTS = new CompactFilesOptions(ByteSize.bytes(0), 0, false);

  /** Checks that nothing is null or out of range. */
  public CompactFilesOptions {
    if (requireNonNull(fileSize, "fileSize").bytes() != 0 && fileSize.compareTo(LEAST_SIZE) < 0) {
      throw new IllegalArgumentException("fileSize: " + fileSize + ", but the least is " + LEAST_SIZE + "; 0 is no limit");
    }
    OptionTable.checkNumber("compact", "maxSubcompactions", maxSubcompactions);
  }

  /**
   * The engine's defaults: one file is written, by as many threads as the database is set to.
   *
   * @return the options
   */
  public static CompactFilesOptions defaults() {
    return DEFAULTS;
  }

  /**
   * How large a new file becomes at most, about.
   *
   * @param most from 64 KiB; 0 for no limit
   * @return the changed options
   */
  public CompactFilesOptions fileSize(ByteSize most) {
    return new CompactFilesOptions(requireNonNull(most, "most"), maxSubcompactions, mayMove);
  }

  /**
   * How many threads share the work.
   *
   * @param count at least 1
   * @return the changed options
   */
  public CompactFilesOptions maxSubcompactions(int count) {
    return new CompactFilesOptions(fileSize, count, mayMove);
  }

  /**
   * Whether files that need not be merged with others are moved to the level as they are, and not written anew.
   *
   * @param move true to move them
   * @return the changed options
   */
  public CompactFilesOptions mayMove(boolean move) {
    return new CompactFilesOptions(fileSize, maxSubcompactions, move);
  }
}
