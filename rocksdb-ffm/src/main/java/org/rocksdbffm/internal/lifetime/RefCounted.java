/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.lifetime;

import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;

/**
 * The number of holders of a shared object, which the last holder destroys. Created with one holder, the creator.
 * Thread-safe.
 */
public final class RefCounted {
  private static final AtomicIntegerFieldUpdater<RefCounted> HOLDERS =
      AtomicIntegerFieldUpdater.newUpdater(RefCounted.class, "holders");

  // The number of holders; once 0, always 0.
  private volatile int holders = 1;

  /** Adds a holder; returns false if the last holder has released the object. */
  public boolean tryRetain() {
    return HOLDERS.getAndUpdate(this, count -> count == 0 ? 0 : count + 1) != 0;
  }

  /**
   * Adds a holder. Adds a holder. The caller is a holder already, or prevents another holder from releasing the object.
   */
  public void retain() {
    if (!tryRetain()) {
      throw new IllegalStateException("the last holder has released the object");
    }
  }

  /** Removes a holder; returns true if it was the last one, so that the caller destroys the object. */
  public boolean release() {
    int left = HOLDERS.decrementAndGet(this);
    if (left < 0) {
      throw new IllegalStateException("the object was released more often than it was retained");
    }
    return left == 0;
  }
}
