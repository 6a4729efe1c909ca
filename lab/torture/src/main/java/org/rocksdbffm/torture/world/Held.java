/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.torture.world;

import java.util.List;

/** An object of the library that clients share, and whether it is closed. */
public class Held<T> {
  public final T object;
  private final List<Held<?>> parents;
  private volatile boolean closing;
  private volatile boolean closed;

  /** Creates the state of an object that is closed together with each of its parents. */
  public Held(T object, Held<?>... parents) {
    this.object = object;
    this.parents = List.of(parents);
  }

  /** Whether a close of the object or a parent has started: only then may calls throw that it is closed. */
  public boolean mayBeClosed() {
    return closing || parents.stream().anyMatch(Held::mayBeClosed);
  }

  /** Whether a close of the object or a parent has returned: from then on calls must throw that it is closed. */
  public boolean isClosed() {
    return closed || parents.stream().anyMatch(Held::isClosed);
  }

  /** Closes the object, even if it is closed already; does nothing if its type has no close method. */
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
