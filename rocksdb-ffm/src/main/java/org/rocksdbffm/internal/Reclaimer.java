/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal;

import java.lang.ref.Cleaner;

/** Reclaims what has no {@code close}, when nobody can reach it any more. */
final class Reclaimer {
  private static final Cleaner CLEANER = Cleaner.create();

  private Reclaimer() {}

  /** Runs the action once after the object became unreachable; the action must not refer to it. */
  static Cleaner.Cleanable whenUnreachable(Object object, Runnable action) {
    return CLEANER.register(object, action);
  }
}
