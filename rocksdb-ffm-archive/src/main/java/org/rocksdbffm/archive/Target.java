/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.archive;

import static java.util.Objects.requireNonNull;

import java.time.Instant;

/** The state of a database to restore. */
public sealed interface Target {
  /** The newest state. */
  record Newest() implements Target {}

  /**
   * The state after a write.
   *
   * @param number the sequence number of the last write; of a batch with several writes, all are restored or none
   */
  record Sequence(long number) implements Target {}

  /**
   * The newest archived state that is not later than a time.
   *
   * @param instant the time
   */
  record Time(Instant instant) implements Target {
    /** Checks the time. */
    public Time {
      requireNonNull(instant, "instant");
    }
  }

  /**
   * Returns the newest state.
   *
   * @return the target
   */
  static Target newest() {
    return new Newest();
  }

  /**
   * Returns the state after a write.
   *
   * @param number the sequence number of the last write
   * @return the target
   */
  static Target sequence(long number) {
    return new Sequence(number);
  }

  /**
   * Returns the newest archived state that is not later than a time.
   *
   * @param instant the time
   * @return the target
   */
  static Target time(Instant instant) {
    return new Time(instant);
  }
}
