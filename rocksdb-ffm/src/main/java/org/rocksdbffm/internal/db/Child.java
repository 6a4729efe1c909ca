/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.db;

/** An object that must be closed before its {@link Parent}: a snapshot, an iterator, a transaction. */
public abstract class Child {
  // Its place among the children of its parent; guarded by those.
  Child next;
  Child previous;

  /** Ends what calls in flight may wait for, which its parent waits for as it is closed; called again and again. */
  protected void letCallsEnd() {}

  /** Closes it on its parent's behalf; must not call back into the parent. */
  public abstract void closeByParent();
}
