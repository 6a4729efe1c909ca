/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.torture;

/** A parent of whose close nothing is known: what needs it may answer, or say that it is closed. */
final class Unsure extends Held<Object> {
  Unsure(Object object) {
    super(object);
  }

  @Override
  boolean mayBeClosed() {
    return true;
  }

  @Override
  boolean isClosed() {
    return false;
  }

  @Override
  void close(Tally tally) {}
}
