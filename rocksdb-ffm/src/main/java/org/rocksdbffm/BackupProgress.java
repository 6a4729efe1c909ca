/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm;

import static java.util.Objects.requireNonNull;

import java.time.Duration;

/**
 * How far a backup has come that is being {@linkplain Backups#create(RocksDb, String, BackupProgress.Listener) made}.
 *
 * @param copied how much was copied, in whole MiB
 * @param total about how much is to be copied: what the folder had not yet when the backup began, but at least what was copied
 * @param elapsed how long it takes so far
 */
public record BackupProgress(ByteSize copied, ByteSize total, Duration elapsed) {
  /** Is told how far a backup has come. */
  @FunctionalInterface
  public interface Listener {
    /**
     * Called on a thread of the library's own, of the newest state and not of each; the backup does not wait for it. The
     * last call may come when the backup is complete.
     *
     * @param progress how far it has come; what this throws is logged
     */
    void onProgress(BackupProgress progress);
  }

  /** Made by the library alone. */
  public BackupProgress {
    requireNonNull(copied, "copied");
    requireNonNull(total, "total");
    requireNonNull(elapsed, "elapsed");
  }

  /**
   * How long it will take still, if it goes on like this.
   *
   * @return an estimate
   */
  public Duration timeLeft() {
    long left = total.bytes() - copied.bytes();
    return left <= 0 || copied.bytes() == 0
        ? Duration.ZERO
        : Duration.ofNanos((long) ((double) elapsed.toNanos() / copied.bytes() * left));
  }
}
