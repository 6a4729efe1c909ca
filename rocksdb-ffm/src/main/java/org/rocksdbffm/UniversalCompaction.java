/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm;

import static java.util.Objects.requireNonNull;

import org.rocksdbffm.internal.options.PartValues;

/**
 * How {@link CompactionStyle#UNIVERSAL} compacts; given to {@link FamilyOptions#universal}. Files are merged by sorted runs, of which
 * each has newer rows than the next. Immutable.
 */
public final class UniversalCompaction extends Settings {
  private final PartValues parts;

  private UniversalCompaction(PartValues parts) {
    super(parts.values());
    this.parts = parts;
  }

  /** When no further run is taken into a merge. */
  public enum Stop {
    /** When the next is too large for the sum of those before; the default. */
    TOTAL_SIZE("kCompactionStopStyleTotalSize"),
    /** When the next is of another size than the last. */
    SIMILAR_SIZE("kCompactionStopStyleSimilarSize");

    private final String id;

    Stop(String id) {
      this.id = id;
    }
  }

  /**
   * The engine's defaults.
   *
   * @return options in which nothing is set
   */
  public static UniversalCompaction defaults() {
    return new UniversalCompaction(PartValues.defaults("universal"));
  }

  private UniversalCompaction with(String name, Object value) {
    return new UniversalCompaction(parts.with(name, value));
  }

  /**
   * How much larger a run may be than those before it together, to be merged with them.
   *
   * @param percent 1 by default
   * @return the changed options
   */
  public UniversalCompaction sizeRatio(int percent) {
    return with("size_ratio", percent);
  }

  /**
   * How many runs are merged at least.
   *
   * @param runs at least 2, and no more than at most
   * @return the changed options
   */
  public UniversalCompaction minMergeWidth(int runs) {
    return with("min_merge_width", runs);
  }

  /**
   * How many runs are merged at most.
   *
   * @param runs at least 2; all that there are by default
   * @return the changed options
   */
  public UniversalCompaction maxMergeWidth(int runs) {
    return with("max_merge_width", runs);
  }

  /**
   * How much more room than its rows the database may take, before all is merged.
   *
   * @param percent 200 by default: three times the room
   * @return the changed options
   */
  public UniversalCompaction maxSizeAmplification(int percent) {
    return with("max_size_amplification_percent", percent);
  }

  /**
   * How much of the database is compressed: its oldest part, of this size.
   *
   * @param percent -1 for all of it, which is the default
   * @return the changed options
   */
  public UniversalCompaction compressionSize(int percent) {
    return with("compression_size_percent", percent);
  }

  /**
   * How many runs there may be.
   *
   * @param runs -1 for {@link FamilyOptions#level0FileNumCompactionTrigger}, 0 for what the engine finds best
   * @return the changed options
   */
  public UniversalCompaction maxReadAmplification(int runs) {
    return with("max_read_amp", runs);
  }

  /**
   * Sets which runs are merged together.
   *
   * @param stop when no further run is taken in
   * @return the changed options
   */
  public UniversalCompaction stopStyle(Stop stop) {
    return with("stop_style", requireNonNull(stop, "stop").id);
  }

  /**
   * Whether files that overlap no others are moved and not rewritten.
   *
   * @param allow false by default
   * @return the changed options
   */
  public UniversalCompaction allowTrivialMove(boolean allow) {
    return with("allow_trivial_move", allow);
  }

  /**
   * Whether all is merged part by part, and not at once.
   *
   * @param merge false by default
   * @return the changed options
   */
  public UniversalCompaction incremental(boolean merge) {
    return with("incremental", merge);
  }

  /** In the engine's notation. */
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
