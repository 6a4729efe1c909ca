/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm;

import static java.util.Objects.requireNonNull;

import org.rocksdbffm.internal.options.table.OptionTable;

/**
 * Options of a manual compaction of a key range.
 *
 * @param exclusive whether no other compaction may run at the same time
 * @param bottommost the treatment of files in the last level
 * @param targetLevel the level to move the files to, or {@link #NO_LEVEL}
 * @param maxSubcompactions the number of threads that share the work; 0 for the database's setting
 */
public record CompactOptions(boolean exclusive, Bottommost bottommost, int targetLevel, int maxSubcompactions) {
  /** The files stay in the level to which the compaction writes them. */
  public static final int NO_LEVEL = -1;

  private static final CompactOptions DEFAULTS =
      new CompactOptions(false, Bottommost.IF_HAVE_COMPACTION_FILTER, NO_LEVEL, 0);

  /**
   * Checks for null and out-of-range arguments.
   *
   * @param exclusive whether no other compaction may run at the same time
   * @param bottommost the treatment of files in the last level
   * @param targetLevel the level to move the files to, or {@link #NO_LEVEL}
   * @param maxSubcompactions the number of threads that share the work; 0 for the database's setting
   */
  public CompactOptions {
    requireNonNull(bottommost, "bottommost");
    if (targetLevel < NO_LEVEL) {
      throw new IllegalArgumentException("targetLevel: " + targetLevel + " is negative");
    }
    OptionTable.checkNumber("compact", "maxSubcompactions", maxSubcompactions);
  }

  /** The treatment of files in the last level. In the order of the engine's numbers. */
  public enum Bottommost {
    /** Files in the last level are not compacted. */
    SKIP,
    /** Files in the last level are compacted if there is a compaction filter. */
    IF_HAVE_COMPACTION_FILTER,
    /** Files in the last level are compacted. */
    FORCE,
    /** Files in the last level are compacted, except files that this compaction has written. */
    FORCE_OPTIMIZED
  }

  /**
   * Returns the engine's defaults.
   *
   * @return the options
   */
  public static CompactOptions defaults() {
    return DEFAULTS;
  }

  /**
   * Sets whether no other compaction may run at the same time.
   *
   * @param exclusive true to exclude others
   * @return the changed options
   */
  public CompactOptions exclusive(boolean exclusive) {
    return new CompactOptions(exclusive, bottommost, targetLevel, maxSubcompactions);
  }

  /**
   * Sets the treatment of files in the last level.
   *
   * @param bottommost the treatment
   * @return the changed options
   */
  public CompactOptions bottommost(Bottommost bottommost) {
    return new CompactOptions(exclusive, bottommost, targetLevel, maxSubcompactions);
  }

  /**
   * Sets the level to move the files to. Files are not moved if there are files in the levels between, if several files
   * would be moved to level 0, or if {@link CompactionStyle#NONE} compacts nothing.
   *
   * @param level a level of the column family; a level that does not exist is refused by the compaction
   * @return the changed options
   */
  public CompactOptions targetLevel(int level) {
    return new CompactOptions(exclusive, bottommost, level, maxSubcompactions);
  }

  /**
   * Sets the number of threads that share the work.
   *
   * @param count at least 1
   * @return the changed options
   */
  public CompactOptions maxSubcompactions(int count) {
    return new CompactOptions(exclusive, bottommost, targetLevel, count);
  }
}
