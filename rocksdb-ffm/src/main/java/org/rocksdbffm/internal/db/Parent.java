/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.db;

/** An object that closes its children before itself. */
public interface Parent {
  /**
   * Registers a child; called within a {@link org.rocksdbffm.internal.call.Call} that uses this parent, so it is not
   * closed yet.
   */
  void register(Child child);

  void unregister(Child child);
}
