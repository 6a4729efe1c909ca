/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm;

import static java.util.Objects.requireNonNull;

import org.rocksdbffm.internal.options.table.OptionTable;

/**
 * Options of a compaction of a range that the user asks for.
 *
 * @param exclusive whether no other compaction runs meanwhile
 * @param bottommost what happens to files of the last level
 * @param targetLevel the level to move the files to, or {@link #NO_LEVEL}
 * @param maxSubcompactions how many threads share the work; 0 for the database's own setting
 */
public record CompactOptions(boolean exclusive, Bottommost bottommost, int targetLevel, int maxSubcompactions) {
  /** Says that the files stay at the level that the compaction leaves them at. */
  public static final int NO_LEVEL = -1;

  private static final CompactOptions DEFAULTS =
      new CompactOptions(false, Bottommost.IF_HAVE_COMPACTION_FILTER, NO_LEVEL, 0);

  /**
   * Checks that nothing is null, or negative that must not be.
   *
   * @param exclusive whether no other compaction runs meanwhile
   * @param bottommost what happens to files of the last level
   * @param targetLevel the level to move the files to, or {@link #NO_LEVEL}
   * @param maxSubcompactions how many threads share the work; 0 for the database's own setting
   */
  public CompactOptions {
    requireNonNull(bottommost, "bottommost");
    if (targetLevel < NO_LEVEL) {
      throw new IllegalArgumentException("targetLevel: " + targetLevel + " is negative");
    }
    OptionTable.checkNumber("compact", "maxSubcompactions", maxSubcompactions);
  }

  /** The treatment of files of the last level. In the engine's order. */
  public enum Bottommost {
    /** They stay as they are. */
    SKIP,
    /** They are compacted if there is a compaction filter. */
    IF_HAVE_COMPACTION_FILTER,
    /** They are compacted. */
    FORCE,
    /** They are compacted, unless this very compaction wrote them. */
    FORCE_OPTIMIZED
  }

  /**
   * The engine's defaults.
   *
   * @return the options
   */
  public static CompactOptions defaults() {
    return DEFAULTS;
  }

  /**
   * Whether no other compaction runs meanwhile.
   *
   * @param exclusive true to keep others off
   * @return the changed options
   */
  public CompactOptions exclusive(boolean exclusive) {
    return new CompactOptions(exclusive, bottommost, targetLevel, maxSubcompactions);
  }

  /**
   * Sets what happens to files of the last level.
   *
   * @param bottommost what to do
   * @return the changed options
   */
  public CompactOptions bottommost(Bottommost bottommost) {
    return new CompactOptions(exclusive, bottommost, targetLevel, maxSubcompactions);
  }

  /**
   * The level to move the files to. They stay at the one that the compaction leaves them at if there are files at levels
   * between the two, if several would come to level 0, and where {@link CompactionStyle#NONE} compacts nothing.
   *
   * @param level a level of the column family; another one is refused when they are compacted
   * @return the changed options
   */
  public CompactOptions targetLevel(int level) {
    return new CompactOptions(exclusive, bottommost, level, maxSubcompactions);
  }

  /**
   * How many threads share the work.
   *
   * @param count at least 1
   * @return the changed options
   */
  public CompactOptions maxSubcompactions(int count) {
    return new CompactOptions(exclusive, bottommost, targetLevel, count);
  }
}
