/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm;

import static java.util.Objects.requireNonNull;

import org.rocksdbffm.internal.options.PartValues;

/**
 * Options of {@link CompactionStyle#UNIVERSAL}; set by {@link FamilyOptions#universal}. Merges sorted runs, each of
 * which has newer rows than the next. Immutable.
 */
public final class UniversalCompaction extends Settings {
  private final PartValues parts;

  private UniversalCompaction(PartValues parts) {
    super(parts.values());
    this.parts = parts;
  }

  /** The rules by which the selection of runs ends. */
  public enum Stop {
    /** The next run is too large in relation to the selected runs together; the default. */
    TOTAL_SIZE("kCompactionStopStyleTotalSize"),
    /** The size of the next run differs from the last selected one. */
    SIMILAR_SIZE("kCompactionStopStyleSimilarSize");

    private final String id;

    Stop(String id) {
      this.id = id;
    }
  }

  /**
   * Returns the engine's defaults.
   *
   * @return options with nothing set
   */
  public static UniversalCompaction defaults() {
    return new UniversalCompaction(PartValues.defaults("universal"));
  }

  private UniversalCompaction with(String name, Object value) {
    return new UniversalCompaction(parts.with(name, value));
  }

  /**
   * Sets how much larger the next run may be than the selected runs together, to be merged with them.
   *
   * @param percent the percentage, 1 by default
   * @return the changed options
   */
  public UniversalCompaction sizeRatio(int percent) {
    return with("size_ratio", percent);
  }

  /**
   * Sets the minimum number of runs in a merge.
   *
   * @param runs at least 2, and at most the maximum
   * @return the changed options
   */
  public UniversalCompaction minMergeWidth(int runs) {
    return with("min_merge_width", runs);
  }

  /**
   * Sets the maximum number of runs in a merge.
   *
   * @param runs at least 2; unlimited by default
   * @return the changed options
   */
  public UniversalCompaction maxMergeWidth(int runs) {
    return with("max_merge_width", runs);
  }

  /**
   * Sets the space overhead at which all runs are merged.
   *
   * @param percent the overhead as a percentage of the rows' size; 200 by default: three times the size
   * @return the changed options
   */
  public UniversalCompaction maxSizeAmplification(int percent) {
    return with("max_size_amplification_percent", percent);
  }

  /**
   * Sets how much of the database is compressed: the oldest part of this size.
   *
   * @param percent -1, the default, for everything
   * @return the changed options
   */
  public UniversalCompaction compressionSize(int percent) {
    return with("compression_size_percent", percent);
  }

  /**
   * Sets the maximum number of runs.
   *
   * @param runs -1 for {@link FamilyOptions#level0FileNumCompactionTrigger}, 0 to let the engine choose
   * @return the changed options
   */
  public UniversalCompaction maxReadAmplification(int runs) {
    return with("max_read_amp", runs);
  }

  /**
   * Sets the rule by which runs are selected for a merge.
   *
   * @param stop ends the selection
   * @return the changed options
   */
  public UniversalCompaction stopStyle(Stop stop) {
    return with("stop_style", requireNonNull(stop, "stop").id);
  }

  /**
   * Sets whether files that overlap with no others are moved instead of rewritten.
   *
   * @param allow false by default
   * @return the changed options
   */
  public UniversalCompaction allowTrivialMove(boolean allow) {
    return with("allow_trivial_move", allow);
  }

  /**
   * Sets whether a full merge is done in parts.
   *
   * @param merge false by default
   * @return the changed options
   */
  public UniversalCompaction incremental(boolean merge) {
    return with("incremental", merge);
  }

  /** Returns the structure in the engine's notation. */
  String text() {
    long least = parts.number("min_merge_width");
    long most = parts.number("max_merge_width");
    if (least > most) {
      throw new IllegalArgumentException(
          "compaction: it merges " + least + " runs at least (minMergeWidth), which is more than " + most
              + " at most (maxMergeWidth)");
    }
    return parts.text();
  }

  @Override
  public String toString() {
    return parts.toString();
  }
}
