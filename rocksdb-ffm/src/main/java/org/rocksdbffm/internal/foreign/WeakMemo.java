/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.foreign;

import java.lang.ref.WeakReference;
import java.util.function.Supplier;

/** An object that is made on first use, and shared while any user holds it. Thread-safe. */
public final class WeakMemo<T> {
  private final Supplier<T> maker;
  private volatile WeakReference<T> last = new WeakReference<>(null);

  public WeakMemo(Supplier<T> maker) {
    this.maker = maker;
  }

  /** Returns the last object that was made, or a new one; concurrent first callers may get different objects. */
  public T get() {
    T made = last.get();
    if (made == null) {
      made = maker.get();
      last = new WeakReference<>(made);
    }
    return made;
  }
}
