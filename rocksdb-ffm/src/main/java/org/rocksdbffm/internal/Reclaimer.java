/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal;

import java.lang.ref.Cleaner;

/**
 * Reclaims what nobody can reach any more, on a thread of its own. Who makes such things faster than they are
 * reclaimed waits for that: the heap alone would not hold them up, for what they take is mostly outside of it.
 */
final class Reclaimer {
  private static final long LEAST_BYTES = 64 << 20;
  private static final int PART_OF_HEAP = 8;

  private static final Cleaner CLEANER = Cleaner.create();
  private static final BackPressure PRESSURE =
      new BackPressure(Math.max(LEAST_BYTES, Runtime.getRuntime().maxMemory() / PART_OF_HEAP));

  private Reclaimer() {}

  /**
   * Runs the action once after the object became unreachable; the action must not refer to it.
   *
   * @param bytes about how much native memory is kept until then
   */
  static Cleaner.Cleanable whenUnreachable(Object object, long bytes, Runnable action) {
    PRESSURE.add(bytes);
    try {
      return CLEANER.register(
          object,
          () -> {
            try {
              action.run();
            } finally {
              PRESSURE.remove(bytes);
            }
          });
    } catch (Throwable e) {
      PRESSURE.remove(bytes);
      throw e;
    }
  }
}
