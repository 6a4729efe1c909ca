/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.leak;

/** A native object that its owner must close, but may leak. */
public interface TrackedResource {
  /** Returns the kind of object and its database, for messages. */
  String name();

  boolean isClosed();

  /** Returns the approximate native memory that it retains until it is closed. */
  default long weight() {
    return 4 << 10;
  }

  /** Reclaims the resource as far as that is safe, because it is unreachable. */
  void closeForgotten();
}
