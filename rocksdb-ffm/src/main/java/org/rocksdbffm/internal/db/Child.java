/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.db;

/** An object that must be closed before its {@link Parent}: a snapshot, an iterator, a transaction. */
public interface Child {
  /** Closes it on its parent's behalf; must not call back into the parent. */
  void closeByParent();
}
