/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.torture.world;

import java.util.List;

/** Something of the library's that clients share, with what is known of its state. */
public class Held<T> {
  public final T object;
  private final List<Held<?>> parents;
  private volatile boolean closing;
  private volatile boolean closed;

  /** The parents close it with them. */
  public Held(T object, Held<?>... parents) {
    this.object = object;
    this.parents = List.of(parents);
  }

  /** Whether a close of it, or of a parent, has begun: only then may it say that it is closed. */
  public boolean mayBeClosed() {
    return closing || parents.stream().anyMatch(Held::mayBeClosed);
  }

  /** Whether a close of it, or of a parent, has returned: from then on it must say so. */
  public boolean isClosed() {
    return closed || parents.stream().anyMatch(Held::isClosed);
  }

  /** Closes it, in whatever state it is; does nothing to what has no close. */
  public void close(Tally tally) {
    if (!(object instanceof AutoCloseable closeable)) {
      return;
    }
    if (!closed) {
      tally.closed(parents.stream().anyMatch(Held::isClosed));
    }
    closing = true;
    try {
      closeable.close();
    } catch (RuntimeException e) {
      throw e;
    } catch (Exception e) {
      throw new AssertionError("a close threw a checked exception", e);
    }
    closed = true;
  }
}
