/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm;

import org.rocksdbffm.internal.leak.LeakWatch;
import org.rocksdbffm.internal.upkeep.NativePause;

/**
 * Work that a database does not do until this is closed: see {@link DatabaseFiles}. There may be several of a kind, and the
 * last one that ends ends the pause. Its owner closes it; its database closes it at the latest. Thread-safe.
 */
public final class Pause implements AutoCloseable {
  private final NativePause pause;
  private final LeakWatch watch;

  @SuppressWarnings({"unused", "FieldCanBeLocal"}) // the database is not forgotten while its work is paused
  private final Object databaseToken;

  Pause(NativePause pause, Object databaseToken) {
    this.pause = pause;
    this.databaseToken = databaseToken;
    this.watch = LeakWatch.over(this, pause);
  }

  /**
   * Whether it still holds: it was not closed, and its time is not over.
   *
   * @return false once it has ended
   */
  public boolean isInEffect() {
    return pause.isInEffect();
  }

  /** Ends the pause; idempotent. */
  @Override
  public void close() {
    pause.close();
    watch.end();
  }

  @Override
  public String toString() {
    return pause.name();
  }
}
