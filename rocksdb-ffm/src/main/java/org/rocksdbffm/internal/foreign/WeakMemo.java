/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.foreign;

import java.lang.ref.WeakReference;
import java.util.function.Supplier;

/** An object that is made on first use, and shared by all users while any of them holds it. Thread-safe. */
public final class WeakMemo<T> {
  private final Supplier<T> maker;
  private volatile WeakReference<T> last = new WeakReference<>(null);

  public WeakMemo(Supplier<T> maker) {
    this.maker = maker;
  }

  /** The object that was made last, or a new one; two threads may each get one of their own. */
  public T get() {
    T made = last.get();
    if (made == null) {
      made = maker.get();
      last = new WeakReference<>(made);
    }
    return made;
  }
}
