/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.foreign;

/**
 * The room that a thread has left on its stack. An object that native code makes for Java has to be noted before it
 * can be given back, and a stack that ends in between would leave it for ever. So room for that is made sure of first.
 */
public final class StackRoom {
  /** Room for the JVM's end of a stack, some hundred KiB, and to take an object over or give it back. */
  private static final long FOR_TAKING_OVER = 120 << 10;

  /** Room for the JVM's end of a stack, the engine's own frames, and the code in Java that it calls. */
  private static final long FOR_REENTRANCE = 224 << 10;

  private StackRoom() {}

  public static void require() {
    if (Critical.stackLeft() < FOR_TAKING_OVER) {
      throw new StackOverflowError("no room is left to take over what the engine makes");
    }
  }

  /**
   * Fails where the JVM would fail: it has no answer to a stack that ends as the engine calls back, and ends the
   * process.
   */
  public static void requireForReentrance() {
    if (Critical.stackLeft() < FOR_REENTRANCE) {
      throw new StackOverflowError("no room is left for the engine and what it calls back");
    }
  }
}
