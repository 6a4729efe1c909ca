/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.foreign;

import java.lang.ref.WeakReference;

/** The last object that was made for a purpose, shared while any user holds it. Thread-safe. */
public final class WeakMemo<T> {
  private volatile WeakReference<T> last = new WeakReference<>(null);

  /** Returns the object that was kept last; null if no user holds it. */
  public T get() {
    return last.get();
  }

  /** Keeps an object; concurrent first users may keep different ones. */
  public T keep(T made) {
    last = new WeakReference<>(made);
    return made;
  }
}
