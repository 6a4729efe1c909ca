/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.compat.lifetime;

/** Special actions in the lifetime of an object. */
public interface Lifecycle {
  /** An object that only has a native object. */
  Lifecycle PLAIN = new Lifecycle() {};

  /** Called when an open object is about to be closed. */
  default void closing() {}

  /** Called when an object is closed, or given away, or was collected; may be called again. */
  default void freed() {}

  /** Runs the end of the uses and of the children, during a close. */
  default void endUses(Runnable end) {
    end.run();
  }

  /** Runs the destruction of the native object. */
  default void destroy(Runnable destruction) {
    destruction.run();
  }

  /** Whether the program can still get the native object, although the Java object is unreachable. */
  default boolean isKnown() {
    return false;
  }
}
