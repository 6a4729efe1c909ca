/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.db;

/** An object that is closed before its {@link Parent}: a snapshot, an iterator, a transaction. */
public abstract class Child {
  // Links in the parent's list of children; guarded by the list.
  Child next;
  Child previous;

  /**
   * Ends what calls in flight may be waiting for, while the parent's close waits for these calls; called repeatedly.
   */
  protected void letCallsEnd() {}

  /** Closes the object because its parent is being closed; must not call back into the parent. */
  public abstract void closeByParent();
}
