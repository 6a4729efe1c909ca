/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.db;

import org.rocksdbffm.internal.lifetime.Owner;

/** An object that is closed before its {@link Parent}: a snapshot, an iterator, a transaction. */
public abstract class Child {
  private volatile Owner.Place<Child> place; // null before the registration

  /** Adds this object to the children of its parent. */
  public final void join(Owner<Child> siblings) {
    place = siblings.add(this);
  }

  /** Removes this object from the children of its parent, if it was added. */
  public final void leaveSiblings() {
    Owner.Place<Child> left = place;
    if (left != null) {
      left.leave();
    }
  }

  /** Ends the waits of calls in flight, because the parent's close waits for these calls; called repeatedly. */
  protected void letCallsEnd() {}

  /** Closes the object because its parent is being closed; must not call back into the parent. */
  public abstract void closeByParent();
}
