/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm;

/**
 * Options of a flush, which writes memtables to files.
 *
 * @param waitForFlush whether the call returns only when the file is written
 * @param allowWriteStall whether the flush may make writes wait
 */
public record FlushOptions(boolean waitForFlush, boolean allowWriteStall) {
  private static final FlushOptions DEFAULTS = new FlushOptions(true, false);

  /**
   * The engine's defaults: it waits, and does not stall writes.
   *
   * @return the options
   */
  public static FlushOptions defaults() {
    return DEFAULTS;
  }

  /**
   * Whether the call returns only when the file is written.
   *
   * @param wait false to return at once
   * @return the changed options
   */
  public FlushOptions waitForFlush(boolean wait) {
    return new FlushOptions(wait, allowWriteStall);
  }

  /**
   * Whether the flush may make writes wait.
   *
   * @param allow true to flush at once even so
   * @return the changed options
   */
  public FlushOptions allowWriteStall(boolean allow) {
    return new FlushOptions(waitForFlush, allow);
  }
}
