/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.torture.world;

/** A parent whose state is unknown: calls that need it may succeed, or throw that it is closed. */
public final class Unsure extends Held<Object> {
  public Unsure(Object object) {
    super(object);
  }

  @Override
  public boolean mayBeClosed() {
    return true;
  }

  @Override
  public boolean isClosed() {
    return false;
  }

  @Override
  public void close(Tally tally) {}
}
