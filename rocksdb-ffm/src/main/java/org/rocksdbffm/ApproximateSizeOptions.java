/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm;

/**
 * Options of {@link FamilyFiles#approximateSize(KeyRange, ApproximateSizeOptions)}: which parts of a database count.
 *
 * @param memtables whether rows that are in no file yet count
 * @param tables whether table files count
 * @param blobs whether blob files count, by their share of the tables
 * @param errorMargin how far the size of the files may be off, as a part of it, which makes the answer cheaper; 0 to look
 *     into each file
 */
public record ApproximateSizeOptions(boolean memtables, boolean tables, boolean blobs, double errorMargin) {
  private static final ApproximateSizeOptions DEFAULTS = new ApproximateSizeOptions(true, true, false, 0);

  /** Refuses a margin that is none, and options by which nothing counts. */
  public ApproximateSizeOptions {
    if (!(errorMargin >= 0 && errorMargin <= 1)) {
      throw new IllegalArgumentException("errorMargin: " + errorMargin + ", but it must be a part, from 0 to 1");
    }
    if (!memtables && !tables && !blobs) {
      throw new IllegalArgumentException("memtables, tables and blobs: nothing would count; leave one of them true");
    }
  }

  /**
   * Memtables and table files count, without a margin.
   *
   * @return the options
   */
  public static ApproximateSizeOptions defaults() {
    return DEFAULTS;
  }

  /**
   * Whether rows that are in no file yet count.
   *
   * @param count false to leave them out
   * @return the changed options
   */
  public ApproximateSizeOptions memtables(boolean count) {
    return new ApproximateSizeOptions(count, tables, blobs, errorMargin);
  }

  /**
   * Whether table files count.
   *
   * @param count false to leave them out
   * @return the changed options
   */
  public ApproximateSizeOptions tables(boolean count) {
    return new ApproximateSizeOptions(memtables, count, blobs, errorMargin);
  }

  /**
   * Whether blob files count. Their part is that which the range has of the tables.
   *
   * @param count true to count them too
   * @return the changed options
   */
  public ApproximateSizeOptions blobs(boolean count) {
    return new ApproximateSizeOptions(memtables, tables, count, errorMargin);
  }

  /**
   * How far the size of the files may be off.
   *
   * @param part from 0, to look into each file, to 1
   * @return the changed options
   */
  public ApproximateSizeOptions errorMargin(double part) {
    return new ApproximateSizeOptions(memtables, tables, blobs, part);
  }
}
