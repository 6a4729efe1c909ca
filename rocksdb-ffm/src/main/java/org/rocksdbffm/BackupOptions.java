/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm;

import static java.util.Objects.requireNonNull;

/**
 * Options of a folder of {@link Backups}.
 *
 * @param flushFirst whether a backup writes the memtables to files before it begins
 * @param sync whether what is copied is on the disk when a call returns
 * @param backupRate how many bytes a second are copied to the folder at most; none for no limit
 * @param restoreRate how many bytes a second are copied from the folder at most; none for no limit
 * @param threads how many files are copied at the same time
 */
public record BackupOptions(
    boolean flushFirst, boolean sync, ByteSize backupRate, ByteSize restoreRate, int threads) {
  private static final int MAX_THREADS = 64;
  private static final ByteSize LEAST_RATE = ByteSize.kib(1);
  private static final BackupOptions DEFAULTS =
      new BackupOptions(true, true, ByteSize.bytes(0), ByteSize.bytes(0), 1);

  /** Refuses what the engine would take for something else. */
  public BackupOptions {
    requireRate("backupRate", requireNonNull(backupRate, "backupRate"));
    requireRate("restoreRate", requireNonNull(restoreRate, "restoreRate"));
    if (threads < 1 || threads > MAX_THREADS) {
      throw new IllegalArgumentException("threads: " + threads + ", but files are copied by 1 to " + MAX_THREADS);
    }
  }

  private static void requireRate(String name, ByteSize rate) {
    if (rate.bytes() != 0 && rate.bytes() < LEAST_RATE.bytes()) {
      throw new IllegalArgumentException(name + ": " + rate + " a second, but the least is " + LEAST_RATE + "; 0 is no limit");
    }
  }

  /**
   * Backups are flushed first and synced, by one thread, as fast as the disk can.
   *
   * @return the options
   */
  public static BackupOptions defaults() {
    return DEFAULTS;
  }

  /**
   * Whether a backup writes the memtables to files before it begins. Without it the logs are copied; a database in which
   * anything was written without the log flushes in any case.
   *
   * @param flush false to copy the logs
   * @return the changed options
   */
  public BackupOptions flushFirst(boolean flush) {
    return new BackupOptions(flush, sync, backupRate, restoreRate, threads);
  }

  /**
   * Whether what is copied is on the disk when a call returns. Without it the end of the machine may damage a backup that
   * was just made, and others that share files with it.
   *
   * @param wait false to leave it to the operating system
   * @return the changed options
   */
  public BackupOptions sync(boolean wait) {
    return new BackupOptions(flushFirst, wait, backupRate, restoreRate, threads);
  }

  /**
   * Limits how fast backups are made.
   *
   * @param aSecond from 1 KiB; 0 for no limit
   * @return the changed options
   */
  public BackupOptions backupRate(ByteSize aSecond) {
    return new BackupOptions(flushFirst, sync, requireNonNull(aSecond, "aSecond"), restoreRate, threads);
  }

  /**
   * Limits how fast backups are restored.
   *
   * @param aSecond from 1 KiB; 0 for no limit
   * @return the changed options
   */
  public BackupOptions restoreRate(ByteSize aSecond) {
    return new BackupOptions(flushFirst, sync, backupRate, requireNonNull(aSecond, "aSecond"), threads);
  }

  /**
   * How many files are copied at the same time.
   *
   * @param count from 1 to 64
   * @return the changed options
   */
  public BackupOptions threads(int count) {
    return new BackupOptions(flushFirst, sync, backupRate, restoreRate, count);
  }
}
