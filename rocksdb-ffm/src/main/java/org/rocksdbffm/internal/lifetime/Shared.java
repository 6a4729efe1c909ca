/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.lifetime;

/** An object with several holders, which the last of them destroys. */
public interface Shared {
  /** Removes a holder. */
  void release();

  /** Removes a holder of each object that is not null. */
  static void release(Shared... objects) {
    for (Shared object : objects) {
      if (object != null) {
        object.release();
      }
    }
  }
}
