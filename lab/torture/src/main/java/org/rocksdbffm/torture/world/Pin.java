/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.torture.world;

import java.util.concurrent.atomic.AtomicInteger;
import org.rocksdbffm.PinnedValue;
import org.rocksdbffm.PinnedValues;

/** A pinned object: each holder closes it once, and it stays valid after its database is closed. */
public final class Pin<T extends AutoCloseable> extends Held<T> {
  final Held<?> database;
  private final AtomicInteger closesBegun = new AtomicInteger();
  private final AtomicInteger closesDone = new AtomicInteger();
  private final AtomicInteger retainsBegun = new AtomicInteger();
  private final AtomicInteger retainsDone = new AtomicInteger();

  /** The expected values; an element is null if the key must be missing. */
  public final byte[][] expected;

  public Pin(T object, Held<?> database, byte[]... expected) {
    super(object);
    this.database = database;
    this.expected = expected;
  }

  public void retain() {
    retainsBegun.incrementAndGet();
    switch (object) {
      case PinnedValue value -> value.retain();
      case PinnedValues values -> values.retain();
      default -> throw new AssertionError(object);
    }
    retainsDone.incrementAndGet();
  }

  @Override
  public boolean mayBeClosed() {
    return closesBegun.get() >= 1 + retainsDone.get();
  }

  @Override
  public boolean isClosed() {
    return closesDone.get() >= 1 + retainsBegun.get();
  }

  @Override
  public void close(Tally tally) {
    if (!isClosed()) {
      tally.closed(database.isClosed());
    }
    closesBegun.incrementAndGet();
    try {
      object.close();
    } catch (RuntimeException e) {
      throw e;
    } catch (Exception e) {
      throw new AssertionError("a close threw a checked exception", e);
    }
    closesDone.incrementAndGet();
  }
}
