/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.foreign;

/**
 * Checks the stack space of the calling thread. A native object must be registered before it can be released, and a
 * StackOverflowError in between would leak it. So the space is checked before the object is created.
 */
public final class StackRoom {
  /** Space for the JVM's guard zones, some hundred KiB, and to register or release an object. */
  private static final long FOR_TAKING_OVER = 120 << 10;

  /** Space for the JVM's guard zones, the engine's frames, and the Java callback that they call. */
  private static final long FOR_REENTRANCE = 224 << 10;

  private static final String REMEDY = ": recurse less deeply, or give the thread a larger stack (-Xss)";

  private StackRoom() {}

  public static void require() {
    if (Critical.stackLeft() < FOR_TAKING_OVER) {
      throw new StackOverflowError("no room is left to take over what the engine makes" + REMEDY);
    }
  }

  /**
   * Throws where the JVM would throw: if the stack overflows in a callback from the engine, the JVM ends the process.
   */
  public static void requireForReentrance() {
    if (Critical.stackLeft() < FOR_REENTRANCE) {
      throw new StackOverflowError("no room is left for the engine and what it calls back" + REMEDY);
    }
  }
}
