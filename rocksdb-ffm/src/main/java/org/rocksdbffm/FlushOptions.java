/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm;

/**
 * Options of a flush, which writes memtables to files.
 *
 * @param waitForFlush whether to wait until the file is written
 * @param allowWriteStall whether the flush may make writes wait
 */
public record FlushOptions(boolean waitForFlush, boolean allowWriteStall) {
  private static final FlushOptions DEFAULTS = new FlushOptions(true, false);

  /**
   * Returns the engine's defaults: waits for the flush, and does not stall writes.
   *
   * @return the options
   */
  public static FlushOptions defaults() {
    return DEFAULTS;
  }

  /**
   * Sets whether to wait until the file is written.
   *
   * @param wait false to return immediately
   * @return the changed options
   */
  public FlushOptions waitForFlush(boolean wait) {
    return new FlushOptions(wait, allowWriteStall);
  }

  /**
   * Sets whether the flush may make writes wait.
   *
   * @param allow true to flush immediately even if writes must wait
   * @return the changed options
   */
  public FlushOptions allowWriteStall(boolean allow) {
    return new FlushOptions(waitForFlush, allow);
  }
}
