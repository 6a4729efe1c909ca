/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.call;

import org.rocksdbffm.internal.leak.TrackedResource;

/** A tracked resource whose {@link Handle} has its name and closed state. */
public interface HandledResource extends TrackedResource {
  Handle handle();

  void close();

  @Override
  default String name() {
    return handle().name();
  }

  @Override
  default boolean isClosed() {
    return handle().isClosed();
  }

  @Override
  default void closeForgotten() {
    close();
  }
}
