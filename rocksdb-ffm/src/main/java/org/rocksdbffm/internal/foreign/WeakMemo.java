/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.foreign;

import java.lang.ref.WeakReference;
import java.util.function.Supplier;

/** Something that is made when it is asked for, and shared by all who ask while anybody holds it. Thread-safe. */
public final class WeakMemo<T> {
  private final Supplier<T> maker;
  private volatile WeakReference<T> last = new WeakReference<>(null);

  public WeakMemo(Supplier<T> maker) {
    this.maker = maker;
  }

  /** What was made last, or what is made now; two threads may each get one of their own. */
  public T get() {
    T made = last.get();
    if (made == null) {
      made = maker.get();
      last = new WeakReference<>(made);
    }
    return made;
  }
}
