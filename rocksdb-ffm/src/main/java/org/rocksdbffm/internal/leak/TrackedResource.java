/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.leak;

/** A native object that its owner should close, but may forget. */
public interface TrackedResource {
  /** The kind of object and where it lives, for messages. */
  String name();

  boolean isClosed();

  /** About how much native memory it keeps until it is closed. */
  default long weight() {
    return 4 << 10;
  }

  /** Reclaims it as far as that is safe, when nobody can reach it any more. */
  void closeForgotten();
}
